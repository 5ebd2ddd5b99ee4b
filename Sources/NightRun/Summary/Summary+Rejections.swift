import PostgreSQL

extension Summary {
  /// The rejections of one reason.
  package struct Rejection: Sendable, Equatable {
    /// The reason, as `rejected_records.csv` has it.
    package let reason: String
    /// How many records, documents and files were rejected with it.
    package let records: Int64
    /// The place of one of them: the file's path below the inbox, and the line if there is one.
    package let place: String
  }

  /// The maximum number of reasons in a summary.
  static let shownRejections = 5

  /// Reads the most frequent reasons of a run's rejections, and the number of all reasons.
  ///
  /// Rejections that were only counted are included. The place belongs to a stored rejection, if
  /// there is one.
  static func commonestRejections(
    of runID: String, limit: Int, in database: Connection
  ) throws -> (rejections: [Rejection], reasons: Int) {
    let rows = try database.run(
      """
      select
          reason,
          sum(records),
          (
              array_agg(path || coalesce(':' || line, '') order by is_rest, path, line nulls first)
          )[1],
          count(*) over ()
      from (
          select run_id, reason, path, line, 1 as records, false as is_rest from rejection
          union all
          select run_id, reason, path, null, records, true from rejection_rest
      ) as rejected
      where run_id = $1::bigint
      group by reason
      order by sum(records) desc, reason
      limit $2::integer
      """, [runID, String(limit)], step: "count rejections")
    let rejections = rows.values.map { row in
      Rejection(
        reason: row[0] ?? "", records: row[1].flatMap { Int64($0) } ?? 0, place: row[2] ?? "")
    }
    let reasons = rows.values.first.flatMap { $0[3] }.flatMap { Int($0) } ?? 0
    return (rejections, reasons)
  }

  /// Whether tonight's input contained records, but none that could be used.
  package var nothingCouldBeRead: Bool {
    rejected > 0 && lines.allSatisfy { $0.kind == "files" || $0.new + $0.alreadyKnown == 0 }
  }
}
