import FileSystem
import Foundation
import Glibc
import PostgreSQL
import ReconciliationSQL
import Runs

/// The file from which Prometheus reads the numbers of a run.
///
/// It is written under another name and then renamed, so that no collector reads half of a file. A
/// device, a pipe or a link is refused, because the new file would replace it.
package struct MetricsFile {
  private let path: String
  private let reports: String
  private let started: Date

  /// Records when a run begins.
  ///
  /// - Parameter reports: The reports folder.
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
  ///   - runID: The number of the run; nil if it is not known. Then the newest run since the start
  ///     is taken, by the clocks of this machine and of the server.
  /// - Returns: A warning for each thing that keeps numbers out of the file.
  /// - Throws: ``ReconciliationError`` with `reports` if the file cannot be written.
  @discardableResult
  package func write(
    outcome: String, exitStatus: Int, from database: String?, runID: String? = nil
  ) throws -> [String] {
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
      // The clock of the machine may have been set back in the meantime.
      Self.seconds(max(0, end.timeIntervalSince(started))))
    var warnings: [String] = []
    let list = editions(&warnings)
    if let head = list?.head {
      metrics.add(
        "tieout_publication_head",
        "Number of the newest publication in the reports folder; the label manifest is the head of its chain of manifests: the SHA-256 of the newest manifest.",
        [([("edition", head.edition.folder), ("manifest", head.sha256)], Double(head.publication))])
    }
    if let database, let connection = try? Connection(database, applicationName: "tieout metrics") {
      do {
        try connection.reading {
          try Self.add(to: &metrics, from: connection, run: runID ?? newestRun(in: connection))
        }
      } catch {
        warnings.append("metrics_file: \(path) lacks numbers, because a query failed: \(error)")
      }
    }
    try replace(with: metrics.text)
    return warnings
  }

  /// The list of the reports folder; nil if there is no folder or the list cannot be read.
  private func editions(_ warnings: inout [String]) -> EditionList? {
    do {
      let list = try EditionList(in: OpenFolder(reports))
      if let line = list.damaged.first {
        warnings.append(
          """
          metrics_file: tieout_publication_head may be too old, because \(reports)/\(EditionList.fileName):\(line) is \
          not a line that the program writes. Run: tieout verify \(reports)
          """)
      }
      return list
    } catch {
      if !error.isNotThere {
        warnings.append("metrics_file: \(path) lacks tieout_publication_head: \(error)")
      }
      return nil
    }
  }

  /// The newest run since `started`; a run that could not be recorded has no row.
  private func newestRun(in database: Connection) throws -> String? {
    let since = started.ISO8601Format(.init(includingFractionalSeconds: true))
    return try database.run(SQLFile.metricsRun, [since]).records.first?["run_id"]
  }

  /// Adds the numbers from the database.
  private static func add(
    to metrics: inout MetricsText, from database: Connection, run: String?
  ) throws {
    func samples(_ rows: Rows, _ labels: [String], _ number: String) -> [MetricsText.Sample] {
      rows.records.compactMap { row in
        row[number].flatMap { Double($0) }.map { number in
          (labels.map { ($0, row[$0] ?? "") }, number)
        }
      }
    }
    if let run {
      let steps = try database.run(SQLFile.metricsStep, [run])
      metrics.add(
        "tieout_run_step_duration_seconds", "How long each step of the last run took.",
        samples(steps, ["step"], "seconds"))
      metrics.add(
        "tieout_run_step_rows", "Rows that each step of the last run read or wrote.",
        samples(steps, ["step"], "row_count"))
      metrics.add(
        "tieout_run_step_bytes", "Bytes that each step of the last run read or wrote.",
        samples(steps, ["step"], "byte_count"))
      metrics.add(
        "tieout_run_records", "Records of the last run, by kind and result.",
        samples(try database.run(SQLFile.metricsRecord, [run]), ["kind", "result"], "records"))
    }
    metrics.add(
      "tieout_findings", "Findings that are not resolved, by rule, level and status.",
      samples(
        try database.run(SQLFile.metricsFinding), ["rule", "level", "status"], "findings"))
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
        samples(try database.run(SQLFile.metricsCompared, [section]), ["measure"], "value"))
    }
    metrics.add(
      "tieout_feed_newest_record_age_seconds",
      "Age of the newest record of each feed, at the as-of of the last night.",
      samples(try database.run(SQLFile.metricsFeed), ["feed"], "seconds"))
    try addAges(to: &metrics, from: database)
  }

  private static func addAges(to metrics: inout MetricsText, from database: Connection) throws {
    guard let night = try database.run(SQLFile.metricsNight).records.first else { return }
    func number(_ column: String) -> Double? { night[column].flatMap { Double($0) } }
    metrics.add(
      "tieout_oldest_open_error_age_seconds",
      "Age of the oldest open error that is not acknowledged: from the as-of of the first night that found it to the as-of of the last night; 0: none.",
      number("oldest_error_seconds") ?? 0)
    metrics.add(
      "tieout_last_night_as_of_timestamp_seconds", "As-of of the last night that was done.",
      number("as_of"))
    metrics.add(
      "tieout_last_night_done_timestamp_seconds", "When the last night that was done ended.",
      number("finished_at").map(seconds))
  }

  private static func seconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private func replace(with text: String) throws {
    let file = URL(filePath: path)
    do {
      let folder = try OpenFolder(file.deletingLastPathComponent().path)
      if let kind = folder.status(of: file.lastPathComponent)?.kind, kind != .file {
        let words = kind == .link ? "it is a symbolic link" : "it is not a regular file"
        throw FileSystemError(path, "written", code: EINVAL, words: words)
      }
      folder.removeRemains()
      // The collector runs as another user.
      try folder.write([UInt8](text.utf8), as: file.lastPathComponent, mode: 0o644)
    } catch {
      let advice = adviceOnWriting(
        (error as? FileSystemError)?.code ?? 0, elsewhere: "name another file",
        otherwise: "Name a regular file or a new one, in a folder where this user may write.")
      throw ReconciliationError(
        .reports,
        """
        metrics_file: \(path) cannot be written: \(FileSystemError.words(of: error)). The run does not depend on \
        it. \(advice)
        """)
    }
  }
}
