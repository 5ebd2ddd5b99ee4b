import CopyFormat
import Intake
import PostgreSQL

extension Ledger {
  /// Notes the files of which `trust: signed` leaves out what answers say beside enclosed receipts: they are
  /// read again when that counts.
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
