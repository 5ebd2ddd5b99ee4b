import CopyFormat
import Foundation
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

  /// The counts of the files' records by section and measure, for the control totals.
  package struct Counts: Sendable, Equatable {
    var values: [Section: [Measure: Int64]] = [:]

    /// Creates counts that are all 0.
    package init() {}

    /// The count of a measure in a section; 0 if it was never set.
    package subscript(section: Section, measure: Measure) -> Int64 {
      get { values[section]?[measure] ?? 0 }
      set { values[section, default: [:]][measure] = newValue }
    }

    /// The number of records of all kinds that could not be used.
    package var rejected: Int64 { Section.allCases.reduce(0) { $0 + self[$1, .rejected] } }
    /// The number of records of all kinds.
    package var read: Int64 { Section.allCases.reduce(0) { $0 + self[$1, .read] } }
  }

  /// The kinds of record, by the names of their sections in `control_totals.csv`.
  package enum Section: String, CaseIterable, Sendable {
    case files, documents, transactions, deliveries
    case catalogueEntries = "catalogue_entries"
    case clientRecords = "client_records"
    case appleRows = "apple_rows"

    /// The kind of its rejections in the tables; nil if a rejection is always a whole file.
    var rejectionKind: String? {
      switch self {
      case .files: "file"
      case .documents: "receipt"
      case .transactions: "transaction"
      case .deliveries: "delivery"
      case .catalogueEntries: "catalogue"
      case .clientRecords: "client"
      case .appleRows: nil
      }
    }
  }

  /// What is counted of each kind of record: read = new + already known + rejected.
  package enum Measure: String, CaseIterable, Sendable {
    case read, new
    case alreadyKnown = "already_known"
    case rejected
  }

  /// Registers tonight's files and drops the staged rows of those that were loaded before.
  ///
  /// - Returns: the results of the files that are new.
  package func register(_ results: [Staging.Result]) throws -> [Staging.Result] {
    for file in [SQLFile.loadStart, .loadLine] { try database.run(file) }
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
    try noteGrown(results)
    let known = try database.run(SQLFile.loadFile)
    try database.run(SQLFile.loadNumber)
    let knownIDs = Set(known.records.compactMap { $0["file_id"].flatMap { Int32($0) } })
    return knownIDs.isEmpty ? results : results.filter { !knownIDs.contains($0.fileID) }
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
    for file in SQLFile.load {
      try steps.run(file, in: database)
    }
    try keep(counts)
    return counts
  }

  /// Counts the staged rows before they are loaded.
  ///
  /// - Throws: ``ReconciliationError`` with `totals` if the server does not have all rows that were
  ///   sent.
  func count(new: [Staging.Result], all: [Staging.Result], steps: Steps) throws -> Counts {
    var sent = FileCounts()
    for result in new { sent += result.counts }
    var counts = Counts()
    counts[.files, .read] = Int64(all.count)
    counts[.files, .rejected] = Int64(new.count { $0.counts.fileRejected })
    counts[.files, .alreadyKnown] = Int64(all.count - new.count)
    counts[.files, .new] = Int64(new.count) - counts[.files, .rejected]

    let tallies: [(Section, FileCounts.Tally, repeats: Int64)] = [
      (.documents, sent.documents, 0),
      (.transactions, sent.transactions, sent.repeats),
      (.deliveries, sent.deliveries, 0),
      (.catalogueEntries, sent.catalogueEntries, 0),
      (.clientRecords, sent.clientRecords, 0),
      (.appleRows, sent.appleRows, 0),
    ]
    let arrivals = try steps.run(SQLFile.loadCount, in: database)
    for (section, tally, repeats) in tallies {
      guard
        let row = arrivals.records.first(where: { $0["section"] == section.rawValue }),
        let arrived = row.number("arrived").map(Int64.init),
        let fresh = row.number("new").map(Int64.init)
      else { throw ReconciliationError(.totals, "\(section.rawValue) were not counted.") }
      counts[section, .read] = tally.read
      counts[section, .rejected] = tally.rejected
      counts[section, .new] = fresh
      counts[section, .alreadyKnown] = arrived + repeats - fresh
    }
    try assertBalanced(counts)
    return counts
  }

  /// Stores the run's counts, after it has checked that the run's rejections are stored.
  func keep(_ counts: Counts) throws {
    try assertKept(counts)
    let rows = Section.allCases.flatMap { section in
      Measure.allCases.map { (section.rawValue, $0.rawValue, counts[section, $0]) }
    }
    try RunRecord.keepCounts(rows, of: runID, in: database)
  }

  /// Checks that read = new + already known + rejected, for each kind of record.
  ///
  /// It compares the records that the program read with the rows that the server has.
  private func assertBalanced(_ counts: Counts) throws {
    for section in Section.allCases {
      let parts =
        counts[section, .new] + counts[section, .alreadyKnown] + counts[section, .rejected]
      guard counts[section, .read] == parts, counts[section, .alreadyKnown] >= 0 else {
        throw ReconciliationError(
          .totals,
          """
          Control totals of \(section.rawValue) do not agree: \(counts[section, .read]) read, but \
          \(counts[section, .new]) new + \(counts[section, .alreadyKnown]) already known + \
          \(counts[section, .rejected]) rejected = \(parts). Nothing was published.
          """)
      }
    }
    let kept = try database.run(SQLFile.loadStagedRejection).records
    for section in Section.allCases {
      guard let kind = section.rejectionKind else { continue }
      let count = counts[section, .rejected]
      let found = try kept.first { $0["kind"] == kind }?.count("records") ?? 0
      guard found == count else {
        throw ReconciliationError(
          .totals,
          """
          Control totals of rejections do not agree: \(count) of kind \(kind) counted, \(found) \
          kept. Nothing was published.
          """)
      }
    }
  }

  /// Checks that every counted rejection is stored, or counted by file and reason.
  ///
  /// So no record is lost without a trace.
  private func assertKept(_ counts: Counts) throws {
    let kept = try keptRejections()
    guard kept == counts.rejected else {
      throw ReconciliationError(
        .totals,
        """
        Control totals of rejections do not agree: \(counts.rejected) were counted, \(kept) are kept. \
        Nothing was published.
        """)
    }
  }

  /// The number of the run's rejections that are stored, or counted by file and reason.
  ///
  /// - Parameter kind: Only the records of this kind; nil: all.
  package func keptRejections(ofKind kind: String? = nil) throws -> Int64 {
    let kept = try database.run(SQLFile.loadKeptRejection, [runID, kind])
    return Int64(try kept.records.first?.count("records") ?? 0)
  }

  /// The warning about rejections that were only counted; nil if there are none.
  package func warningOfCountedRejections() throws -> String? {
    let counted = try database.run(SQLFile.loadCountedRejection, [runID])
    guard let records = counted.records.first?["records"], records != "0" else { return nil }
    return """
      \(records) rejections were only counted, by file and reason, because there were too many: rejected_records.csv \
      has their numbers. To keep more of them, set rejections_kept.
      """
  }
}
