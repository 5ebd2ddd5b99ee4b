package import Configuration
import FileSystem
import Foundation
import Page
import PostgreSQL
import ReconciliationSQL
package import Runs

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
    /// The closing before the period was reopened; nil if it is closed for the first time.
    package let previous: PreviousClosing?
    /// The reopened closings of other periods that share a day with it.
    package let overlapping: [OverlappingClosing]
    /// The totals by currency and source of amounts.
    package let totals: QueryTable
    /// The numbers of open findings by rule and level.
    package let open: QueryTable
    /// What makes the amounts incomplete or doubtful, one sentence each.
    package let doubts: [String]
  }

  /// A period that was approved.
  package struct Approved: Sendable {
    /// The person who closed it.
    package let preparer: String
    /// The person who approved it.
    package let approver: String
    /// When it was approved.
    package let approvedAt: String
    /// Whether this call recorded the approval, and not an earlier one.
    package let isNew: Bool
    /// The certificate's path.
    package let certificate: String
    /// Whether the certificate of an earlier approval was missing, and this call has written it.
    package let certificateWasMissing: Bool
    /// What has changed in the period since it was closed; nil if nothing has.
    ///
    /// The approval includes this change.
    package let difference: String?
    /// What makes the amounts incomplete or doubtful, one sentence each, if the approval is new.
    package let doubts: [String]
  }

  package let settings: Settings
  let version: String
  let database: Connection
  let lock: RunLock

  /// Connects to the database and takes the lock of a run.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - version: The version of the program.
  /// - Throws: ``ReconciliationError`` with `locked` if a run is at work; `PostgreSQLError`.
  package init(settings: Settings, database: String, version: String) throws {
    self.settings = settings
    self.version = version
    self.database = try Connection.toLedger(database, as: "tieout close")
    lock = try RunLock(database)
  }

  /// Closes a period: freezes its amounts, and writes its pack.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if the period has not ended, a day of it is
  ///   closed already, a withdrawn file still counts, the reports folder has no edition
  ///   or is that of another database, the newest run is not a night that later nights build on,
  ///   or its reports are not published; with `configuration` if no night is done yet; with
  ///   `unbalanced` if a month, a closed period or the liabilities do not add up; with `reports`
  ///   if the pack cannot be written. Nothing has changed then, unless the message says that the
  ///   period is closed.
  package func close(_ period: Period) throws -> Closed {
    let days = try period.days(in: database)
    let (closed, pack, name) = try database.inTransaction {
      let night = try night(endingAfter: days.last, of: period)
      try requireOpen(period, days)
      try ClosingPack.requireEditions(in: settings.reports)
      try requireOwnFolder()
      try requireEdition(night.folder)
      let pack = try ClosingPack(reports: settings.reports)
      let next = try database.run(SQLFile.periodNumber, [period.name]).records.first
      let closing = try pack.freeNumber(of: period.name, from: next?.count("closing") ?? 1)
      let recorded = try database.run(
        SQLFile.periodClose, [period.name, days.first, days.last, "\(closing)"])
      guard let row = recorded.records.first, let id = row["closing_id"],
        let person = row["prepared_by"], let at = row["prepared_at"]
      else { throw ReconciliationError(.totals, "The closing was not recorded.") }
      try database.run(SQLFile.periodScope, [id])
      try addAmounts(to: period)
      try database.run(SQLFile.restatedPublished)
      let head = try ClosingPack.Head(
        period: period.name, days: days, closing: closing,
        asOf: night.asOf, edition: night.folder, person: person, at: at, version: version,
        previous: PreviousClosing.of(period, in: database),
        overlapping: OverlappingClosing.all(in: database))
      let sum = try explainingSums(
        otherwise: """
          Nothing was closed. Run tieout recompute, which corrects what nights carried forward, and close \
          \(period.name) again. If that changes nothing, keep the log and the inbox, and report this message.
          """
      ) { try pack.write(head, from: database) }
      try database.run(SQLFile.periodPackChecksum, [id, sum])
      let closed = try Closed(
        days: days, folder: pack.path(of: head), asOf: night.asOf, person: person,
        previous: head.previous, overlapping: head.overlapping,
        totals: QueryTable(database.run(SQLFile.periodTotal)),
        open: QueryTable(database.run(SQLFile.periodFinding)), doubts: reasonsToDoubt(days, of: id))
      try lock.requireHeld()
      return (closed, pack, pack.name(of: head))
    }
    // If the program is killed here, `close`, `approve` or the next run gives the pack its name.
    try pack.show(
      name,
      otherwise: """
        \(period.name) is closed, but its pack does not have its name yet. Correct this; tieout approve \
        \(period.name) then shows the pack. Do not close the period again.
        """)
    return closed
  }

  /// Adds the amounts of the closing that was recorded, and checks all closings with it.
  private func addAmounts(to period: Period) throws {
    try database.runCheck(
      .periodAgreement,
      otherwise: """
        Nothing was closed. Run tieout recompute, which corrects this, and close \(period.name) again.
        """)
    try database.run(SQLFile.periodAmount)
    try database.runCheck(
      .periodBalance,
      otherwise: """
        Nothing was closed. Run tieout recompute, which corrects what nights carried forward, and close \
        \(period.name) again. If that changes nothing, that period was closed with wrong numbers: reopen it and the \
        periods that were closed after it, and close them again.
        """)
  }

  /// The newest night, if it is after the last day, later nights build on it, and it is published.
  private func night(
    endingAfter last: String, of period: Period
  ) throws -> (asOf: String, folder: String) {
    guard let row = try database.run(SQLFile.periodNight, [last]).records.first,
      let asOf = row["as_of"], let folder = row["folder"]
    else {
      throw ReconciliationError(.configuration, RunRecord.wordsBeforeFirstNight(in: database))
    }
    guard row.flag("is_after_period") else {
      throw ReconciliationError(
        .unknown,
        """
        \(period.name) ends on \(last), and the newest night is as of \(asOf), whose day is \(row.text("day")) in \
        \(row.text("time_zone")). Close it after a night of a later day.
        """)
    }
    try requireJudged(row)
    guard row.flag("is_published") else {
      throw ReconciliationError(
        .unknown,
        """
        The newest night, as of \(asOf), has not recorded that its reports are published. Run tieout run first: it \
        publishes them.
        """)
    }
    try requireNothingWithdrawn()
    return (asOf, folder)
  }

  /// Throws if another database has published the newest edition in the reports folder.
  private func requireOwnFolder() throws {
    guard try FolderDoubt.check(settings.reports, in: database)?.kind == .isOfOtherDatabase else {
      return
    }
    throw ReconciliationError(
      .unknown,
      """
      The newest edition in \(settings.reports) was not published from this database, so nothing was closed. Set \
      --reports to the folder of its nights. If this database was built again or restored from a backup, start tieout \
      run first.
      """)
  }

  /// Throws if the reports folder lacks the edition whose numbers the pack would have.
  private func requireEdition(_ name: String) throws {
    let folder = try? OpenFolder(settings.reports)
    guard folder?.status(of: name)?.kind != .folder else { return }
    throw ReconciliationError(
      .unknown,
      """
      The reports folder \(settings.reports) has no edition \(name), whose numbers the period would have, so nothing \
      was closed. Set --reports to the folder of the nights, put its newest copy in its place, or start tieout run first.
      """)
  }

  /// Throws if a run of a past day has loaded new files, and no night has judged them since.
  ///
  /// - Parameter night: The row of `period_night.sql`.
  func requireJudged(_ night: Row) throws {
    guard !night.flag("is_judged") else { return }
    throw ReconciliationError(
      .unknown,
      "A run of a past day has loaded new files, and no night has judged them since. Run tieout run first."
    )
  }

  /// Throws if the tables still contain records of a withdrawn file, whose amounts nobody should
  /// sign.
  func requireNothingWithdrawn() throws {
    guard let files = try StillCountedFiles(in: database) else { return }
    throw ReconciliationError(
      .unknown, "\(files.words), so the amounts are wrong. Run tieout rebuild first.")
  }

  /// What makes the amounts of a closing incomplete or doubtful, one sentence each.
  func reasonsToDoubt(
    _ days: (first: String, last: String), of closing: String
  ) throws -> [String] {
    try database.run(SQLFile.periodDoubt, [days.first, days.last, closing]).records
      .map { $0.text("words") }
  }

  private func requireOpen(_ period: Period, _ days: (first: String, last: String)) throws {
    let closed = try database.run(SQLFile.periodOverlap, [days.first, days.last]).records
    guard let row = closed.first, let name = row["period"] else { return }
    // If the connection broke during the commit, or the program was killed after it, the pack does
    // not have its name yet.
    if name == period.name, let pack = try ClosingPack(existingIn: settings.reports),
      try pack.showHidden(closing(of: period))
    {
      throw ReconciliationError(
        .unknown,
        "\(name) is closed already. Its folder was still hidden and is shown now; tieout periods lists it."
      )
    }
    let names = closed.map { $0.text("period") }.joined(separator: ", ")
    throw ReconciliationError(
      .unknown,
      name == period.name
        ? """
        \(period.name) is closed already. If its amounts are wrong, reopen it and close it again: \
        tieout reopen-period \(period.name) --because TEXT
        """
        : """
        \(Self.words(ofClosedDays: row, of: period)) closed already, in \(names), and each day is in \
        one closed period. \(Self.words(ofOpenDays: row))
        """)
  }

  /// How many of the days of a period are closed, as the subject of a sentence with its verb.
  private static func words(ofClosedDays row: Row, of period: Period) -> String {
    let (closed, all) = (row.text("closed_days"), row.text("days"))
    guard closed != all else { return "All days of \(period.name) are" }
    return "\(closed) of the \(all) days of \(period.name) \(closed == "1" ? "is" : "are")"
  }

  /// Which days of a period are not closed, and how to close them.
  private static func words(ofOpenDays row: Row) -> String {
    guard let days = row["open_days"], let commands = row["commands"] else {
      return "tieout periods lists the closed periods."
    }
    return "Not closed: \(days). To close the rest: \(commands)"
  }

  /// Shows the state of the month in the calendar.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`; the next night then does it.
  package func showState() throws {
    do {
      try CalendarPage.bringUpToDate(in: URL(filePath: settings.reports).path, database)
    } catch let error as PostgreSQLError {
      throw error
    } catch {
      throw ReconciliationError(
        .reports,
        """
        The command is done, but the calendar (index.html) shows the state of the period only after the next night: \
        \(error)
        """)
    }
  }
}
