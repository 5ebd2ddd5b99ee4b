/// The attributes about the content that a CMS signer signs instead of the content itself.
struct SignedAttributes {
  /// The attributes in DER, as the signature covers them.
  let signedBytes: [UInt8]
  /// The digest that the content must have.
  let messageDigest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>, within element: BERElement) throws(VerificationProblem) {
    // RFC 5652, 5.4: they are sent as [0] and signed as a SET OF.
    signedBytes = [BERTag.set] + Self.length(element.content.count) + bytes[element.content]
    var digest: ArraySlice<UInt8>?
    var attributes = BERReader(bytes, element.content)
    while !attributes.isAtEnd {
      var attribute = attributes.within(try attributes.next(BERTag.sequence, "signed attribute"))
      let name = try attribute.next(BERTag.objectIdentifier, "name of a signed attribute")
      let values = try attribute.next(BERTag.set, "value of a signed attribute")
      var value = attribute.within(values)
      if bytes[name.content].elementsEqual(ObjectIdentifierBytes.messageDigest) {
        let octets = try value.octets(try value.next())
        guard digest == nil, value.isAtEnd else {
          throw VerificationProblem(.malformed, "It is signed for several digests of its content.")
        }
        digest = octets
      } else if bytes[name.content].elementsEqual(ObjectIdentifierBytes.contentType) {
        let kind = try value.next(BERTag.objectIdentifier, "signed kind of content")
        guard bytes[kind.content].elementsEqual(ObjectIdentifierBytes.data) else {
          throw VerificationProblem(.malformed, "It is signed for another kind of content.")
        }
      }
    }
    guard let digest else {
      throw VerificationProblem(
        .malformed, "Its signed attributes lack the digest of the content.")
    }
    messageDigest = digest
  }

  /// A length in DER.
  private static func length(_ count: Int) -> [UInt8] {
    if count < 0x80 { return [UInt8(count)] }
    var octets: [UInt8] = []
    var rest = count
    while rest > 0 {
      octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [0x80 | UInt8(octets.count)] + octets
  }
}
