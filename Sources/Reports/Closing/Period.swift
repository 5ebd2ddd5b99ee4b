import Intake
import PostgreSQL
package import Runs

/// A range of days that can be closed: a calendar month, a month of Apple's fiscal calendar, or any
/// range.
package struct Period: Sendable, Equatable {
  /// The name: `2026-10`, `FY2027-P01` or `2026-10-01..2026-10-15`.
  package let name: String
  private let days: Days

  private enum Days: Equatable {
    /// The first day of a calendar month, YYYY-MM-DD.
    case month(String)
    /// The first and the last day, counted since 1970-01-01.
    case counted(Int64, Int64)
    /// The first and the last day, YYYY-MM-DD.
    case range(String, String)
  }

  /// Reads the name of a period.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if it is none.
  package init(_ name: String) throws(ReconciliationError) {
    self.name = name
    if let month = FiscalMonth(name) {
      days = .counted(month.days.lowerBound, month.days.upperBound)
    } else if name.wholeMatch(of: /[0-9]{4}-[0-9]{2}/) != nil {
      days = .month("\(name)-01")
    } else if let range = name.wholeMatch(
      of: /([0-9]{4}-[0-9]{2}-[0-9]{2})\.\.([0-9]{4}-[0-9]{2}-[0-9]{2})/)
    {
      days = .range(String(range.1), String(range.2))
    } else {
      throw Self.noPeriod(name)
    }
  }

  /// The first and the last day, YYYY-MM-DD.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no such day, or if the last day
  ///   comes before the first.
  func days(in database: Connection) throws -> (first: String, last: String) {
    let rows: Rows
    do {
      switch days {
      case .month(let first):
        rows = try database.run(
          "select $1::date, ($1::date + interval '1 month')::date - 1", [first], step: "period")
      case .counted(let first, let last):
        rows = try database.run(
          "select date '1970-01-01' + $1::integer, date '1970-01-01' + $2::integer",
          ["\(first)", "\(last)"], step: "period")
      case .range(let first, let last):
        rows = try database.run(
          "select $1::date, $2::date where $1::date <= $2::date", [first, last], step: "period")
      }
    } catch {
      guard error.sqlState == "22008" else { throw error }
      throw Self.noPeriod(name)
    }
    let row = rows.values.first?.compactMap { $0 } ?? []
    guard row.count == 2 else { throw Self.noPeriod(name) }
    return (row[0], row[1])
  }

  private static func noPeriod(_ name: String) -> ReconciliationError {
    ReconciliationError(
      .unknown,
      """
      “\(name)” is no period. Give a month such as 2026-10, a month of Apple's fiscal calendar such as \
      FY2027-P01, or days such as 2026-10-01..2026-10-15.
      """)
  }
}
