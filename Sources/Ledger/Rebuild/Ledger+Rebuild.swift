import Intake
import PostgreSQL
import ReconciliationSQL
package import Runs

extension Ledger {
  /// Empties the ledger and fills it from the staged rows of all files that count.
  ///
  /// The counts and rejections of earlier runs do not change, because night papers show them. A
  /// rebuild counts only the records that no earlier run has rejected. It rejects them because
  /// settings have changed.
  ///
  /// - Returns: the counts of what was read, as on a first night; and the number of records that
  ///   this rebuild is the first to reject.
  package func rebuild(
    from results: [Staging.Result], steps: Steps
  ) throws -> (counts: Counts, newlyRejected: Int64) {
    try steps.run(SQLFile.rebuildEmpty, in: database)
    try database.run(SQLFile.loadStart)
    try noteOpenLines(of: results)
    // Another version of the program may read the last lines without a line end differently.
    try database.run(SQLFile.rebuildOpenLine)
    try noteLeftOut(of: results)
    try noteReading(of: results)
    try steps.run(SQLFile.loadNumber, in: database)
    let counts = try count(new: results, all: results, steps: steps)
    for file in SQLFile.load where file != SQLFile.loadRejection {
      try run(file, steps: steps)
    }
    let rejected = try steps.run(SQLFile.rebuildClose, in: database)
    try database.run(SQLFile.loadRejection)
    // The known rejections were staged again, possibly with names of people. They are deleted, not
    // truncated: a server that is killed in a transaction that has truncated an unlogged table can
    // fail to start (``Postmaster``).
    try database.run("delete from staging_rejection", step: SQLFile.rebuildClose.name)
    let new = Self.countsOfRejections(rejected)
    try keep(new)
    return (counts, new.rejected)
  }

  /// The counts of a run that only rejects these records.
  private static func countsOfRejections(_ rejected: Rows) -> Counts {
    var counts = Counts()
    for row in rejected.records {
      guard let kind = row["kind"],
        let section = Section.allCases.first(where: { $0.rejectionKind == kind }),
        let count = row.bigint("records")
      else { continue }
      counts[section, .read] = count
      counts[section, .rejected] = count
    }
    return counts
  }

  /// Records for each file whether it was rejected, and whether a record of it was used.
  ///
  /// The next rebuild must find each file with a used record. A file that an earlier run could not
  /// read may be readable now.
  private func noteReading(of results: [Staging.Result]) throws {
    try database.run(
      SQLFile.rebuildRead,
      [
        PostgreSQLArray.text(results.map { "\($0.fileID)" }),
        PostgreSQLArray.text(results.map { "\($0.counts.fileRejected)" }),
        PostgreSQLArray.text(results.map { "\($0.counts.used > 0)" }),
      ])
  }
}
