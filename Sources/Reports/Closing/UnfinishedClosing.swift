import Configuration
package import PostgreSQL
import Runs

/// What a killed `tieout close` or `tieout approve` left undone after its commit: the final name of
/// a pack, or the file of a certificate.
package enum UnfinishedClosing {
  /// Does it for all closed periods whose packs are in this reports folder.
  ///
  /// - Parameters:
  ///   - done: Takes one sentence for each file or folder.
  ///   - failed: Takes the reason why a period could not be finished; the others are.
  /// - Throws: ``ReconciliationError`` with `reports`; `PostgreSQLError`.
  package static func finish(
    in reports: String, _ database: Connection, done: (String) -> Void,
    failed: (any Error) throws -> Void
  ) throws {
    let closings = try database.inTransaction { try ClosingActs.Closing.all(in: database) }
    guard !closings.isEmpty, let pack = try ClosingPack(existingIn: reports) else { return }
    let certificates = try database.inTransaction { try ApprovalCertificate.all(in: database) }
    for closing in closings {
      do { try finish(closing, certificates, in: pack, done) } catch { try failed(error) }
    }
  }

  private static func finish(
    _ closing: ClosingActs.Closing, _ certificates: [ApprovalCertificate], in pack: ClosingPack,
    _ done: (String) -> Void
  ) throws {
    if try pack.showHidden(closing) {
      done("The folder of \(closing.period) was still hidden after its closing, and is shown now.")
    }
    guard pack.has(closing.folder),
      try pack.writeMissingCertificate(of: closing, among: certificates)
    else { return }
    done(
      "The certificate of \(closing.period) was not written after its approval, and is written now."
    )
  }
}
