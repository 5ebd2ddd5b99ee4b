import CopyFormat
import Intake
import PostgreSQL

extension Ledger {
  /// Records the files in which `trust: signed` has ignored the unsigned parts of answers.
  ///
  /// The files are read again when unsigned evidence counts.
  func noteLeftOut(of results: [Staging.Result]) throws {
    var rows = CopyBuffer()
    for result in results where result.counts.leavesOutUnsigned {
      rows.beginRow(columns: 1)
      rows.integer(result.fileID)
    }
    guard !rows.isEmpty else { return }
    try database.copyIn(
      "left_out_file", columns: ["file_id"], rows: rows.bytes, step: "left out")
  }
}
