/// Reads what a receipt's signature covers: a SET OF SEQUENCE {type, version, value}.
enum ReceiptContent {
  /// Decodes the content of an app receipt.
  ///
  /// - Throws: `malformed`.
  static func receipt(_ content: ArraySlice<UInt8>) throws(VerificationProblem) -> AppReceipt {
    var receipt = AppReceipt()
    var attributes = try ReceiptAttributes(try unwrapped(content))
    while let attribute = try attributes.next() {
      guard try receipt.take(attribute) else {
        receipt.otherAttributes.append(
          UnknownAttribute(type: attribute.type, value: attribute.value))
        continue
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

/// One attribute of a receipt.
struct ReceiptAttribute {
  let type: Int64
  let value: ArraySlice<UInt8>

  /// The value as a text, if it is one; Apple writes an empty one for none.
  var text: String? {
    var reader = BERReader(value)
    guard let element = try? reader.next(), reader.isAtEnd else { return nil }
    return reader.text(element)
  }

  /// The value as a whole number, if it is one.
  var integer: Int64? {
    var reader = BERReader(value)
    guard let element = try? reader.next(), reader.isAtEnd else { return nil }
    return reader.integer(element)
  }

  /// Puts a value into its field.
  ///
  /// Two attributes of one type that differ would let readers disagree.
  func give<Value: Equatable>(
    _ new: Value?, to field: inout Value?
  ) throws(VerificationProblem) {
    guard let new else { return }
    guard field == nil || field == new else {
      throw VerificationProblem(
        .malformed, "Attribute \(type) says two things; ask Apple for the receipt again.")
    }
    field = new
  }

  /// Puts a text into its field; false if the value is none.
  func giveText(to field: inout String?) throws(VerificationProblem) -> Bool {
    guard let text else { return false }
    try give(text.isEmpty ? nil : text, to: &field)
    return true
  }
}

/// The attributes of a receipt or of one purchase in it, one after the other.
struct ReceiptAttributes {
  private var reader: BERReader

  init(_ set: ArraySlice<UInt8>) throws(VerificationProblem) {
    var outermost = BERReader(set)
    reader = outermost.within(try outermost.next(BERTag.set, "set of attributes"))
    guard outermost.hasOnlyPaddingLeft else {
      throw VerificationProblem(.malformed, "Something follows the attributes of the receipt.")
    }
  }

  mutating func next() throws(VerificationProblem) -> ReceiptAttribute? {
    guard !reader.isAtEnd else { return nil }
    var fields = reader.within(try reader.next(BERTag.sequence, "attribute"))
    let type = fields.integer(try fields.next())
    let version = fields.integer(try fields.next())
    guard let type, version != nil else {
      throw VerificationProblem(
        .malformed, "An attribute before byte \(reader.offset) of the content has no number.")
    }
    let value = try fields.octets(try fields.next())
    guard fields.isAtEnd else {
      throw VerificationProblem(.malformed, "Attribute \(type) has more than a value.")
    }
    return ReceiptAttribute(type: type, value: value)
  }
}
