import Configuration
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

  /// The warning about rejections that were only counted; nil if there are none.
  package func warningOfCountedRejections() throws -> String? {
    let kept = try database.run(SQLFile.loadKeptRejection, [runID, nil]).records.first
    guard let records = kept?["counted"], records != "0" else { return nil }
    return """
      \(records) rejections were only counted, by file and reason, because there were too many: rejected_records.csv \
      has their numbers. To keep more of them, set rejections_kept.
      """
  }
}
