package import Configuration
import Foundation
import Page
import PostgreSQL
import ReconciliationSQL
import Runs

/// The actions on periods: one person closes a period, another one approves it, and a closed period
/// can be reopened.
///
/// The database says who acts: triggers of `schema_period.sql` note the person of the session. The
/// actions take the lock of a run, because the numbers must be those of one night.
package struct ClosingActs {
  /// A period that was closed.
  package struct Closed: Sendable {
    /// The first and the last day, YYYY-MM-DD.
    package let days: (first: String, last: String)
    /// The folder of its pack.
    package let folder: String
    /// The as-of of the night whose numbers it has.
    package let asOf: String
    /// The person who closed it.
    package let person: String
    /// The totals: own or prior_period, currency, source, units sold, net.
    package let totals: [[String]]
    /// What is open: rule, level, number of findings.
    package let open: [[String]]
  }

  /// A period that was approved.
  package struct Approved: Sendable {
    /// The persons who closed and approved it.
    package let preparer: String
    package let approver: String
    /// The certificate's path.
    package let certificate: String
  }

  let settings: Settings
  let version: String
  let database: Connection
  private let lock: RunLock

  /// Connects to the database and takes the lock of a run.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - version: The version of the program.
  /// - Throws: ``ReconciliationError`` with `locked` if a run is at work; `PostgreSQLError`.
  package init(settings: Settings, database: String, version: String) throws {
    self.settings = settings
    self.version = version
    self.database = try Connection(database, applicationName: "tieout close")
    try Schema.bringUpToDate(self.database)
    lock = try RunLock(database)
  }

  /// Closes a period: freezes its amounts, and writes its pack.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if the period has not ended, a day of it is
  ///   closed already, or the newest run is not a night that later nights build on; with `reports`
  ///   if the pack cannot be written. Nothing has changed then, unless the message says that the
  ///   period is closed.
  package func close(_ period: Period) throws -> Closed {
    let days = try period.days(in: database)
    let pack = try ClosingPack(reports: settings.reports)
    var name = ""
    let closed = try database.inTransaction {
      let night = try night(endingAfter: days.last, of: period)
      try requireOpen(period, days)
      let row = try database.run(
        """
        insert into period_closing (period, first_day, last_day, run_id, edition, prepared_by, prepared_at, pack_sha256)
        select
            $1, $2::date, $3::date, night.run_id,
            (select count(*) + 1 from period_closing as earlier where earlier.period = $1), '', now(), ''
        from night
        returning closing_id, edition, prepared_by, csv_instant(prepared_at)
        """, [period.name, days.first, days.last], step: "close")
      let values = row.values.first?.compactMap { $0 } ?? []
      guard values.count == 4 else {
        throw ReconciliationError(.totals, "The closing was not recorded.")
      }
      try database.run(
        """
        select
            set_config('tieout.closing', $1, true),
            set_config('tieout.edition', (select coalesce(run.edition, 1)::text from run inner join night using (run_id)), true)
        """, [values[0]], step: "close")
      for file in [SQLFile.periodAmount, .periodBalance, .restatedPublished] {
        try database.run(file)
      }
      let head = ClosingPack.Head(
        period: period.name, days: days, edition: Int(values[1]) ?? 1, asOf: night.asOf,
        night: night.folder, person: values[2], at: values[3], version: version)
      let sum = try pack.write(head, from: database)
      name = pack.name(of: head)
      try database.run(
        "update period_closing set pack_sha256 = $2 where closing_id = $1::integer",
        [values[0], sum], step: "close")
      return try Closed(
        days: days, folder: pack.path(of: head), asOf: night.asOf, person: values[2],
        totals: rows(SQLFile.periodTotal.text),
        open: rows(
          """
          select rule, level, count(*) from finding where status <> 'resolved'
          group by rule, level
          order by rule, level
          """))
    }
    defer { showState() }
    // If the program ends here, `approve` shows the pack.
    try pack.show(
      name,
      otherwise: """
        \(period.name) is closed, but its pack does not have its name yet. Correct this; tieout approve \
        \(period.name) then shows the pack. Do not close the period again.
        """)
    return closed
  }

  /// The newest night, if it is after the last day and later nights build on it.
  private func night(
    endingAfter last: String, of period: Period
  ) throws -> (asOf: String, folder: String) {
    let rows = try database.run(
      """
      select
          csv_instant(run.as_of),
          run.as_of_on || case when run.edition > 1 then '.' || run.edition else '' end,
          run.as_of_on > $1::date,
          exists (select from judged where judged.run_id = run.run_id)
      from night
      inner join run on night.run_id = run.run_id
      """, [last], step: "night")
    let row = rows.values.first?.compactMap { $0 } ?? []
    guard row.count == 4 else {
      throw ReconciliationError(.unknown, "No night was done yet. Start with: tieout run.")
    }
    guard row[2] == "t" else {
      throw ReconciliationError(
        .unknown,
        """
        The newest night, as of \(row[0]), does not have the whole of \(period.name), which ends on \(last). \
        Close it after a night of a later day.
        """)
    }
    guard row[3] == "t" else {
      throw ReconciliationError(
        .unknown,
        "A past day was rebuilt with new files, and no night has judged them since. Run tieout run first."
      )
    }
    return (row[0], row[1])
  }

  private func requireOpen(_ period: Period, _ days: (first: String, last: String)) throws {
    let rows = try database.run(
      """
      select period, first_day, last_day
      from period_closing
      where
          reopened_at is null
          and daterange(first_day, last_day, '[]') && daterange($1::date, $2::date, '[]')
      order by first_day
      """, [days.first, days.last], step: "period")
    guard let row = rows.values.first?.compactMap({ $0 }), row.count == 3 else { return }
    throw ReconciliationError(
      .unknown,
      row[0] == period.name
        ? "\(period.name) is closed already."
        : """
        \(row[0]), from \(row[1]) to \(row[2]), is closed, and each day is in one closed period. Give other \
        days than \(days.first) to \(days.last).
        """)
  }

  private func rows(_ query: String) throws -> [[String]] {
    try database.run(query, step: "totals").values.map { row in row.map { $0 ?? "" } }
  }

  /// Shows the state of the month in the calendar; if that fails, the next night does it.
  func showState() {
    try? CalendarPage.bringUpToDate(in: URL(filePath: settings.reports).path, database)
  }
}
