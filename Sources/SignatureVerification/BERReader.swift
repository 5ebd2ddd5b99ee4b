/// Reads elements of BER from bytes that it keeps.
struct BERReader {
  let bytes: ArraySlice<UInt8>
  private var cursor: BERCursor

  /// Reads all elements of the bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    self.init(bytes, bytes.startIndex..<bytes.endIndex)
  }

  /// Reads the elements of a part of the bytes.
  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) {
    self.bytes = bytes
    cursor = BERCursor(part)
  }

  /// The offset of the next element.
  var offset: Int { cursor.offset }

  /// Whether nothing is left.
  var isAtEnd: Bool { cursor.isAtEnd }

  /// Whether only zeros are left, which some archives add as padding.
  var hasOnlyPaddingLeft: Bool { bytes[cursor.rest].allSatisfy { $0 == 0 } }

  /// The identifier of the next element, if there is one.
  var nextTag: UInt8? { isAtEnd ? nil : bytes[offset] }

  /// A reader of the elements inside an element that was read from these bytes.
  func within(_ element: BERElement) -> BERReader {
    BERReader(bytes, element.content)
  }

  /// The next element.
  mutating func next() throws(VerificationProblem) -> BERElement {
    try cursor.next(in: bytes)
  }

  /// The next element, which must have this tag.
  mutating func next(_ tag: UInt8, _ what: StaticString) throws(VerificationProblem) -> BERElement {
    let element = try next()
    guard element.tag == tag else {
      throw VerificationProblem(
        .malformed, "There is no \(what) at byte \(element.start); send the receipt as it was made."
      )
    }
    return element
  }

  /// The octets of an octet string, which BER may divide into pieces.
  func octets(_ element: BERElement) throws(VerificationProblem) -> ArraySlice<UInt8> {
    if element.tag == BERTag.octetString { return bytes[element.content] }
    guard element.tag == BERTag.constructedOctetString else {
      throw VerificationProblem(
        .malformed, "There is no octet string at byte \(element.start); send it as it was made.")
    }
    var joined: [UInt8] = []
    joined.reserveCapacity(element.content.count)
    // Pieces may themselves be in pieces. A short list of open pieces replaces recursion.
    var open = [BERCursor(element.content)]
    while var innermost = open.popLast() {
      guard !innermost.isAtEnd else { continue }
      let piece = try innermost.next(in: bytes)
      open.append(innermost)
      if piece.tag == BERTag.octetString {
        joined += bytes[piece.content]
      } else if piece.tag == BERTag.constructedOctetString, open.count < BERCursor.depthLimit {
        open.append(BERCursor(piece.content))
      } else {
        throw VerificationProblem(
          .malformed, "The octet string at byte \(element.start) is not made of octet strings.")
      }
    }
    return joined[...]
  }
}
