/// Reads the signed content of a receipt: a SET OF SEQUENCE {type, version, value}.
enum ReceiptContent {
  /// Decodes the content of an app receipt.
  ///
  /// - Throws: `malformed`.
  static func receipt(_ content: ArraySlice<UInt8>) throws(VerificationProblem) -> AppReceipt {
    let bytes = try unwrapped(content)
    var receipt = AppReceipt()
    var attributes = try ReceiptAttributes(bytes, bytes.startIndex..<bytes.endIndex)
    while let attribute = try attributes.next(in: bytes) {
      if let joined = try attribute.joined(in: bytes) {
        try receipt.take(ReceiptValue(type: attribute.type, part: joined.indices), in: joined)
      } else {
        try receipt.take(
          ReceiptValue(type: attribute.type, part: attribute.value.content), in: bytes)
      }
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
  /// One attribute.
  struct Attribute {
    let type: Int64
    /// The value, an octet string.
    let value: BERElement

    /// The joined octets of a value in pieces; nil if the value is in one piece.
    ///
    /// No receipt of Apple's with a value in pieces is known.
    func joined(in bytes: ArraySlice<UInt8>) throws(VerificationProblem) -> ArraySlice<UInt8>? {
      value.tag == BERTag.octetString ? nil : try BERReader(bytes).octets(value)
    }
  }

  private var cursor: BERCursor

  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) throws(VerificationProblem) {
    var outermost = BERReader(bytes, part)
    cursor = BERCursor(try outermost.next(BERTag.set, "set of attributes").content)
    guard outermost.hasOnlyPaddingLeft else {
      throw VerificationProblem(.malformed, "Something follows the attributes of the receipt.")
    }
  }

  mutating func next(in bytes: ArraySlice<UInt8>) throws(VerificationProblem) -> Attribute? {
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
    return Attribute(type: type, value: value)
  }
}
