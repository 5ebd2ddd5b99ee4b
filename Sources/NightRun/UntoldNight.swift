import Page
import PostgreSQL
import ReconciliationSQL
import Runs

/// A night whose run was killed after its commit, so that nobody saw its exit status.
///
/// The run that publishes its reports has the exit status that both together deserve.
struct UntoldNight {
  /// The as-of day, such as `2026-11-20`.
  let day: String
  /// The number of the run.
  let runID: String
  /// The number of files that the run rejected.
  let rejectedFiles: Int
  /// The number of records that the run rejected.
  let rejectedRecords: Int
  /// The numbers of findings that the run opened or reopened and that nobody has acknowledged, by
  /// level.
  let new: [String: Int]

  /// Reads what the run found.
  ///
  /// - Throws: `PostgreSQLError`.
  init(_ day: String, of runID: String, in database: Connection) throws {
    self.day = day
    self.runID = runID
    let row = try database.run(SQLFile.recoverUntold, [runID]).records.first
    rejectedFiles = row?.count("rejected_files") ?? 0
    rejectedRecords = row?.count("rejected_records") ?? 0
    new = ["error": row?.count("new_errors") ?? 0, "warning": row?.count("new_warnings") ?? 0]
  }

  /// What a person has to know about it.
  var sentence: String {
    let errors = Amount.counted(new["error"] ?? 0, "new error")
    let warnings = Amount.counted(new["warning"] ?? 0, "new warning")
    let rejected = Amount.counted(files: rejectedFiles, records: rejectedRecords)
    return """
      The run of \(day) ended without an exit status and is reported with this one: it found \(errors) and \
      \(warnings), and rejected \(rejected).
      """
  }
}
