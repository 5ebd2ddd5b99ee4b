/// Checks what Apple signs, and decodes it. One for each thread.
public final class Verifier {
  private let roots: TrustedRoots
  private let chains: ChainCache

  /// Makes one that trusts these roots and shares what it learns about chains.
  public init(roots: TrustedRoots, chains: ChainCache) {
    self.roots = roots
    self.chains = chains
  }

  /// Checks a signed transaction or notification.
  ///
  /// The payload's `environment` is for the caller to look at: Xcode signs `Xcode` and `LocalTesting`
  /// with certificates of its own, which is `xcode` here.
  ///
  /// - Parameter signedAt: The payload's `signedDate`, in milliseconds since 1970, at which the
  ///   certificates must be valid.
  /// - Throws: Why it does not count as signed by Apple.
  public func verify(_ jws: CompactJWS, at signedAt: Int64) throws(VerificationProblem) {
    throw VerificationProblem(.malformed, "Not verified yet.")
  }

  /// Checks and decodes an app receipt: CMS in BER or DER.
  ///
  /// - Throws: Why it does not count as signed by Apple.
  public func appReceipt(_ bytes: [UInt8]) throws(VerificationProblem) -> AppReceipt {
    throw VerificationProblem(.malformed, "Not verified yet.")
  }

  /// Checks and decodes a receipt of iOS 6: an old-style property list.
  ///
  /// - Parameter text: The property list, its base64 already decoded.
  /// - Throws: Why it does not count as signed by Apple.
  public func transactionReceipt(_ text: [UInt8]) throws(VerificationProblem) -> TransactionReceipt {
    throw VerificationProblem(.malformed, "Not verified yet.")
  }
}
