public import ReconciliationSQL

/// One CSV file of a day's folder.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  /// The query whose select list is the header.
  public let query: SQLFile

  /// Every report, the statements first.
  public static let all = SQLFile.reports.map { Report(query: $0) }

  /// The file's name in the day's folder.
  public var fileName: String { "\(query.subject).csv" }

  /// Whether it depends only on the data and as-of, and not on the runs of its day.
  public var isStatement: Bool { Self.statements.contains(query.subject) }

  private static let statements: Set = [
    "missing_deliveries", "invalid_product_ids", "duplicate_restores", "revenue", "findings",
    "causes",
  ]

  /// Whether its sheet in the workbook ends with the sums of each currency.
  var hasTotals: Bool { Self.summed.contains(query.subject) }

  private static let summed: Set = ["missing_deliveries", "revenue"]

  /// A short description: the text of its query's comment between the first colon and the full
  /// stop.
  public var contents: String {
    let comment = query.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
      .map { $0.dropFirst(3) }.joined(separator: " ")
    let words = comment.drop { $0 != ":" }.dropFirst(2)
    return String(words.prefix { $0 != "." })
  }

  /// The file's name, which is how tests and logs show it.
  public var description: String { fileName }
}
