import NightRun
import Page
import Reports

/// The part of the summary about missing deliveries: how many are uncertain, and what the others
/// have in common.
struct MissingText {
  /// Nil if there is nothing to report.
  let text: String?

  init(_ summary: Summary) {
    let cause = summary.cause.map { Visible.text($0.sentence) }
    let sentences = [Self.uncertain(summary), cause].compactMap { $0 }
    text = sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// Maximum number of silences in the sentence.
  private static let mostSilences = 3

  private static func uncertain(_ summary: Summary) -> String? {
    guard summary.uncertain > 0 else { return nil }
    let count = Figure.grouped(summary.uncertain)
    let subject = count == "1" ? "1 delivery is" : "\(count) deliveries are"
    var reasons = summary.silences.prefix(mostSilences).map { silence in
      "\(Visible.text(silence.server)) was silent from \(silence.begin) to \(silence.end)"
    }
    let others = summary.silences.count - reasons.count
    if others > 0 { reasons.append(Figure.counted(others, "more silent periods")) }
    let time = count == "1" ? "that time" : "their time"
    let why =
      reasons.isEmpty ? "no delivery log covers \(time)" : reasons.joined(separator: ", ")
    return "\(subject) uncertain: \(why)."
  }
}
