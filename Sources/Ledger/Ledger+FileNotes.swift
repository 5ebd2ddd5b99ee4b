import CopyFormat
import Intake
import PostgreSQL

extension Ledger {
  /// Tells the load which files have grown.
  ///
  /// If the last line of the shorter file has no line end, it does not count any more, because the
  /// longer file contains the complete line.
  func noteGrown(_ results: [Staging.Result]) throws {
    try note(
      "grown_file", columns: ["file_id"], step: "grown files",
      rows: results.flatMap(\.grownFrom).map { (fileID: $0, line: nil) })
  }

  /// Tells the load which last lines of files have no line end.
  func noteOpenLines(of results: [Staging.Result]) throws {
    let open = results.filter { $0.counts.openLine != nil }
    try note(
      "open_line", columns: ["file_id", "line"], step: "open lines",
      rows: open.map { (fileID: $0.fileID, line: $0.counts.openLine) })
  }

  /// Records the files in which `trust: signed` has ignored the unsigned parts of answers.
  ///
  /// The files are read again when unsigned evidence counts.
  func noteLeftOut(of results: [Staging.Result]) throws {
    let files = results.filter(\.counts.leavesOutUnsigned)
    try note(
      "left_out_file", columns: ["file_id"], step: "left out",
      rows: files.map { (fileID: $0.fileID, line: nil) })
  }

  /// Copies a row for each of these files into a table; `line` is nil if the table has no lines.
  private func note(
    _ table: String, columns: [String], step: String, rows: [(fileID: Int32, line: Int64?)]
  ) throws {
    guard !rows.isEmpty else { return }
    var buffer = CopyBuffer()
    for row in rows {
      buffer.beginRow(columns: Int16(columns.count))
      buffer.integer(row.fileID)
      if let line = row.line { buffer.bigint(line) }
    }
    try database.copyIn(table, columns: columns, rows: buffer.bytes, step: step)
  }
}
