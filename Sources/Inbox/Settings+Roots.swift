import Configuration
import FileSystem
import Runs
package import SignatureVerification

extension Settings {
  /// The certificates that trust begins with: Apple's, or those of the configured files.
  ///
  /// - Throws: ``ReconciliationError`` that names the file.
  package func roots() throws -> TrustedRoots {
    guard !trustedRoots.isEmpty else { return .apple }
    var files: [[UInt8]] = []
    for path in trustedRoots {
      let bytes: [UInt8]
      do { bytes = try FilePlace(anywhere: path).contents(atMost: Self.longestRoots) } catch {
        throw Self.unusable(
          path, "cannot be read (\(error.words)); name a file with certificates that may be read")
      }
      files.append(bytes)
      // Each file separately, so that the message can name it.
      guard (try? Self.roots([bytes])) != nil else {
        throw Self.unusable(path, "is not a certificate in PEM or DER; correct it")
      }
    }
    return try Self.roots(files)
  }

  /// The maximum length of a file with certificates in bytes.
  private static let longestRoots = 1 << 20

  /// The roots in these files, which replace all of Apple's roots.
  ///
  /// A file can also contain the authority between the root and the signers of iOS 6 receipts,
  /// because these receipts do not contain it.
  private static func roots(_ files: [[UInt8]]) throws -> TrustedRoots {
    try TrustedRoots(receipts: files, transactions: files, purchaseReceiptIssuers: files)
  }

  private static func unusable(_ path: String, _ what: String) -> ReconciliationError {
    ReconciliationError(.configuration, "trusted_roots: the file \(path) \(what).")
  }
}
