import Intake
import Ledger
import PostgreSQL
import ReconciliationSQL
import Runs

extension RunTask {
  /// Applies the acknowledgements in tonight's files.
  ///
  /// - Throws: ``ReconciliationError`` with `totals` if a line was lost during the load, with
  ///   `tooMuchRejected` if more was rejected than the settings allow.
  func acknowledge(_ loaded: Loaded, in ledger: Ledger) throws {
    let (files, counts, database) = (loaded.new, loaded.counts, work.database)
    let read = files.reduce(Int64(0)) { $0 + $1.counts.acknowledgements.read }
    let unreadable = files.reduce(Int64(0)) { $0 + $1.counts.acknowledgements.rejected }
    var line = Summary.Line(
      kind: Self.section, read: read, new: 0, alreadyKnown: 0, rejected: unreadable)
    if read > 0 {
      let rows = try work.steps.run(SQLFile.findingsFileAcknowledgement, in: database)
      guard let row = rows.records.first, let arrived = row.bigint("arrived"),
        let new = row.bigint("new"), let rejected = row.bigint("rejected"),
        arrived + unreadable == read
      else {
        throw ReconciliationError(
          .totals,
          """
          Control totals of acknowledgements do not agree: \(read) read, but \
          \(rows.records.first?["arrived"] ?? "0") arrived and \(unreadable) rejected. Nothing was published.
          """)
      }
      line = Summary.Line(
        kind: Self.section, read: read, new: new, alreadyKnown: arrived - new - rejected,
        rejected: unreadable + rejected)
      if line.rejected > 0 {
        try database.run(
          "select set_config('tieout.acknowledgements', 'true', true)",
          step: SQLFile.loadRejection.name)
        try database.run(SQLFile.loadRejection)
      }
      try assertKept(line, in: ledger)
    }
    try RunRecord.keepCounts(
      [
        (Self.section, "read", line.read), (Self.section, "new", line.new),
        (Self.section, "already_known", line.alreadyKnown),
        (Self.section, "rejected", line.rejected),
      ], of: ledger.runID, in: database)
    work.summary.lines.append(line)
    guard line.rejected > 0 else { return }
    try database.run(SQLFile.findingsCompared, ["\(line.rejected)"])
    try work.requireFewRejections(
      counts.rejected + line.rejected, of: counts.read + line.read, in: ledger)
  }

  private static let section = "acknowledgements"

  /// Checks that every rejected line is kept, or counted by file and reason.
  private func assertKept(_ line: Summary.Line, in ledger: Ledger) throws {
    let kept = try ledger.keptRejections(ofKind: "acknowledgement")
    guard kept == line.rejected, line.alreadyKnown >= 0 else {
      throw ReconciliationError(
        .totals,
        """
        Control totals of acknowledgements do not agree: \(line.rejected) were rejected, \(kept) \
        are stored. Nothing was published.
        """)
    }
  }
}
