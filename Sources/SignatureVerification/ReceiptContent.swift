/// Reads the signed content of a receipt: a SET OF SEQUENCE {type, version, value}.
enum ReceiptContent {
  /// Decodes the content of an app receipt.
  ///
  /// - Throws: `malformed`.
  static func receipt(_ content: ArraySlice<UInt8>) throws(VerificationProblem) -> AppReceipt {
    let bytes = try unwrapped(content)
    var receipt = AppReceipt()
    var attributes = try ReceiptAttributes(bytes, bytes.startIndex..<bytes.endIndex)
    while let (value, octets) = try attributes.next(in: bytes) {
      try receipt.take(value, in: octets)
    }
    return receipt
  }

  /// The content without the second octet string that some tools put around it.
  private static func unwrapped(
    _ content: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> ArraySlice<UInt8> {
    var outermost = BERReader(content)
    switch outermost.nextTag {
    case BERTag.octetString, BERTag.constructedOctetString:
      let octets = try outermost.octets(try outermost.next())
      guard outermost.hasOnlyPaddingLeft else { break }
      return octets
    default: break
    }
    return content
  }
}

/// The attributes of a receipt or of one purchase in it, one after another.
struct ReceiptAttributes {
  private var cursor: BERCursor

  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) throws(VerificationProblem) {
    var outermost = BERReader(bytes, part)
    cursor = BERCursor(try outermost.next(BERTag.set, "set of attributes").content)
    guard outermost.hasOnlyPaddingLeft else {
      throw VerificationProblem(.malformed, "Something follows the attributes of the receipt.")
    }
  }

  /// The next attribute, and the bytes that contain its value.
  mutating func next(
    in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> (value: ReceiptValue, octets: ArraySlice<UInt8>)? {
    guard !cursor.isAtEnd else { return nil }
    let sequence = try cursor.next(in: bytes)
    var fields = BERCursor(sequence.content)
    let type = try fields.next(in: bytes).integer(in: bytes)
    let version = try fields.next(in: bytes).integer(in: bytes)
    let value = try fields.next(in: bytes)
    guard sequence.tag == BERTag.sequence, let type, version != nil, fields.isAtEnd else {
      throw VerificationProblem(
        .malformed, "The attribute at byte \(sequence.start) is not a type, a version and a value.")
    }
    guard value.tag != BERTag.octetString else {
      return (ReceiptValue(type: type, part: value.content), bytes)
    }
    // No receipt of Apple's with a value in pieces is known.
    let joined = try BERReader(bytes).octets(value)
    return (ReceiptValue(type: type, part: joined.indices), joined)
  }
}
