import Reconciliation

/// The part of the summary about missing deliveries: how many are uncertain, and what they have in common.
struct MissingText {
  /// Nil if there is nothing to report.
  let text: String?

  init(_ summary: Summary) {
    let sentences = [Self.unknown(summary), summary.cause.map(Self.words)].compactMap { $0 }
    text = sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// Maximum number of silences in the sentence.
  private static let mostSilences = 3

  private static func unknown(_ summary: Summary) -> String? {
    guard summary.unknownMissing > 0 else { return nil }
    let count = SummaryText.grouped(Int64(summary.unknownMissing))
    let subject = count == "1" ? "1 missing delivery is" : "\(count) missing deliveries are"
    var reasons = summary.silences.prefix(mostSilences).map { silence in
      "\(Visible.text(silence.source)) was silent from \(silence.begin) to \(silence.end)"
    }
    let others = summary.silences.count - reasons.count
    if others > 0 { reasons.append("\(others) more silent periods") }
    let time = count == "1" ? "that time" : "their time"
    let why =
      reasons.isEmpty ? "no delivery log covers \(time)" : reasons.joined(separator: ", ")
    return "\(subject) uncertain: \(why)."
  }

  private static func words(_ cause: Summary.Cause) -> String {
    let properties = cause.properties.map(words).joined(separator: " and ")
    let share = cause.owedPercent == 0 ? "less than 1 %" : "\(cause.owedPercent) %"
    return """
      \(SummaryText.grouped(Int64(cause.missing))) of \
      \(SummaryText.grouped(Int64(cause.allMissing))) missing \(properties), \
      compared with \(share) of all owed deliveries.
      """
  }

  private static func words(_ property: Summary.Property) -> String {
    let value = Visible.text(property.value)
    switch property.dimension {
    case "server": return "came through \(value)"
    case "region": return "came through region \(value)"
    case "app_version": return "came from app version \(value)"
    case "product_id": return "are of \(value)"
    case "product_type": return "are \(value)"
    default:
      let next = ((Int(value.prefix(2)) ?? 0) + 1) % 24
      return "were bought between \(value) and \(next < 10 ? "0" : "")\(next):00 UTC"
    }
  }
}
