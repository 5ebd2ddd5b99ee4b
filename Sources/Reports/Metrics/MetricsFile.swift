import FileSystem
import Foundation
import PostgreSQL
import Runs

/// The file from which Prometheus reads the numbers of a run.
///
/// It is written under another name and then renamed, so that no collector reads half of a file.
package struct MetricsFile {
  private let path: String
  private let reports: String
  private let started: Date

  /// Records when a run begins.
  ///
  /// - Parameter reports: The folder of all days.
  package init(path: String, reports: String) {
    self.path = path
    self.reports = reports
    started = .now
  }

  /// Writes the known numbers of the run that ended.
  ///
  /// - Parameters:
  ///   - database: The database; nil if it cannot be reached. Then only the run's own numbers are
  ///     written.
  ///   - outcome: done, rejected, failed or stopped.
  ///   - exitStatus: The exit status of the program.
  ///   - runID: The number of the run; nil if it is not known. Then the newest run since the start is
  ///     taken, by the clocks of this machine and of the server.
  /// - Throws: ``ReconciliationError`` with `reports` if the file cannot be written.
  package func write(
    outcome: String, exitStatus: Int, from database: String?, runID: String? = nil
  ) throws {
    var metrics = MetricsText()
    let end = Date.now
    metrics.add(
      "tieout_run_outcome", "The outcome of the last run: 1 for this outcome, 0 for the others.",
      ["done", "rejected", "failed", "stopped"].map {
        ([("outcome", $0)], $0 == outcome ? 1 : 0)
      })
    metrics.add("tieout_run_exit_status", "Exit status of the last run.", Double(exitStatus))
    metrics.add(
      "tieout_run_start_timestamp_seconds", "When the last run was started.",
      Self.seconds(started.timeIntervalSince1970))
    metrics.add(
      "tieout_run_end_timestamp_seconds", "When the last run ended.",
      Self.seconds(end.timeIntervalSince1970))
    metrics.add(
      "tieout_run_duration_seconds", "How long the last run took.",
      Self.seconds(end.timeIntervalSince(started)))
    if let head = try? EditionList(in: OpenFolder(reports)).head {
      metrics.add(
        "tieout_publication_head",
        "Number of the newest publication in the reports folder; the label manifest is the head of its chain of manifests: the SHA-256 of the newest manifest.",
        [([("edition", head.edition.folder), ("manifest", head.sha256)], Double(head.publication))])
    }
    if let database, let connection = try? Connection(database, applicationName: "tieout metrics") {
      try? Self.add(to: &metrics, from: connection, run: runID ?? newestRun(in: connection))
    }
    try replace(with: metrics.text)
  }

  /// The newest run since `started`; a run that could not be recorded has no row.
  private func newestRun(in database: Connection) throws -> String? {
    try database.run(
      """
      select max(run_id) from tieout.run
      where started_at >= to_timestamp($1::double precision) - interval '1 second'
      """,
      ["\(started.timeIntervalSince1970)"], step: "metrics"
    ).first
  }

  /// Adds the numbers from the database.
  private static func add(
    to metrics: inout MetricsText, from database: Connection, run: String?
  ) throws {
    func samples(_ sql: String, _ labels: [String], _ parameters: [String?] = []) throws
      -> [MetricsText.Sample]
    {
      try database.run(sql, parameters, step: "metrics").values.compactMap { row in
        guard row.count == labels.count + 1, let number = row[labels.count].flatMap({ Double($0) })
        else { return nil }
        return (labels.indices.map { (labels[$0], row[$0] ?? "") }, number)
      }
    }
    if let run {
      metrics.add(
        "tieout_run_step_duration_seconds", "How long each step of the last run took.",
        try samples(
          """
          select step, round(sum(milliseconds) / 1000.0, 3) from tieout.run_step
          where run_id = $1::bigint group by step order by min(step_number)
          """, ["step"], [run]))
      metrics.add(
        "tieout_run_step_rows", "Rows that each step of the last run read or wrote.",
        try samples(
          """
          select step, sum(row_count) from tieout.run_step
          where run_id = $1::bigint and row_count is not null group by step order by min(step_number)
          """, ["step"], [run]))
      metrics.add(
        "tieout_run_step_bytes", "Bytes that each step of the last run read or wrote.",
        try samples(
          """
          select step, sum(byte_count) from tieout.run_step
          where run_id = $1::bigint and byte_count is not null group by step order by min(step_number)
          """, ["step"], [run]))
      metrics.add(
        "tieout_run_records", "Records of the last run, by kind and result.",
        try samples(
          """
          select section, measure, value from tieout.run_count
          where
              run_id = $1::bigint and measure in ('read', 'new', 'already_known', 'rejected')
          order by section, measure
          """, ["kind", "result"], [run]))
    }
    metrics.add(
      "tieout_findings", "Findings that are not resolved, by rule, level and status.",
      try samples(
        """
        select rule, level, status, count(*) from tieout.finding
        where status <> 'resolved' group by rule, level, status order by rule, level, status
        """, ["rule", "level", "status"]))
    for (name, section, help) in [
      (
        "tieout_obligations", "obligation",
        "Deliveries of the last night that was done: due = delivered + missing + uncertain; the others were not compared."
      ),
      ("tieout_units", "units", "Units in revenue.csv of the last night that have no amount."),
      (
        "tieout_unread", "unread",
        "Files that could not be read, and records of the day of the last night that could not be used."
      ),
    ] {
      metrics.add(
        name, help,
        try samples(
          """
          select measure, value from tieout.run_count
          where
              section = $1
              and run_id = (
                  select max(run_id) from tieout.run where outcome = 'done' and not is_of_past_day
              )
          order by measure
          """, ["measure"], [section]))
    }
    metrics.add(
      "tieout_feed_newest_record_age_seconds",
      "Age of the newest record of each feed, at the as-of of the last night.",
      try samples(newestRecords, ["feed"]))
    try addAges(to: &metrics, from: database)
  }

  private static let newestRecords = """
    select newest.feed, extract(epoch from night.as_of - newest.at)
    from tieout.night
    cross join lateral (
        select feed_day.feed, max(least(feed_day.last_at, night.as_of)) as at
        from tieout.feed_day
        where
            feed_day.first_at <= night.as_of
            and (
                feed_day.feed = 'receipts' and feed_day.environment = any(night.environments)
                or feed_day.feed = any(night.catalogue_addresses)
            )
        group by feed_day.feed
        union all
        select 'deliveries', (
            select hour + seconds[cardinality(seconds)] * interval '1 second'
            from tieout.carried_log_hour
            order by hour desc
            limit 1
        )
        union all
        select 'client', greatest(
            (select max(occurred_at) from tieout.client_transaction where occurred_at <= night.as_of),
            (select max(reported_at) from tieout.client_invalid_product
             where reported_at <= night.as_of)
        )
    ) as newest
    where newest.at is not null
    order by newest.feed
    """

  private static func addAges(to metrics: inout MetricsText, from database: Connection) throws {
    let row =
      try database.run(
        """
        select
            (
                select extract(epoch from newest.as_of) - extract(epoch from first.as_of)
                from tieout.finding
                inner join tieout.run as first on finding.first_run_id = first.run_id
                where finding.level = 'error' and finding.status in ('open', 'reopened')
                order by first.as_of
                limit 1
            ),
            extract(epoch from newest.as_of),
            extract(epoch from newest.finished_at)
        from tieout.run as newest
        where newest.outcome = 'done' and not newest.is_of_past_day
        order by newest.run_id desc
        limit 1
        """, step: "metrics"
      ).values.first ?? []
    guard row.count == 3 else { return }
    metrics.add(
      "tieout_oldest_open_error_age_seconds",
      "Age of the oldest open error that is not acknowledged: from the as-of of the first night that found it to the as-of of the last night; 0: none.",
      row[0].flatMap { Double($0) } ?? 0)
    metrics.add(
      "tieout_last_night_as_of_timestamp_seconds", "As-of of the last night that was done.",
      row[1].flatMap { Double($0) })
    metrics.add(
      "tieout_last_night_done_timestamp_seconds", "When the last night that was done ended.",
      row[2].flatMap { Double($0) }.map(seconds))
  }

  private static func seconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private func replace(with text: String) throws {
    let file = URL(filePath: path)
    do {
      let folder = try OpenFolder(file.deletingLastPathComponent().path)
      folder.removeRemains()
      // The collector runs as another user.
      try folder.write([UInt8](text.utf8), as: file.lastPathComponent, mode: 0o644)
    } catch {
      throw ReconciliationError(
        .reports, "metrics_file: \(path) cannot be written: \(FileSystemError.words(of: error)).")
    }
  }
}
