import PostgreSQL
import ReconciliationSQL
import Runs

extension Summary {
  /// The rejections of one reason.
  package struct Rejection: Sendable, Equatable {
    /// The reason, as `rejected_records.csv` has it.
    package let reason: String
    /// How many records, documents and files were rejected with it.
    package let records: Int64
    /// The location of one of them: the file's path below the inbox, and the line if there is one.
    package let location: String
  }

  /// The maximum number of reasons in a summary.
  static let shownRejections = 5

  /// Reads the most frequent reasons of a run's rejections, and the number of all reasons.
  ///
  /// Rejections that were only counted are included. The location is that of a stored rejection,
  /// if there is one.
  static func commonestRejections(
    of runID: String, limit: Int, in database: Connection
  ) throws -> (rejections: [Rejection], reasons: Int) {
    let rows = try database.run(SQLFile.summaryRejection, [runID, String(limit)]).records
    let rejections = try rows.map { row in
      Rejection(
        reason: row.text("reason"), records: Int64(try row.count("records")),
        location: row.text("location"))
    }
    let reasons = try rows.first?.count("reasons") ?? 0
    return (rejections, reasons)
  }

  /// Whether tonight's input contained records, but none that could be used.
  package var nothingCouldBeRead: Bool {
    rejected > 0 && lines.allSatisfy { $0.kind == "files" || $0.new + $0.alreadyKnown == 0 }
  }
}
