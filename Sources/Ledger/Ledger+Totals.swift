import Intake
import PostgreSQL
import ReconciliationSQL
import Runs

extension Ledger {
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

    let arrivals = try steps.run(SQLFile.loadCount, in: database)
    for kind in FileCounts.kinds {
      // Acknowledgements are counted when they are applied.
      guard let section = Section(rawValue: kind.name) else { continue }
      let tally = sent[keyPath: kind.tally]
      let repeats = section == .transactions ? sent.repeats : 0
      guard
        let row = arrivals.records.first(where: { $0["section"] == section.rawValue }),
        let arrived = row.bigint("arrived"), let fresh = row.bigint("new")
      else { throw ReconciliationError(.totals, "\(section.rawValue) were not counted.") }
      counts[section, .read] = tally.read
      counts[section, .rejected] = tally.rejected
      counts[section, .new] = fresh
      counts[section, .alreadyKnown] = arrived + repeats - fresh
    }
    try assertBalanced(counts)
    try assertStaged(counts)
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
  }

  /// Checks that every counted rejection is staged, or counted by file and reason.
  private func assertStaged(_ counts: Counts) throws {
    let staged = try database.run(SQLFile.loadStagedRejection).records
    for section in Section.allCases {
      guard let kind = section.rejectionKind else { continue }
      let count = counts[section, .rejected]
      let found = try staged.first { $0["kind"] == kind }?.count("records") ?? 0
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
    let kept = try database.run(SQLFile.loadKeptRejection, [runID, kind]).records.first
    return try Int64((kept?.count("stored") ?? 0) + (kept?.count("counted") ?? 0))
  }
}
