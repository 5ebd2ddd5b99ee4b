import Foundation
import PostgreSQL
import ReconciliationSQL
import Runs

extension Withdrawal {
  /// Selects a file: later SQL statements of the transaction read its SHA-256 and the person.
  static func scope(to sha256: String, in database: Connection) throws {
    let withdrawn = try JSONEncoder().encode(
      ["sha256": sha256, "person": Host.userName, "system_user": Host.systemUser])
    try database.run(
      "select set_config('tieout.withdrawn', $1, true)",
      [String(decoding: withdrawn, as: UTF8.self)], step: "withdraw")
  }

  /// Cancels the acknowledgements of the selected file, if the file is withdrawn.
  ///
  /// Acknowledgements are not merged, so no rebuild is needed. Acknowledgements that they replaced
  /// stay replaced. If the file counts again later, the lines whose acknowledgements are cancelled
  /// here count again.
  ///
  /// - Returns: the names of the findings that are open again.
  static func cancelAcknowledgements(in database: Connection) throws -> [String] {
    try database.run(SQLFile.withdrawAcknowledgement).records.compactMap { $0["name"] }.sorted()
  }
}
