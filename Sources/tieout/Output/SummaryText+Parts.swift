import NightRun
import Page
import Reports

extension SummaryText {
  /// The part about rejections: the most frequent reasons, one location for each, and the path of
  /// the report; nil if nothing was rejected.
  static func rejected(_ summary: Summary) -> String? {
    guard !summary.rejections.isEmpty else { return nil }
    let rows = summary.rejections.map {
      [$0.reason, Figure.grouped($0.records), Visible.text($0.location)]
    }
    var lines = TextTable(header: ["rejected", "records", "first in"], rows: rows).text
    let others = summary.rejectionReasons - summary.rejections.count
    if others > 0 { lines += "\(others) more \(others == 1 ? "reason" : "reasons").\n" }
    if let folder = summary.folder {
      lines += "What to do about each: \(Visible.text(folder))/rejected_records.csv\n"
    }
    return lines
  }

  /// The part about missing deliveries: how many are uncertain, and what the others have in common;
  /// nil if there is nothing to report.
  static func missing(_ summary: Summary) -> String? {
    let cause = summary.cause.map { Visible.text($0.sentence) }
    let sentences = [uncertain(summary), cause].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
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
    if !reasons.isEmpty, summary.uncovered > 0 {
      reasons.append("no delivery log covers the time of \(Figure.grouped(summary.uncovered))")
    }
    let time = count == "1" ? "that time" : "their time"
    let why =
      reasons.isEmpty ? "no delivery log covers \(time)" : reasons.joined(separator: ", ")
    return "\(subject) uncertain: \(why)."
  }
}
