internal import LibCrypto

/// The certificates that trust begins with.
public struct TrustedRoots: Sendable {
  /// The roots of Apple's own signatures.
  ///
  /// Apple Inc. Root for receipts, Apple Root CA - G3 for signed transactions, both as published on
  /// https://www.apple.com/certificateauthority/.
  public static let apple: TrustedRoots = {
    do throws(VerificationProblem) {
      return try TrustedRoots(
        receipts: [AppleCertificates.incRoot], transactions: [AppleCertificates.rootG3])
    } catch {
      preconditionFailure("Apple's certificates cannot be read: \(error.detail)")
    }
  }()

  /// Distinguishes sets of roots: one set may trust a chain that another does not trust.
  final class Identity: Sendable {}

  let identity = Identity()
  let receipts: [Certificate]
  let transactions: [Certificate]
  /// The issuers of the signers of iOS 6 receipts; the receipts do not contain them.
  let purchaseReceiptIssuers: [Certificate]

  /// Takes certificates in DER or PEM; a PEM text may be indented and contain several.
  ///
  /// - Parameters:
  ///   - receipts: The roots of app receipts and iOS 6 receipts.
  ///   - transactions: The roots of signed transactions and notifications.
  ///   - purchaseReceiptIssuers: The authorities between those roots and the signers of iOS 6
  ///     receipts, which these receipts do not contain. Apple's own authority is always known.
  /// - Throws: `malformed` for a file without a certificate, and for a PEM block that is not a
  ///   certificate.
  public init(
    receipts: [[UInt8]], transactions: [[UInt8]], purchaseReceiptIssuers: [[UInt8]] = []
  ) throws(VerificationProblem) {
    self.receipts = try Self.certificates(receipts)
    self.transactions = try Self.certificates(transactions)
    self.purchaseReceiptIssuers = try Self.certificates(
      [AppleCertificates.iTunesStoreAuthority] + purchaseReceiptIssuers)
  }

  private static func certificates(
    _ files: [[UInt8]]
  ) throws(VerificationProblem) -> [Certificate] {
    var found: [Certificate] = []
    for file in files {
      let blocks = certificateBytes(file)
      guard !blocks.isEmpty else {
        throw VerificationProblem(
          .malformed,
          "A file of trusted roots contains no certificate in DER or PEM; correct the file.")
      }
      for bytes in blocks {
        guard let certificate = Certificate(derEncoded: bytes) else {
          throw VerificationProblem(
            .malformed, "A trusted root is not a certificate in DER or PEM; correct the file.")
        }
        found.append(certificate)
      }
    }
    return found
  }

  /// The certificates of a file in DER.
  ///
  /// A PEM block that cannot be decoded gives an empty entry, which the caller refuses. A text that
  /// mentions PEM, but has no line that begins a block, gives no entry.
  private static func certificateBytes(_ file: [UInt8]) -> [[UInt8]] {
    guard let text = String(validating: file, as: UTF8.self), text.contains("-----BEGIN ") else {
      return [file]
    }
    var found: [[UInt8]] = []
    var base64: [UInt8]?
    for indented in text.split(whereSeparator: \.isNewline) {
      let line = indented.drop { $0.isWhitespace }
      if line.hasPrefix("-----BEGIN ") {
        // A block inside a block is not a certificate.
        if base64 != nil { found.append([]) }
        base64 = []
      } else if line.hasPrefix("-----END ") {
        found.append(base64.flatMap { Base64.decoded($0) } ?? [])
        base64 = nil
      } else {
        base64?.append(contentsOf: line.utf8)
      }
    }
    if base64 != nil { found.append([]) }
    return found
  }
}
