import Foundation
import Runs
import Synchronization
import Waiting

/// Shows the progress of a run in one line of a terminal.
///
/// It shows nothing if standard error is not a terminal, for instance a file or cron's mail, or if
/// the terminal cannot erase a line (`TERM=dumb`).
final class ProgressBar: Sendable {
  private struct State {
    var progress: RunProgress?
    var start = ContinuousClock.now
    var shown: ContinuousClock.Instant?
  }

  /// Whether standard error is a terminal.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether standard error is a terminal that can erase a line.
  private static let canErase =
    isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// The prefix of a line of text.
  ///
  /// On a terminal it erases the progress bar.
  static let lineStart = canErase ? "\r\u{1b}[2K" : ""

  private let isShown: Bool
  private let state = Mutex(State())

  init(isWanted: Bool) {
    isShown = isWanted && Self.canErase
    guard isShown else { return }
    // A step can be a single SQL statement of several minutes, during which only the time changes.
    // Without this thread the bar is drawn only when there is progress.
    try? startThread { [weak self] in
      while self?.redraw() != nil { Thread.sleep(forTimeInterval: 0.5) }
    }
  }

  func show(_ progress: RunProgress) {
    guard isShown else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if state.progress?.step != progress.step { state = State(start: now) }
      state.progress = progress
      // A person cannot read more than ten updates a second.
      if let shown = state.shown, now - shown < .milliseconds(100) { return }
      Self.draw(&state, at: now)
    }
  }

  func clear() {
    guard isShown else { return }
    state.withLock { state in
      state.progress = nil
      StandardError.write(Self.lineStart)
    }
  }

  private func redraw() {
    state.withLock { Self.draw(&$0, at: .now) }
  }

  private static func draw(_ state: inout State, at now: ContinuousClock.Instant) {
    guard let progress = state.progress else { return }
    state.shown = now
    let line = ProgressLine(progress, seconds: (now - state.start) / .seconds(1)).text
    // Line wrap is off: a part on the next line could not be erased.
    StandardError.write("\(lineStart)\u{1b}[?7l\(line)\u{1b}[?7h")
  }
}
