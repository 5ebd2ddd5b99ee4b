import CopyFormat
import Inbox
import Intake
import PostgreSQL

extension Ledger {
  /// Tells the load which files have grown.
  ///
  /// If the last line of the shorter file has no line end, it does not count any more, because the
  /// longer file contains the complete line.
  func noteGrown(_ results: [Staging.Result]) throws {
    var rows = CopyBuffer()
    for result in results {
      for fileID in result.grownFrom {
        rows.beginRow(columns: 1)
        rows.integer(fileID)
      }
    }
    guard !rows.isEmpty else { return }
    try database.copyIn(
      "grown_file", columns: ["file_id"], rows: rows.bytes, step: "grown files")
  }

  /// Tells the load which last lines of files have no line end.
  func noteOpenLines(of results: [Staging.Result]) throws {
    var rows = CopyBuffer()
    for result in results {
      guard let line = result.counts.openLine else { continue }
      rows.beginRow(columns: 2)
      rows.integer(result.fileID)
      rows.bigint(line)
    }
    guard !rows.isEmpty else { return }
    try database.copyIn(
      "open_line", columns: ["file_id", "line"], rows: rows.bytes, step: "open lines")
  }
}
