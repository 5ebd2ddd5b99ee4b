/// How far a text is the beginning of a JSON value, by the grammar of JSON alone.
///
/// Nothing is decoded, and a literal may be any word, as in the search for evidence, so a value that
/// ends can still be no JSON.
enum JSONExtent {
  /// The value ends before this place.
  case ended(Int)
  /// The text from this place on cannot belong to the value.
  case broken(Int)
  /// The text ends before the value ends.
  case open

  private enum Expected {
    case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd
  }

  /// Reads the value that begins at a place; each byte is read once.
  static func of(_ bytes: Bytes, from start: Int) -> JSONExtent {
    var containers: [UInt8] = []
    var expected = Expected.value
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte.isWhiteSpace {
        index += 1
        continue
      }
      switch (expected, byte) {
      case (.name, Byte.quote), (.nameOrEnd, Byte.quote), (.value, Byte.quote),
        (.valueOrEnd, Byte.quote):
        guard let end = JSONText.endOfString(bytes, from: index) else {
          return bytes.position(of: Byte.lineFeed, from: index) == nil ? .open : .broken(index)
        }
        expected = expected == .name || expected == .nameOrEnd ? .colon : .commaOrEnd
        index = end
      case (.colon, UInt8(ascii: ":")):
        expected = .value
        index += 1
      case (.value, Byte.openBrace), (.valueOrEnd, Byte.openBrace), (.value, Byte.openBracket),
        (.valueOrEnd, Byte.openBracket):
        containers.append(byte)
        expected = byte == Byte.openBrace ? .nameOrEnd : .valueOrEnd
        index += 1
      case (.nameOrEnd, Byte.closeBrace), (.valueOrEnd, Byte.closeBracket),
        (.commaOrEnd, Byte.closeBrace), (.commaOrEnd, Byte.closeBracket):
        let open = byte == Byte.closeBrace ? Byte.openBrace : Byte.openBracket
        guard containers.popLast() == open else { return .broken(index) }
        index += 1
        expected = .commaOrEnd
      case (.commaOrEnd, UInt8(ascii: ",")):
        expected = containers.last == Byte.openBrace ? .name : .value
        index += 1
      case (.value, _), (.valueOrEnd, _):
        let end = literalEnd(bytes, from: index)
        guard end > index else { return .broken(index) }
        guard end < bytes.count else { return .open }
        expected = .commaOrEnd
        index = end
      default: return .broken(index)
      }
      if containers.isEmpty { return .ended(index) }
    }
    return .open
  }

  private static func literalEnd(_ bytes: Bytes, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isOfWord { end += 1 }
    return end
  }
}
