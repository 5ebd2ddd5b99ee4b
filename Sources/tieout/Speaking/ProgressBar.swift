import Foundation
import Reconciliation
import Synchronization

/// Where the run is, on one line of a terminal; nothing where standard error is a file or cron's mail.
final class ProgressBar: Sendable {
  private struct State {
    var start = ContinuousClock.now
    var shown: ContinuousClock.Instant?
    var step = ""
  }

  private let isShown: Bool
  private let state = Mutex(State())

  init(isWanted: Bool) {
    isShown = isWanted && isatty(STDERR_FILENO) == 1
  }

  func show(_ progress: RunProgress) {
    guard isShown else { return }
    let now = ContinuousClock.now
    let line: String? = state.withLock { state in
      if state.step != progress.step {
        state = State(start: now, shown: nil, step: progress.step)
      }
      // Ten times a second is as much as a person can read.
      if let shown = state.shown, now - shown < .milliseconds(100) { return nil }
      state.shown = now
      return Self.line(progress, since: state.start, now: now)
    }
    if let line { write("\r\u{1b}[2K\(line)") }
  }

  func clear() {
    guard isShown else { return }
    write("\r\u{1b}[2K")
  }

  private static func line(
    _ progress: RunProgress, since start: ContinuousClock.Instant, now: ContinuousClock.Instant
  ) -> String {
    let step = progress.step.replacing("_", with: " ")
    guard let done = progress.done, let all = progress.all, all > 0 else { return step }
    let part = min(1, Double(done) / Double(all))
    let seconds = max(0.001, Double((now - start) / .seconds(1)))
    let rate = Double(done) / 1_000_000 / seconds
    let left = part > 0 ? Int(seconds / part * (1 - part)) : 0
    let filled = Int(part * 24)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled)
    let speed = progress.isBytes ? "\(Int(rate)) MB/s" : "\(done) of \(all)"
    return "\(step) [\(bar)] \(Int(part * 100)) %  \(speed)  \(left) s left"
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
