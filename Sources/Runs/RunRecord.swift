package import Configuration
import Foundation
package import PostgreSQL

/// The row that the database keeps for each run.
package struct RunRecord {
  package let runID: String
  package let asOf: String
  package let day: String
  package let isOfPastDay: Bool
  /// Whether the run judges everything, even if it could use the carried relations.
  package var judgesEverything = false
  /// Whether the rules judge every chain, also those that match.
  package var judgesInFull = false

  /// Describes a run that is recorded already.
  package init(runID: String, asOf: String, day: String, isOfPastDay: Bool) {
    self.runID = runID
    self.asOf = asOf
    self.day = day
    self.isOfPastDay = isOfPastDay
  }

  /// Records the beginning of a run.
  package static func begin(
    _ settings: Settings, version: String, in database: Connection
  ) throws -> RunRecord {
    let recorded = try settings.recorded
    let rows: Rows
    do { rows = try insert(settings, recorded, version: version, in: database) } catch {
      guard error.sqlState == "22023" else { throw error }
      throw ReconciliationError(
        .configuration,
        """
        time_zone: the database server does not know the time zone \(settings.timeZone). Give a name that it \
        knows, such as UTC or Europe/Berlin.
        """)
    }
    guard !rows.values.isEmpty else {
      throw ReconciliationError(
        .configuration,
        """
        as_of: in the time zone \(settings.timeZone) the day of \(settings.asOf ?? "now") is before the year 2 or \
        after the year 9998. Reports cannot show such a day. Give another instant.
        """)
    }
    guard
      let row = rows.values.first, row.count == 4,
      let runID = row[0], let asOf = row[1], let day = row[2]
    else { throw ReconciliationError(.totals, "The run was not recorded.") }
    return RunRecord(runID: runID, asOf: asOf, day: day, isOfPastDay: row[3] == "t")
  }

  private static func insert(
    _ settings: Settings, _ recorded: String, version: String, in database: Connection
  ) throws(PostgreSQLError) -> Rows {
    // Instants are cut to whole seconds, like all instants that they are compared with.
    try database.run(
      """
      with given as (
          select
              date_trunc('second', coalesce($1::timestamptz, clock_timestamp())) as as_of
      )
      insert into tieout.run (
          as_of, as_of_on, is_of_past_day, program_version, started_by, started_on_host, process_id,
          reports_folder, settings
      )
      select
          given.as_of,
          (given.as_of at time zone $2)::date,
          given.as_of < (
              select max(as_of) from tieout.run where outcome = 'done' and not is_of_past_day
          ) is true,
          $3, $4, $5, $6::integer, $7, $8::jsonb
      from given
      -- Reports also show the days and months around this day, and a year has four digits.
      where (given.as_of at time zone $2)::date between date '0002-01-01' and date '9998-12-31'
      returning run_id, to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          to_char(as_of_on::timestamp, 'YYYY-MM-DD'), is_of_past_day
      """,
      [
        settings.asOf, settings.timeZone, version, Host.userName, Host.name, "\(Host.processID)",
        // The full path: the next run may start in another folder and must find the reports.
        URL(filePath: settings.reports).path, recorded,
      ], step: "begin run")
  }

  /// The as-of of the newest night that is done.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if there is none.
  package static func newestAsOf(in database: Connection) throws -> String {
    let newest = try database.run(
      """
      select to_char(max(as_of) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      from tieout.run
      where outcome = 'done' and not is_of_past_day
      """, step: "newest night")
    guard let asOf = newest.first else {
      throw ReconciliationError(
        .configuration,
        "No run has finished yet, so there is nothing to judge again. Start with: tieout run.")
    }
    return asOf
  }

  /// A warning about settings that decide which records are read and have changed since the last run;
  /// nil if none has changed.
  ///
  /// Rejected records are read again after such a change, and records that were loaded before still
  /// count. So the ledger can differ from one that is built with the settings of now.
  package static func wordsOfChangedReading(in database: Connection) throws -> String? {
    let changed = try database.run(
      """
      select string_agg(setting.name, ', ' order by setting.name), count(*), max(earlier.run_id)
      from night
      inner join run using (run_id)
      inner join run as earlier on earlier.run_id = (
          select max(done.run_id) from run as done where done.outcome = 'done' and done.run_id < run.run_id
      )
      cross join unnest(array[
          'bundle_ids', 'delivery_columns', 'document_limit', 'receipt_columns', 'trusted_roots'
      ]) as setting (name)
      where earlier.settings -> setting.name is distinct from run.settings -> setting.name
      """, step: "changed settings")
    guard let row = changed.values.first, let names = row[0], let last = row[2] else { return nil }
    return """
      \(names) \(row[1] == "1" ? "has" : "have") changed since run \(last): what was loaded before still \
      counts. To read all files with the new settings: tieout rebuild.
      """
  }

  /// A warning about a night whose as-of is in the future, with a way to correct it.
  ///
  /// Such a night is probably a mistake. Until its as-of, every other night is earlier than it, so
  /// no finding changes.
  package static func wordsOfLaterNight(in database: Connection) throws -> String {
    let latest = try database.run(
      """
      select run_id, csv_instant(as_of) from run where outcome = 'done' and not is_of_past_day
      order by as_of desc, run_id desc limit 1
      """, step: "later night")
    let row = latest.values.first?.compactMap { $0 } ?? []
    guard row.count == 2 else { return "" }
    return """
      Run \(row[0]) was as of \(row[1]), which is yet to come: until then findings and latest stay as it \
      left them. If that was a mistake: tieout psql -- -c 'update run set is_of_past_day = true where run_id \
      = \(row[0])', and run again.
      """
  }

  /// Marks the run as done, inside the night's transaction.
  ///
  /// - Throws: ``ReconciliationError`` with `locked` if another run has marked this run as killed.
  ///   Then the connection that held the lock is gone, and the staged rows may belong to the other
  ///   run.
  package func markDone(in database: Connection) throws {
    let ended = try database.run(
      """
      update tieout.run set outcome = 'done', finished_at = clock_timestamp()
      where run_id = $1::bigint and outcome = 'running'
      """, [runID], step: "end run")
    guard ended.affected == 1 else {
      throw ReconciliationError(
        .locked,
        """
        The connection that held the lock was lost, and another run has started. This run \
        saved nothing. Run again when the other run has finished.
        """)
    }
  }

  /// Records how a failed run ended, and its steps, on a separate connection.
  ///
  /// The run's own connection may be broken, and its transaction has discarded the steps. If the
  /// server is gone, nothing is recorded. Then the next run finds the row and marks it as killed.
  ///
  /// - Returns: that connection.
  package func end(after error: any Error, having steps: Steps, in database: String) -> Connection?
  {
    let outcome =
      switch (error as? ReconciliationError)?.code {
      case .stopped: "stopped"
      case .tooMuchRejected: "rejected"
      default: "failed"
      }
    guard let connection = try? Connection(database, applicationName: "tieout run") else {
      return nil
    }
    let ended = try? connection.alone(
      """
      update tieout.run set outcome = $2, finished_at = clock_timestamp()
      where run_id = $1::bigint and outcome = 'running'
      """, [runID, outcome], step: "end run")
    if ended?.affected == 1 { try? steps.keepAll(in: connection, runID: runID) }
    return connection
  }

  /// A connection, if the server has committed the night although its answer was lost.
  ///
  /// The server may still be committing. The update that records the run's end waits for the
  /// commit, and changes nothing if the night is done.
  package func foundDone(after error: any Error, having steps: Steps, in database: String)
    -> Connection?
  {
    guard let connection = end(after: error, having: steps, in: database),
      let rows = try? connection.run(
        "select outcome from tieout.run where run_id = $1::bigint", [runID], step: "end run"),
      rows.first == "done"
    else { return nil }
    return connection
  }

  /// Records that readers find the run's reports, and in which edition.
  package func markShown(in edition: Edition, _ database: Connection) throws {
    try database.run(
      "update tieout.run set is_published = true, edition = $2::integer where run_id = $1::bigint",
      [runID, "\(edition.number)"], step: "publish")
  }
}

extension Settings {
  /// The settings that change what a night reads and finds, as JSON; nothing secret is among them.
  package var recorded: String {
    get throws {
      let data = try JSONSerialization.data(
        withJSONObject: recordedValues, options: [.sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  private var recordedValues: [String: Any] {
    var values: [String: Any] = [
      "environments": environments, "bundle_ids": bundleIDs, "time_zone": timeZone,
      "grace_hours": graceHours, "restores_allowed": restoresAllowed,
      "restore_window": restoreWindowDays, "accounts_allowed": accountsAllowed,
      "delivery_columns": deliveryColumns, "receipt_columns": receiptColumns,
      "document_limit": documentLimitBytes, "inbox": inbox,
      "trust": trust.rawValue, "trusted_roots": trustedRoots, "keep_closed_days": keepClosedDays,
      "rejections_kept": rejectionsKept, "stale_after": staleAfterHours,
      "materiality": materiality,
      "catalogue_addresses": catalogueAddresses.map { ShownAddress.of($0) },
      "single_signer": singleSigner,
    ]
    values["books_begin"] = booksBegin
    values["revenue_since"] = revenueSince
    values["assume_storefront"] = assumeStorefront
    return values
  }
}
