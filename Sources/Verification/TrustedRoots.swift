/// The certificates that trust begins with.
public struct TrustedRoots: Sendable {
  /// Apple's: Apple Inc. Root for receipts, Apple Root CA - G3 for signed transactions.
  public static let apple = TrustedRoots()

  init() {}

  /// Takes certificates in DER or PEM, several in one PEM text allowed.
  ///
  /// - Parameters:
  ///   - receipts: What app receipts and iOS 6 receipts lead to. A certificate that issues the signers
  ///     of iOS 6 receipts may stand here too: those receipts do not bring theirs along.
  ///   - transactions: What signed transactions and notifications lead to, byte for byte.
  /// - Throws: `malformed` for bytes that are no certificate.
  public init(receipts: [[UInt8]], transactions: [[UInt8]]) throws(VerificationProblem) {
    self.init()
  }
}
