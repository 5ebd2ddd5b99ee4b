/// The extent of the object or array that begins at a place of a text.
struct BracketExtent {
  /// How the value ends.
  enum End {
    case closed
    /// A string in the value does not end in its line.
    case unendedString
    /// The text ends before the value ends.
    case open
  }

  let end: End
  /// The place after the value, or the place of its unended string, or the end of the text.
  let place: Int
  /// How many objects and arrays are in each other at most.
  let deepest: Int

  /// The extent of the value that begins with the bracket at a place.
  static func find(in text: Bytes, from start: Int) -> BracketExtent {
    var depth = 0
    var deepest = 0
    var index = start
    while index < text.count {
      switch text[index] {
      case Byte.quote:
        guard let next = JSONText.endOfString(text, from: index) else {
          return BracketExtent(end: .unendedString, place: index, deepest: deepest)
        }
        index = next
        continue
      case Byte.openBrace, Byte.openBracket:
        depth += 1
        deepest = max(deepest, depth)
      case Byte.closeBrace, Byte.closeBracket:
        depth -= 1
        if depth == 0 { return BracketExtent(end: .closed, place: index + 1, deepest: deepest) }
      default: break
      }
      index += 1
    }
    return BracketExtent(end: .open, place: text.count, deepest: deepest)
  }
}

extension JSONText {
  /// The place after the closing quote of a string; nil if the string does not end in its line.
  static func endOfString(_ text: Bytes, from open: Int) -> Int? {
    var index = open + 1
    while let quote = text.position(of: Byte.quote, from: index) {
      var slashes = 0
      while quote - slashes > index, text[quote - slashes - 1] == UInt8(ascii: "\\") {
        slashes += 1
      }
      guard text.part(index..<quote).position(of: Byte.lineFeed) == nil else { return nil }
      if slashes % 2 == 0 { return quote + 1 }
      index = quote + 1
    }
    return nil
  }
}
