extension BERElement {
  /// A whole number of at most 64 bits.
  func integer(in bytes: ArraySlice<UInt8>) -> Int64? {
    guard tag == BERTag.integer, (1...8).contains(content.count) else { return nil }
    var value: Int64 = bytes[content.lowerBound] & 0x80 == 0 ? 0 : -1
    for index in content { value = value << 8 | Int64(bytes[index]) }
    return value
  }

  /// A text of one of the kinds that Apple uses, if it is UTF-8.
  func text(in bytes: ArraySlice<UInt8>) -> String? {
    switch tag {
    case BERTag.utf8String, BERTag.ia5String, BERTag.printableString: break
    default: return nil
    }
    let text = bytes[content]
    // ASCII needs no look at how its bytes hang together, and that look is slow.
    guard text.allSatisfy({ $0 < 0x80 }) else { return String(validating: text, as: UTF8.self) }
    return String(decoding: text, as: UTF8.self)
  }
}
