import FileSystem
import PostgreSQL
import ReconciliationSQL
import Runs

/// An entry of a manifest about the folder `closed/`: a pack of a closed period, or a certificate.
struct ClosedFile: Sendable, Equatable {
  /// The name in `closed/`.
  let name: String
  /// The SHA-256 of the pack's manifest, or that of the certificate.
  let sha256: String

  /// The packs and certificates that are in a reports folder, with the checksums in the database,
  /// ordered by name.
  ///
  /// Those that are not in this reports folder are left out.
  ///
  /// - Parameter reports: The reports folder.
  static func all(in reports: OpenFolder, _ database: Connection) throws -> [ClosedFile] {
    guard reports.status(of: ClosingPack.folderName) != nil else { return [] }
    let place = try reports.folder(ClosingPack.folderName)
    let packs = try database.run(SQLFile.periodPackList).records.map { row in
      ClosedFile(
        name: ClosingPack.name(of: row.text("period"), closing: try row.count("closing")),
        sha256: row.text("pack_sha256"))
    }
    let certificates = try ApprovalCertificate.all(in: database).map { certificate in
      ClosedFile(name: certificate.fileName, sha256: try certificate.sha256())
    }
    return (packs + certificates)
      .filter { place.status(of: $0.name) != nil }.sorted { $0.name < $1.name }
  }
}
