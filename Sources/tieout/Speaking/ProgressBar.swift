import Foundation
import Reconciliation
import Synchronization

/// Where the run is, on one line of a terminal; nothing where standard error is a file or cron's mail.
final class ProgressBar: Sendable {
  private struct State {
    var progress: RunProgress?
    var start = ContinuousClock.now
    var shown: ContinuousClock.Instant?
  }

  /// Whether standard error is read by a person.
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  /// What goes before a line of text where the bar may stand: on a terminal, the bar is wiped away.
  static let lineStart = isTerminal ? "\r\u{1b}[2K" : ""

  private let isShown: Bool
  private let state = Mutex(State())

  init(isWanted: Bool) {
    isShown = isWanted && Self.isTerminal
    guard isShown else { return }
    // A step can be one statement of minutes, in which nothing but the clock moves on.
    Thread.detachNewThread { [weak self] in
      while self?.redraw() != nil { Thread.sleep(forTimeInterval: 0.5) }
    }
  }

  func show(_ progress: RunProgress) {
    guard isShown else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if state.progress?.step != progress.step { state = State(start: now) }
      state.progress = progress
      // Ten times a second is as much as a person can read.
      if let shown = state.shown, now - shown < .milliseconds(100) { return }
      Self.draw(&state, at: now)
    }
  }

  func clear() {
    guard isShown else { return }
    state.withLock { state in
      state.progress = nil
      Self.write(Self.lineStart)
    }
  }

  private func redraw() {
    state.withLock { Self.draw(&$0, at: .now) }
  }

  private static func draw(_ state: inout State, at now: ContinuousClock.Instant) {
    guard let progress = state.progress else { return }
    state.shown = now
    let line = ProgressLine(progress, seconds: (now - state.start) / .seconds(1)).text
    // Without a wrap: what does not fit on the line could not be wiped away.
    write("\(lineStart)\u{1b}[?7l\(line)\u{1b}[?7h")
  }

  private static func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
