extension BERReader {
  /// The octets of an octet string, which BER may hand over in pieces.
  func octets(_ element: BERElement) throws(VerificationProblem) -> ArraySlice<UInt8> {
    if element.tag == BERTag.octetString { return bytes[element.content] }
    guard element.tag == BERTag.constructedOctetString else {
      throw VerificationProblem(
        .malformed, "There is no octet string at byte \(element.start); send it as it was made.")
    }
    var joined: [UInt8] = []
    joined.reserveCapacity(element.content.count)
    // Pieces may themselves be in pieces: what is open is a short list, not a call within a call.
    var open = [within(element)]
    while var innermost = open.popLast() {
      guard !innermost.isAtEnd else { continue }
      let piece = try innermost.next()
      open.append(innermost)
      if piece.tag == BERTag.octetString {
        joined += bytes[piece.content]
      } else if piece.tag == BERTag.constructedOctetString, open.count < Self.depthLimit {
        open.append(within(piece))
      } else {
        throw VerificationProblem(
          .malformed, "The octet string at byte \(element.start) is not made of octet strings.")
      }
    }
    return joined[...]
  }

  /// A whole number of at most 64 bits.
  func integer(_ element: BERElement) -> Int64? {
    guard element.tag == BERTag.integer, (1...8).contains(element.content.count) else { return nil }
    var value: Int64 = bytes[element.content.lowerBound] & 0x80 == 0 ? 0 : -1
    for index in element.content { value = value << 8 | Int64(bytes[index]) }
    return value
  }

  /// A text of one of the kinds that Apple uses, if it is UTF-8.
  func text(_ element: BERElement) -> String? {
    switch element.tag {
    case BERTag.utf8String, BERTag.ia5String, BERTag.printableString:
      return String(validating: bytes[element.content], as: UTF8.self)
    default: return nil
    }
  }
}
