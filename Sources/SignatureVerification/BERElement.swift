/// One element of BER (ITU-T X.690), as offsets into bytes that the caller keeps.
struct BERElement {
  /// The identifier octet; nothing that Apple signs has tags of several octets.
  let tag: UInt8
  /// The offset of the identifier.
  let start: Int
  /// The content, without the end-of-contents octets of an indefinite length.
  let content: Range<Int>
  /// The first offset after the element.
  let end: Int

  /// The range of identifier, length and content.
  var whole: Range<Int> { start..<end }
}

/// Identifier octets that occur in what Apple signs.
enum BERTag {
  static let integer: UInt8 = 0x02
  static let octetString: UInt8 = 0x04
  static let constructedOctetString: UInt8 = 0x24
  static let objectIdentifier: UInt8 = 0x06
  static let utf8String: UInt8 = 0x0c
  static let printableString: UInt8 = 0x13
  static let ia5String: UInt8 = 0x16
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31
  /// `[0]`, constructed.
  static let first: UInt8 = 0xa0
  /// `[1]`, constructed.
  static let second: UInt8 = 0xa1
}
