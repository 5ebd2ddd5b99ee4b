internal import LibCrypto

/// The certificates that trust begins with.
public struct TrustedRoots: Sendable {
  /// The roots that Apple's own signatures lead to.
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

  /// Tells one set of roots from another: a chain that one of them trusts, another may not.
  final class Identity: Sendable {}

  let identity = Identity()
  let receipts: [Certificate]
  let transactions: [Certificate]
  /// What issues the signers of iOS 6 receipts, which do not bring it along.
  let purchaseReceiptIssuers: [Certificate]

  /// Takes certificates in DER or PEM, several in one PEM text allowed.
  ///
  /// - Parameters:
  ///   - receipts: What app receipts and iOS 6 receipts lead to.
  ///   - transactions: What signed transactions and notifications lead to.
  ///   - purchaseReceiptIssuers: What stands between those roots and the signers of iOS 6 receipts,
  ///     besides Apple's own, which is always known: those receipts do not bring it along.
  /// - Throws: `malformed` for bytes that are no certificate.
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
      for bytes in certificateBytes(file) {
        guard let certificate = Certificate(derEncoded: bytes) else {
          throw VerificationProblem(
            .malformed, "A trusted root is no certificate in DER or PEM; correct the file.")
        }
        found.append(certificate)
      }
    }
    return found
  }

  /// The certificates of a file; where one cannot be decoded, bytes that are no certificate.
  private static func certificateBytes(_ file: [UInt8]) -> [[UInt8]] {
    guard let text = String(validating: file, as: UTF8.self), text.contains("-----BEGIN ") else {
      return [file]
    }
    var found: [[UInt8]] = []
    var base64: [UInt8]?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN ") {
        // A block within a block is no certificate.
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
