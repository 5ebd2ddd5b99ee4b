/// A signed transaction or notification, taken apart but not yet believed.
public struct CompactJWS: Sendable {
  /// What is signed, decoded: JSON.
  public let payload: [UInt8]

  /// Takes the compact form of RFC 7515 apart: three segments of base64url.
  ///
  /// - Throws: `malformed`.
  public init(_ text: Span<UInt8>) throws(VerificationProblem) {
    throw VerificationProblem(.malformed, "Not read yet.")
  }
}
