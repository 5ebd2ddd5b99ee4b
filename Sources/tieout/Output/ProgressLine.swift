import Runs

/// The text of the progress bar: step, rate, remaining time.
struct ProgressLine {
  let text: String

  /// - Parameter seconds: Duration of the step so far.
  init(_ progress: RunProgress, seconds: Double) {
    let step = progress.step.replacing("_", with: " ")
    var parts = [step]
    if let done = progress.done, let all = progress.all, all > 0 {
      let part = min(1, Double(done) / Double(all))
      let filled = Int(part * 24)
      let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled)
      parts[0] = "\(step) [\(bar)] \(Int(part * 100)) %"
      parts.append(progress.isBytes ? Self.rate(done, in: seconds) : "\(done) of \(all)")
      // The first second of a step says nothing about its remaining time.
      if part > 0, seconds >= 1 {
        let left = Self.words(seconds / part * (1 - part))
        let later = progress.usual.map { ", then about \(Self.words($0.later))" } ?? ""
        parts.append("\(left) left\(later)")
      }
    } else {
      if seconds >= 1 { parts.append(Self.words(seconds)) }
      if let done = progress.done, done >= 1_000_000 {
        parts.append("\(done / 1_000_000) MB, \(Self.rate(done, in: seconds))")
      }
      if let usual = progress.usual {
        // If the step already takes longer than usual, only the later steps are counted.
        let left = max(0, (usual.step ?? 0) - seconds) + usual.later
        parts.append("about \(Self.words(left)) left")
      }
    }
    text = parts.joined(separator: "  ")
  }

  private static func rate(_ bytes: Int64, in seconds: Double) -> String {
    "\(Int(Double(bytes) / 1_000_000 / max(0.001, seconds))) MB/s"
  }

  /// A time in words: seconds below two minutes, else minutes, else hours.
  private static func words(_ seconds: Double) -> String {
    // The remaining time of a step that has hardly begun can be any number.
    let whole = Int(min(seconds, 1e9).rounded(.up))
    if whole < 120 { return "\(whole) s" }
    let minutes = (whole + 30) / 60
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
