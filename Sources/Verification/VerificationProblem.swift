/// Why something that should be signed by Apple does not count as that.
public struct VerificationProblem: Error, Equatable {
  /// What is wrong, from a closed list.
  public enum Reason: String, Sendable, CaseIterable {
    /// It is in none of the forms that Apple signs, or breaks off.
    case malformed
    /// The signature does not belong to what is signed.
    case badSignature = "bad_signature"
    /// The certificates do not lead to a trusted root, or lack what Apple's bear.
    case untrustedChain = "untrusted_chain"
    /// A certificate was not valid when it was used to sign.
    case expiredCertificate = "expired_certificate"
    /// Xcode signed it for a test on a developer's machine.
    case xcode
  }

  /// What is wrong.
  public let reason: Reason
  /// What was found and what to do, in one sentence.
  public let detail: String

  /// Makes a problem.
  public init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}
