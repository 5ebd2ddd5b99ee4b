/// The reason why something does not count as signed by Apple.
public struct VerificationProblem: Error, Equatable {
  /// The kind of problem, from a closed list.
  package enum Reason: String, Sendable, CaseIterable {
    /// It has none of the forms that Apple signs, or is incomplete.
    case malformed
    /// The signature does not match the signed bytes.
    case badSignature = "bad_signature"
    /// The certificates do not lead to a trusted root, or lack the extensions of Apple's
    /// certificates.
    case untrustedChain = "untrusted_chain"
    /// A certificate was not valid when it was used to sign.
    case expiredCertificate = "expired_certificate"
    /// Xcode signed it for a test on a developer's machine.
    case xcode
  }

  /// The kind of problem.
  package let reason: Reason
  /// The problem and what to do.
  package let detail: String

  /// Makes a problem.
  package init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  /// A signature that does not match what it should sign: a receipt, a purchase or a text.
  static func badSignature(of what: String) -> VerificationProblem {
    VerificationProblem(
      .badSignature,
      "The signature belongs to another \(what): it was changed on the way. Fetch it again; if the "
        + "reason stays, treat it as forged.")
  }
}
