import CopyFormat
import Inbox
import Intake
package import PostgreSQL
import ReconciliationSQL
package import Runs

/// Loads staged rows into the ledger, inside the run's one transaction.
package struct Ledger {
  let database: Connection
  /// The number of the run.
  package let runID: String

  /// Works on the ledger of this database, for a run.
  package init(database: Connection, runID: String) {
    self.database = database
    self.runID = runID
  }

  /// Registers tonight's files and drops the staged rows of those that were loaded before.
  ///
  /// - Returns: the results of the files that are new.
  package func register(_ results: [Staging.Result]) throws -> [Staging.Result] {
    try database.run(SQLFile.loadStart)
    try copyToTonightFile(results)
    try noteGrown(results)
    let known = try database.run(SQLFile.loadFile)
    try database.run(SQLFile.loadNumber)
    let knownIDs = Set(try known.records.map { try $0.required("file_id") { Int32($0) } })
    return knownIDs.isEmpty ? results : results.filter { !knownIDs.contains($0.fileID) }
  }

  /// Copies tonight's files into `tonight_file`, a row for each.
  private func copyToTonightFile(_ results: [Staging.Result]) throws {
    let columns = [
      "file_id", "run_id", "path", "location", "folder", "sha256", "bytes", "read_bytes",
      "modified_ns", "inode", "is_rejected", "open_line", "records",
    ]
    guard let runNumber = Int64(runID) else {
      throw ReconciliationError(.totals, "The run \(runID) has no number.")
    }
    var rows = CopyBuffer()
    for result in results {
      rows.beginRow(columns: Int16(columns.count))
      rows.integer(result.fileID)
      rows.bigint(runNumber)
      rows.text(result.file.path)
      rows.text(result.file.location)
      rows.text(result.file.folder.rawValue)
      if let hash = result.sha256 { rows.bytes(hash.bytes) } else { rows.null() }
      // The values at the time of opening: a file that grows while it is read is read again.
      rows.bigint(result.file.bytes)
      // The number of bytes from which the hash was made.
      rows.bigint(result.bytes)
      rows.bigint(result.file.modifiedNanoseconds)
      rows.bigint(Int64(bitPattern: result.file.inode))
      rows.boolean(result.counts.fileRejected)
      if let line = result.counts.openLine { rows.bigint(line) } else { rows.null() }
      rows.bigint(result.counts.records)
      if rows.bytes.count >= 1 << 18 {
        try database.copyIn(
          "tonight_file", columns: columns, rows: rows.bytes, step: "tonight's files")
        rows.removeAll()
      }
    }
    try database.copyIn(
      "tonight_file", columns: columns, rows: rows.bytes, step: "tonight's files")
  }

  /// Merges transactions with unsigned evidence again if the setting `trust` has changed.
  func mergeAgainIfTrustChanged(steps: Steps) throws {
    let change = try database.run(SQLFile.loadTrustChange)
    guard change.records.first?.flag("has_changed") == true else { return }
    for file in [SQLFile.loadTrust, SQLFile.loadMerge] {
      try steps.run(file, in: database)
    }
  }

  /// Merges the staged rows into the ledger.
  ///
  /// - Returns: the counts of records that were read, new, already known and rejected.
  /// - Throws: ``ReconciliationError`` with `totals` if a record was lost during the load.
  package func load(new: [Staging.Result], all: [Staging.Result], steps: Steps) throws -> Counts {
    try mergeAgainIfTrustChanged(steps: steps)
    try noteOpenLines(of: new)
    try noteLeftOut(of: new)
    let counts = try count(new: new, all: all, steps: steps)
    for file in SQLFile.load { try run(file, steps: steps) }
    try keep(counts)
    return counts
  }
}
