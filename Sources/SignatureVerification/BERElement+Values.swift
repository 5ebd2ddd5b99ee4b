extension BERElement {
  /// The value as a whole number of at most 64 bits; nil if it is not one.
  func integer(in bytes: ArraySlice<UInt8>) -> Int64? {
    guard tag == BERTag.integer, (1...8).contains(content.count) else { return nil }
    var value: Int64 = bytes[content.lowerBound] & 0x80 == 0 ? 0 : -1
    for index in content { value = value << 8 | Int64(bytes[index]) }
    return value
  }

  /// The text of an element of a kind that Apple uses; nil if it is not UTF-8.
  func text(in bytes: ArraySlice<UInt8>) -> String? {
    switch tag {
    case BERTag.utf8String, BERTag.ia5String, BERTag.printableString: break
    default: return nil
    }
    let text = bytes[content]
    // ASCII does not need the validation as UTF-8, which is slow.
    guard text.allSatisfy({ $0 < 0x80 }) else { return String(validating: text, as: UTF8.self) }
    return String(decoding: text, as: UTF8.self)
  }
}
