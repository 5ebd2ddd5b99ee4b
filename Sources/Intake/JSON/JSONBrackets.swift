/// Follows the brackets and strings of a JSON text, byte by byte.
struct JSONBrackets {
  /// The number of objects and arrays that are open; negative if more were closed.
  private(set) var depth = 0
  /// Whether a string is open.
  private(set) var isInString = false
  private var isEscaped = false

  /// Reads the next byte; returns whether it closes an object, an array or a string.
  @inline(__always)
  @discardableResult
  mutating func take(_ byte: UInt8) -> Bool {
    if isEscaped {
      isEscaped = false
    } else if isInString {
      isEscaped = byte == UInt8(ascii: "\\")
      isInString = byte != Byte.quote
      return !isInString
    } else if byte == Byte.quote {
      isInString = true
    } else if byte == Byte.openBrace || byte == Byte.openBracket {
      depth += 1
    } else if byte == Byte.closeBrace || byte == Byte.closeBracket {
      depth -= 1
      return true
    }
    return false
  }

  /// Reads the next bytes of a value; returns the place after its end, or nil if the value goes on.
  mutating func end(in bytes: Bytes) -> Int? {
    for (index, byte) in bytes.enumerated() {
      if take(byte), depth <= 0 { return index + 1 }
    }
    return nil
  }

  /// Whether an object, an array or a string is still open at the end of a text.
  static func areOpen(atEndOf text: Bytes) -> Bool {
    var brackets = JSONBrackets()
    for byte in text { brackets.take(byte) }
    return brackets.isInString || brackets.depth > 0
  }
}
