import Page
import PostgreSQL
import ReconciliationSQL
import Runs

/// An earlier run whose result no command has reported.
///
/// That run was killed after its commit, or could not publish its reports or print its summary. So
/// a later run also takes its new findings and rejections into account for its own exit status.
struct RecoveredNight {
  /// The as-of day, such as `2026-11-20`.
  let day: String
  /// The number of the run.
  let runID: String
  /// Whether the later run has published the reports.
  let isPublishedNow: Bool
  /// The number of files that the run rejected.
  let rejectedFiles: Int
  /// The number of records that the run rejected.
  let rejectedRecords: Int
  /// The numbers of findings that the run opened or reopened and that nobody has acknowledged, by
  /// level: errors and warnings.
  let new: [Level: Int]

  /// Reads the numbers of the run's rejections and new findings.
  ///
  /// - Throws: `PostgreSQLError`.
  init(_ day: String, of runID: String, isPublishedNow: Bool, in database: Connection) throws {
    self.day = day
    self.runID = runID
    self.isPublishedNow = isPublishedNow
    let row = try database.run(SQLFile.recoverResult, [runID]).records.first
    rejectedFiles = try row?.count("rejected_files") ?? 0
    rejectedRecords = try row?.count("rejected_records") ?? 0
    new = try [.error: row?.count("new_errors") ?? 0, .warning: row?.count("new_warnings") ?? 0]
  }

  /// The sentence about it in the summary.
  var sentence: String {
    let errors = Figure.counted(new[.error] ?? 0, "new errors")
    let warnings = Figure.counted(new[.warning] ?? 0, "new warnings")
    let rejected = Figure.counted(files: rejectedFiles, records: rejectedRecords)
    let whatHappened =
      isPublishedNow
      ? "did not publish its reports; this run has published them"
      : "published its reports but did not print its summary"
    return """
      An earlier run of \(day) \(whatHappened). The earlier run found \
      \(errors) and \(warnings), and rejected \(rejected).
      """
  }
}
