/// Base64 of RFC 4648.
public enum Base64 {
  /// Decodes a receipt in the form in which apps and archives keep it.
  ///
  /// It accepts the standard alphabet and that of URLs, line breaks and spaces anywhere, and `%2B`,
  /// `%2F`, `%3D` and `%0A` as in URLs, with or without padding.
  ///
  /// - Returns: The bytes, or nil if the text is not base64.
  package static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
    var group = Group()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var padding = 0
    var index = 0
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard let escaped = percentEscaped(text, at: index) else { return nil }
        byte = escaped
        index += 2
      }
      let sextet = anyAlphabet[Int(byte)]
      if sextet < 64 {
        guard padding == 0 else { return nil }
        group.append(sextet, to: &bytes)
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if !(byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) {
        return nil
      }
    }
    guard padding == 0 || (group.count > 0 && group.count + padding == 4) else { return nil }
    return group.finish(&bytes) ? bytes : nil
  }

  /// Decodes a receipt in the form in which apps and archives keep it.
  ///
  /// - Returns: The bytes, or nil if the text is not base64.
  public static func decoded(_ text: [UInt8]) -> [UInt8]? { decoded(text.span) }

  /// Decodes a receipt in which each `+` became a space, as a form does that is decoded twice.
  ///
  /// - Returns: The bytes, or nil if the text has no space, has a `+`, or is not base64.
  public static func decoded(spacesForPlusSigns text: [UInt8]) -> [UInt8]? {
    let plus = UInt8(ascii: "+")
    guard text.contains(0x20), !text.contains(plus) else { return nil }
    return decoded(text.map { $0 == 0x20 ? plus : $0 })
  }

  /// Decodes a segment of a JWS: the alphabet of URLs, without padding.
  ///
  /// For the same bytes it accepts only one text.
  static func urlDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let wholeGroups = text.count / 4
    let capacity = text.count / 4 * 3 + 3
    var index = text.startIndex
    var group = Group()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    for _ in 0..<wholeGroups {
      let first = UInt32(urlAlphabet[Int(text[index])])
      let second = UInt32(urlAlphabet[Int(text[index + 1])])
      let third = UInt32(urlAlphabet[Int(text[index + 2])])
      let fourth = UInt32(urlAlphabet[Int(text[index + 3])])
      // A byte of another alphabet is 255 in the table, so one comparison checks all four.
      guard first | second | third | fourth < 64 else { return nil }
      let bits = first << 18 | second << 12 | third << 6 | fourth
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
      index += 4
    }
    while index < text.endIndex {
      let sextet = urlAlphabet[Int(text[index])]
      guard sextet < 64 else { return nil }
      group.append(sextet, to: &bytes)
      index += 1
    }
    return group.finish(&bytes) ? bytes : nil
  }

  private static func percentEscaped(_ text: Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 1 < text.count else { return nil }
    switch (text[index], text[index + 1] | 0x20) {
    case (UInt8(ascii: "2"), UInt8(ascii: "b")): return UInt8(ascii: "+")
    case (UInt8(ascii: "2"), UInt8(ascii: "f")): return UInt8(ascii: "/")
    case (UInt8(ascii: "3"), UInt8(ascii: "d")): return UInt8(ascii: "=")
    case (UInt8(ascii: "0"), UInt8(ascii: "a")), (UInt8(ascii: "0"), UInt8(ascii: "d")):
      return UInt8(ascii: "\n")
    default: return nil
    }
  }

  private static let urlAlphabet = alphabet(plus: "-", slash: "_")

  private static let anyAlphabet: [UInt8] = zip(alphabet(plus: "+", slash: "/"), urlAlphabet)
    .map(min)

  /// The six bits of each byte; 255 for a byte that is not in the alphabet.
  private static func alphabet(plus: Unicode.Scalar, slash: Unicode.Scalar) -> [UInt8] {
    var table = [UInt8](repeating: 255, count: 256)
    for letter in 0..<26 {
      table[Int(UInt8(ascii: "A")) + letter] = UInt8(letter)
      table[Int(UInt8(ascii: "a")) + letter] = UInt8(26 + letter)
    }
    for digit in 0..<10 { table[Int(UInt8(ascii: "0")) + digit] = UInt8(52 + digit) }
    table[Int(plus.value)] = 62
    table[Int(slash.value)] = 63
    return table
  }

  /// Up to four letters that are being decoded to three bytes.
  private struct Group {
    private var bits: UInt32 = 0
    private(set) var count = 0

    @inline(__always)
    mutating func append(_ sextet: UInt8, to bytes: inout [UInt8]) {
      bits = bits << 6 | UInt32(sextet)
      count += 1
      guard count == 4 else { return }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits = 0
      count = 0
    }

    /// Writes the remaining bytes; false if half a byte or an unused bit that is set is left.
    func finish(_ bytes: inout [UInt8]) -> Bool {
      switch count {
      case 0: return true
      case 2:
        bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        return bits & 0xf == 0
      case 3:
        bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        return bits & 0x3 == 0
      default: return false
      }
    }
  }
}
