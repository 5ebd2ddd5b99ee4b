/// A signed transaction or notification, split into its parts but not yet verified.
public struct CompactJWS: Sendable {
  /// The maximum size of a header; three certificates are 4 KB.
  static let headerLimit = 1 << 16

  /// The signed payload, decoded: JSON, if Apple made it.
  package let payload: [UInt8]

  private let text: [UInt8]
  private let headerEnd: Int
  private let payloadEnd: Int
  /// The two numbers of an ECDSA signature, 32 bytes each.
  let signature: [UInt8]

  /// The header's segment as received.
  var header: ArraySlice<UInt8> { text[..<headerEnd] }
  /// The payload's segment as received: the signature covers it after the header and a dot.
  var signedPayload: ArraySlice<UInt8> { text[(headerEnd + 1)..<payloadEnd] }

  /// Splits the compact form of RFC 7515 into three segments of base64url.
  ///
  /// White space around it is ignored.
  ///
  /// - Throws: `malformed`.
  public init(_ text: [UInt8]) throws(VerificationProblem) {
    var bytes = text
    while let last = bytes.last, Self.isWhiteSpace(last) { bytes.removeLast() }
    let start = bytes.firstIndex { !Self.isWhiteSpace($0) } ?? 0
    if start > 0 { bytes.removeFirst(start) }
    let dot = UInt8(ascii: ".")
    guard let headerEnd = bytes.firstIndex(of: dot),
      let payloadEnd = bytes[(headerEnd + 1)...].firstIndex(of: dot)
    else {
      throw VerificationProblem(
        .malformed, "A signed text has three parts between dots; send it whole.")
    }
    guard (1...Self.headerLimit).contains(headerEnd) else {
      throw VerificationProblem(
        .malformed, "The header has \(headerEnd) bytes; one from Apple has about 5000.")
    }
    guard let payload = Base64.urlDecoded(bytes[(headerEnd + 1)..<payloadEnd]) else {
      throw VerificationProblem(.malformed, "The payload is not base64url; send it as it was made.")
    }
    guard let signature = Base64.urlDecoded(bytes[(payloadEnd + 1)...]), signature.count == 64
    else {
      throw VerificationProblem(
        .malformed, "The signature is not 64 bytes in base64url; send it whole.")
    }
    self.text = bytes
    self.headerEnd = headerEnd
    self.payloadEnd = payloadEnd
    self.payload = payload
    self.signature = signature
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }
}
