import Configuration
import Foundation
import Intake
import PostgreSQL
import ReconciliationSQL
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

  /// Reads the name of a period; spaces around it do not count.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if it is none.
  package init(_ given: String) throws(ReconciliationError) {
    name = given.trimmingCharacters(in: .whitespaces)
    if let month = FiscalMonth(name) {
      days = .counted(month.days.lowerBound, month.days.upperBound)
    } else if name.wholeMatch(of: /[0-9]{4}-[0-9]{2}/) != nil {
      days = .month("\(name)-01")
    } else if let range = name.wholeMatch(
      of: /([0-9]{4}-[0-9]{2}-[0-9]{2})\.\.([0-9]{4}-[0-9]{2}-[0-9]{2})/)
    {
      for day in [range.1, range.2] where CalendarDay(day.utf8) == nil {
        throw Self.noPeriod(name, because: "\(day) is not a day")
      }
      guard range.1 <= range.2 else {
        throw Self.noPeriod(name, because: "its last day is before its first one")
      }
      days = .range(String(range.1), String(range.2))
    } else if CalendarDay(name.utf8) != nil {
      throw Self.noPeriod(name, because: "one day is written \(name)..\(name)")
    } else {
      throw Self.noPeriod(name)
    }
  }

  /// The closed periods with their states, in the order of the days.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  package static func closed(in database: String) throws -> QueryTable {
    let connection = try Connection.toLedger(database, as: "tieout periods")
    return QueryTable(try connection.reading { try connection.run(SQLFile.periodList) })
  }

  /// The first and the last day, YYYY-MM-DD.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no such day, or if the last day
  ///   comes before the first.
  func days(in database: Connection) throws -> (first: String, last: String) {
    let given: [String?] =
      switch days {
      case .month(let first): [first, nil, nil, nil]
      case .counted(let first, let last): [nil, nil, "\(first)", "\(last)"]
      case .range(let first, let last): [first, last, nil, nil]
      }
    let rows: Rows
    do { rows = try database.run(SQLFile.periodDays, given) } catch {
      guard error.sqlState == "22008" else { throw error }
      throw Self.noPeriod(name)
    }
    guard let row = rows.records.first, let first = row["first_day"], let last = row["last_day"]
    else { throw Self.noPeriod(name) }
    return (first, last)
  }

  private static func noPeriod(_ name: String, because: String? = nil) -> ReconciliationError {
    ReconciliationError(
      .unknown,
      """
      “\(name)” is not a period\(because.map { ": \($0)" } ?? ""). Give a month such as 2026-10, a month of Apple's \
      fiscal calendar such as FY2027-P01, or days such as 2026-10-01..2026-10-15.
      """)
  }
}
