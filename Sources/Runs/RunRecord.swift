package import Configuration
import Foundation
package import PostgreSQL
import ReconciliationSQL
import Waiting

/// The row that the database keeps for each run.
package struct RunRecord {
  /// The number of the run.
  package let runID: String
  /// The as-of, as RFC 3339 in UTC.
  package let asOf: String
  /// The as-of day, YYYY-MM-DD, in the configured time zone.
  package let day: String
  /// Whether as-of is before that of the newest night.
  package let isOfPastDay: Bool

  /// Records the beginning of a run.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` for a time zone that the server does
  ///   not know, with `unknown` or `configuration` for an as-of whose day reports cannot show;
  ///   `PostgreSQLError`.
  package static func begin(
    _ settings: Settings, version: String, in database: Connection
  ) throws -> RunRecord {
    let recorded = try settings.recorded
    let asOf = try asOf(of: settings, in: database)
    let begun = try database.run(
      SQLFile.runBegin,
      [
        asOf.instant, asOf.day, "\(asOf.isOfPastDay)", version, Host.userName, Host.name,
        // The full path: the next run may start in another folder and must find the reports.
        URL(filePath: settings.reports).path, recorded,
      ])
    guard let runID = begun.records.first?["run_id"] else {
      throw ReconciliationError(.totals, "The run was not recorded.")
    }
    return RunRecord(
      runID: runID, asOf: asOf.instant, day: asOf.day, isOfPastDay: asOf.isOfPastDay)
  }

  /// The as-of of a run that begins, with its day.
  private static func asOf(
    of settings: Settings, in database: Connection
  ) throws -> (instant: String, day: String, isOfPastDay: Bool) {
    let rows: Rows
    do { rows = try database.run(SQLFile.runAsOf, [settings.asOf, settings.timeZone]) } catch {
      guard error.sqlState == "22023" else { throw error }
      throw ReconciliationError(
        .configuration,
        """
        time_zone: the database server does not know the time zone \(settings.timeZone). Give a name that it \
        knows, such as UTC or Europe/Berlin.
        """)
    }
    guard let row = rows.records.first, let instant = row["as_of"], let day = row["as_of_on"]
    else {
      throw ReconciliationError(
        settings.onCommandLine.contains("as_of") ? .unknown : .configuration,
        """
        as_of: in the time zone \(settings.timeZone) the day of \(settings.asOf ?? "now") is before the year 2 or \
        after the year 9998. Reports cannot show such a day. Give another instant.
        """)
    }
    return (instant, day, row.flag("is_of_past_day"))
  }

  /// The as-of of the newest night that is done.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if there is none.
  package static func newestAsOf(in database: Connection) throws -> String {
    let newest = try database.run(SQLFile.runNewestNight)
    guard let asOf = newest.records.first?["as_of"] else {
      throw ReconciliationError(.configuration, wordsBeforeFirstNight(in: database))
    }
    return asOf
  }

  /// Says that no night was done yet, and which database was asked: often it is another one than
  /// that of the nights.
  package static func wordsBeforeFirstNight(in database: Connection) -> String {
    """
    No night was done yet in \(database.place). Start with tieout run, or give the settings of the nights with --config.
    """
  }

  /// A warning that settings have changed since the last run; nil if none has.
  ///
  /// It is about the settings that decide which records are read. Rejected records are read again
  /// after such a change, but records that were loaded before still count. So the ledger can differ
  /// from one that is built with the present settings.
  package static func wordsOfChangedReading(in database: Connection) throws -> String? {
    let changed = try database.run(SQLFile.runChangedSetting)
    guard let row = changed.records.first, let names = row["names"], let last = row["earlier_run"]
    else { return nil }
    return """
      \(names) \(row["settings"] == "1" ? "has" : "have") changed since run \(last): what was loaded before still \
      counts. To read all files with the new settings: tieout rebuild.
      """
  }

  /// A warning about a night whose as-of is in the future; nil if there is none.
  ///
  /// Such a night is probably a mistake, and the warning says how to correct it. Until its as-of,
  /// every other night is earlier than it, so no finding changes.
  ///
  /// - Parameter isKnown: Whether that as-of was in the future when this run began, even if it has
  ///   passed now.
  package static func wordsOfLaterNight(
    in database: Connection, isKnown: Bool
  ) throws -> String? {
    let newest = try database.run(SQLFile.runNewestNight)
    guard let row = newest.records.first, let runID = row["run_id"], let asOf = row["as_of"],
      isKnown || row.flag("is_in_future")
    else { return nil }
    return """
      Run \(runID) has the as-of \(asOf), which is in the future. Until that instant every other run is one of a \
      past day: it changes neither findings nor the link latest. If that was a mistake: tieout run \
      --ignore-future-nights.
      """
  }

  /// Makes the nights whose as-of is in the future, also failed ones, runs of a past day.
  ///
  /// - Returns: a sentence about each of them that was done.
  package static func ignoreFutureNights(in database: Connection) throws -> [String] {
    try database.run(SQLFile.runIgnoreFuture).records.map { row in
      """
      Run \(row.text("run_id")) as of \(row.text("as_of")), which is in the future, counts as a run of a past day \
      from now on.
      """
    }
  }

  /// Stores numbers that a run counted, each with section and measure, for the control totals.
  package static func keepCounts(
    _ counts: [(String, String, Int64)], of runID: String, in database: Connection
  ) throws(PostgreSQLError) {
    try database.run(
      SQLFile.runCount,
      [
        runID, PostgreSQLArray.text(counts.map { $0.0 }), PostgreSQLArray.text(counts.map { $0.1 }),
        PostgreSQLArray.text(counts.map { "\($0.2)" }),
      ])
  }

  /// Marks the run as done, inside the night's transaction.
  ///
  /// - Throws: ``ReconciliationError`` with `locked` if another run has marked this run as killed.
  ///   Then the connection that held the lock is gone, and the staged rows may belong to the other
  ///   run.
  package func markDone(in database: Connection) throws {
    let ended = try database.run(SQLFile.runEnd, [runID, "done"])
    guard ended.affected == 1 else {
      throw ReconciliationError(
        .locked,
        """
        The connection that held the lock was lost, and another run has started. This run \
        saved nothing. Run again when the other run has finished.
        """)
    }
  }

  /// How a run that has this error ended, as `run.outcome` names it.
  ///
  /// If the process was told to stop, an SQL statement that was cancelled is a consequence.
  package static func outcome(of error: any Error) -> String {
    switch (error as? ReconciliationError)?.code {
    case .stopped: "stopped"
    case .tooMuchRejected: "rejected"
    default: error is PostgreSQLError && StopRequest.ofProcess.isMade ? "stopped" : "failed"
    }
  }

  /// Records how a failed run ended, and its steps, on a separate connection.
  ///
  /// The run's own connection may be broken, and its transaction has discarded the steps. If the
  /// server is gone, nothing is recorded. Then the next run finds the row and marks it as killed.
  ///
  /// - Returns: that connection.
  /// - Throws: ``PostgreSQLError`` if the end or the steps could not be recorded.
  package func end(
    after error: any Error, having steps: Steps, in database: String
  ) throws -> Connection {
    let connection = try Connection(database, applicationName: "tieout run")
    try recordEnd(after: error, having: steps, connection)
    return connection
  }

  private func recordEnd(after error: any Error, having steps: Steps, _ connection: Connection)
    throws
  {
    let ended = try connection.alone(SQLFile.runEnd, [runID, Self.outcome(of: error)])
    guard ended.affected == 1 else { return }
    try connection.inTransaction("begin", endingWith: .end) {
      try steps.keepAll(in: connection, runID: runID)
    }
  }

  /// A new connection, if the server has committed the night although its answer was lost.
  ///
  /// The server may still be committing. The update that records the run's end waits for the
  /// commit, and changes nothing if the night is done.
  package func foundDone(after error: any Error, having steps: Steps, in database: String)
    -> Connection?
  {
    guard let connection = try? Connection(database, applicationName: "tieout run") else {
      return nil
    }
    try? recordEnd(after: error, having: steps, connection)
    guard let rows = try? connection.run(SQLFile.runOutcome, [runID]),
      rows.records.first?["outcome"] == "done"
    else { return nil }
    return connection
  }

  /// Records that the run's reports are published, and in which edition.
  package func markPublished(in edition: Edition, _ database: Connection) throws {
    try database.run(SQLFile.runPublished, [runID, "\(edition.number)"])
  }
}
