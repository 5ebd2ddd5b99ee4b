package import Runs

/// The days that two editions both cover, if one of them begins later than the other.
///
/// `revenue_since` moves with the month unless it is set, so a whole month leaves the statements
/// although nothing has changed.
package struct StatementWindow: Sendable {
  /// The first day of revenue of the edition that begins later.
  package let since: String
  /// The edition that begins later.
  package let edition: Edition
  /// Whether that is the edition after.
  let isOfAfter: Bool

  /// Returns nil if both begin with the same day.
  init?(_ before: Manifest, _ after: Manifest) {
    guard before.revenueSince != after.revenueSince else { return nil }
    isOfAfter = before.revenueSince < after.revenueSince
    since = isOfAfter ? after.revenueSince : before.revenueSince
    edition = isOfAfter ? after.edition : before.edition
  }

  /// The statements that depend on `revenue_since`, each with the column of the last day that a row
  /// is about.
  private static let lastDays = [
    "revenue": "day", "liabilities": "period_end", "proceeds": "period_end",
    "tie_out": "period_end",
  ]

  /// Returns the numbers of the rows that end before `since`.
  ///
  /// In `tie_out`, the edition that begins later can have earlier periods too (apple_period). Rows
  /// that do not end before the first of them are compared. `proceeds` has all Financial Reports in
  /// both editions.
  ///
  /// - Parameters:
  ///   - rows: The rows of a statement of one of the editions.
  ///   - later: The rows of the edition that begins later.
  func earlierRows(
    in statement: String, _ rows: StatementRows, than later: StatementRows
  ) -> Set<Int> {
    guard let column = Self.lastDays[statement] else { return [] }
    var firstEnds: [String: String] = [:]
    for period in Self.periods(of: later, column) {
      firstEnds[period.report] = min(period.end, firstEnds[period.report] ?? since)
    }
    let earlier = Self.periods(of: rows, column).filter { period in
      period.end < firstEnds[period.report] ?? since
        && (statement != "proceeds" || period.report == "sales_summary")
    }
    return Set(earlier.map { $0.row })
  }

  /// The report of each row, empty in a statement that is not about reports, and its last day.
  private static func periods(
    of rows: StatementRows, _ column: String
  ) -> [(row: Int, report: String, end: String)] {
    guard let end = rows.header.firstIndex(of: column) else { return [] }
    let report = rows.header.firstIndex(of: "report")
    return rows.places.indices.compactMap { row in
      let fields = rows.fields(of: row)
      guard fields.count == rows.header.count else { return nil }
      return (row: row, report: report.map { fields[$0] } ?? "", end: fields[end])
    }
  }
}
