import Reconciliation

/// What the summary says of the missing deliveries beside their number: what cannot be known of them, and
/// what they have in common.
struct MissingText {
  /// Nil where there is nothing to say.
  let text: String?

  init(_ summary: Summary) {
    let sentences = [Self.unknown(summary), summary.cause.map(Self.words)].compactMap { $0 }
    text = sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// As many as fit into a sentence.
  private static let mostSilences = 3

  private static func unknown(_ summary: Summary) -> String? {
    guard summary.unknownMissing > 0 else { return nil }
    let count = SummaryText.grouped(Int64(summary.unknownMissing))
    var reasons = summary.silences.prefix(mostSilences).map { silence in
      "\(Visible.text(silence.source)) was silent from \(silence.begin) to \(silence.end)"
    }
    let others = summary.silences.count - reasons.count
    if others > 0 { reasons.append("\(others) more silent stretches") }
    let why =
      reasons.isEmpty ? "the log has nothing of their time" : reasons.joined(separator: ", ")
    return "Of the missing deliveries \(count) cannot be known: \(why)."
  }

  private static func words(_ cause: Summary.Cause) -> String {
    let properties = cause.properties.map(words).joined(separator: " and ")
    let share = cause.owedPercent == 0 ? "less than 1 %" : "\(cause.owedPercent) %"
    return """
      \(SummaryText.grouped(Int64(cause.missing))) of \
      \(SummaryText.grouped(Int64(cause.allMissing))) missing \(properties), \
      which holds for \(share) of all that was owed.
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
