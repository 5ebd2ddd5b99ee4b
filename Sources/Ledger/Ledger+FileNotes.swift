import Configuration
import CopyFormat
import Inbox
import Intake
import PostgreSQL
import ReconciliationSQL
import Runs

extension Ledger {
  /// The warning about files that were withdrawn and came tonight in another folder; nil if there
  /// are none.
  package func warningOfMovedFiles() throws -> String? {
    guard let row = try database.run(SQLFile.loadMoved).records.first, let path = row["path"]
    else { return nil }
    let others = try row.count("files") - 1
    return """
      \(path)\(others > 0 ? " and \(others) more" : "") \(others > 0 ? "do" : "does") not count, because the same \
      bytes were withdrawn in another folder. To undo the withdrawal: \
      tieout withdraw \(others > 0 ? "FILE" : path) --undo.
      """
  }

  /// The warnings about delivery records of tonight's files that the night does not count.
  ///
  /// - Parameters:
  ///   - environments: The configured environments.
  ///   - asOf: The as-of of the night, as RFC 3339.
  package func warningsOfUncounted(
    notIn environments: [String], after asOf: String
  ) throws -> [String] {
    let counted = [PostgreSQLArray.text(environments + appleEnvironments), asOf]
    guard let row = try database.run(SQLFile.loadUncounted, counted).records.first
    else { return [] }
    func records(_ column: String) throws -> String? {
      let number = try row.count(column)
      return number == 0 ? nil : "\(number) delivery \(number == 1 ? "record" : "records")"
    }
    return [
      try records("others").map {
        "Not counted: \($0) of environments that the App Store does not have, such as "
          + "\(row.text("environment"))."
      },
      try records("later").map { "Not counted: \($0) after as-of." },
    ].compactMap { $0 }
  }

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
