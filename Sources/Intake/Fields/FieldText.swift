/// The limits for the text of a field, for every file format.
enum FieldText {
  /// The maximum number of characters of an identifier.
  static let identifierLimit = 100
  /// The maximum number of characters of a product identifier, as in App Store Connect.
  static let productLimit = 255
  /// The maximum number of bytes of a label: a server, a region or an app's version.
  ///
  /// An index row holds three labels beside other texts, and has room for 2,704 bytes (PostgreSQL
  /// manual, "B-Tree Implementation").
  static let labelLimit = 255
  /// The quantities that a transaction can have.
  static let quantities: ClosedRange<Int64> = 1...1_000_000_000
  /// The maximum number of bytes of any other text.
  static let textLimit = 64 << 10

  /// Whether this is one to a hundred printable characters without a space.
  @inline(__always)
  static func isIdentifier(_ text: Bytes) -> Bool {
    if text.count <= identifierLimit {
      var isPlain = text.count > 0
      for byte in text where byte <= 0x20 || byte >= 0x7f { isPlain = false }
      if isPlain { return true }
    }
    return hasOnly(text, limit: identifierLimit) { !$0.isSpaceOrInvisible }
  }

  /// Whether this is one to 255 characters without a control character.
  @inline(__always)
  static func isProductIdentifier(_ text: Bytes) -> Bool {
    if text.count <= productLimit {
      var isPlain = text.count > 0
      for byte in text where byte < 0x20 || byte >= 0x7f { isPlain = false }
      if isPlain { return true }
    }
    return hasOnly(text, limit: productLimit) { !$0.isControl }
  }

  /// The period of a subscription; nil if it is 0, as archives write it if there is none.
  @inline(__always)
  static func lineItem(_ identifier: Bytes?) -> Bytes? {
    guard let identifier, !identifier.equals("0") else { return nil }
    return identifier
  }

  /// Whether PostgreSQL can keep this as text.
  @inline(__always)
  static func isText(_ text: Bytes, limit: Int = textLimit) -> Bool {
    text.count <= limit && text.position(of: 0) == nil
  }

  /// Whether this has the form of an ISO 4217 code: three capital letters.
  static func isCurrency(_ text: Bytes) -> Bool { isCode(text) }

  /// Whether this has the form of an ISO 3166-1 alpha-3 code: three capital letters.
  static func isStorefront(_ text: Bytes) -> Bool { isCode(text) }

  private static func isCode(_ text: Bytes) -> Bool {
    text.count == 3 && text.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
  }

  /// Reads a whole number; nil if it is malformed or does not fit in an `Int64`.
  static func wholeNumber(_ text: Bytes) -> Int64? {
    guard let first = text.first, first.isDigit || text.count > 1 && first == UInt8(ascii: "-")
    else { return nil }
    var magnitude: UInt64 = 0
    for digit in text.dropFirst(first.isDigit ? 0 : 1) {
      guard digit.isDigit else { return nil }
      let (product, productOverflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(UInt64(digit - Byte.zero))
      if productOverflows || sumOverflows { return nil }
      magnitude = sum
    }
    if first.isDigit { return Int64(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  /// Reads a flag; nil if it is neither true nor false.
  ///
  /// An empty text is false.
  static func flag(_ text: Bytes) -> Bool? {
    if text.isEmpty || text.equals("0") || text.isWord("false") { return false }
    return text.equals("1") || text.isWord("true") ? true : nil
  }

  private static func hasOnly(
    _ text: Bytes, limit: Int, _ isAllowed: (Unicode.Scalar) -> Bool
  ) -> Bool {
    // No character has more than four bytes.
    guard text.count > 0, text.count <= limit * 4 else { return false }
    var characters = 0
    for scalar in text.string.unicodeScalars {
      characters += 1
      guard characters <= limit, isAllowed(scalar) else { return false }
    }
    return true
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character.
  var isControl: Bool {
    value < 0x20 || value >= 0x7f && value < 0xa0
  }

  /// Whether a reader would not see this in the middle of an identifier.
  var isSpaceOrInvisible: Bool {
    isControl || properties.isWhitespace || properties.generalCategory == .format
      || Self.blanks.contains(value)
  }

  /// Letters and symbols that show nothing: the fillers of Hangul, and the pattern of Braille without
  /// dots (unicode.org/charts).
  private static let blanks: Set<UInt32> = [0x115f, 0x1160, 0x2800, 0x3164, 0xffa0]
}
