import Configuration
package import PostgreSQL
import Runs

/// What a killed `tieout close` or `tieout approve` left undone after its commit: the final name of
/// a pack, or the file of a certificate.
package enum UnfinishedClosing {
  /// Does it for all closed periods whose packs are in this reports folder.
  ///
  /// - Returns: one sentence for each.
  /// - Throws: ``ReconciliationError`` with `reports`; `PostgreSQLError`.
  package static func finish(in reports: String, _ database: Connection) throws -> [String] {
    let closings = try database.inTransaction { try ClosingActs.Closing.all(in: database) }
    guard !closings.isEmpty else { return [] }
    let certificates = try database.inTransaction { try Certificate.all(in: database) }
    let pack = try ClosingPack(reports: reports)
    var done: [String] = []
    for closing in closings {
      if try pack.showHidden(closing.folder) {
        done.append(
          "The folder of \(closing.period) was still hidden after its closing, and is shown now.")
      }
      guard pack.has(closing.folder),
        let certificate = certificates.last(where: { $0.pack == closing.folder }),
        !pack.has(certificate.fileName)
      else { continue }
      try pack.require(closing.folder, sha256: closing.packSHA256)
      _ = try pack.write(certificate)
      done.append(
        "The certificate of \(closing.period) was not written after its approval, and is written now."
      )
    }
    return done
  }
}
