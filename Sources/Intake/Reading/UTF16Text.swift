/// Turns UTF-16 with a byte order mark (RFC 2781) into UTF-8, piece by piece.
///
/// Invalid UTF-16 becomes a byte that never occurs in UTF-8, so the record that contains it is
/// rejected.
struct UTF16Text {
  private static let notText: UInt8 = 0xff

  private let isBigEndian: Bool
  /// The first byte of a code unit whose second byte is not read yet.
  private var half: UInt8?
  /// The first of two surrogates.
  private var surrogate: UInt16?
  /// Whether the mark is not read yet.
  private var isAtMark = true

  /// Recognizes the mark and an ASCII character after it; nil if a text begins with anything else.
  ///
  /// Every form that is read begins with an ASCII character. A text in another encoding can begin
  /// with the two bytes of the mark by accident.
  init?(_ start: Bytes) {
    guard start.count >= 4 else { return nil }
    let isBigEndian = start[0] == 0xfe && start[1] == 0xff
    guard isBigEndian || start[0] == 0xff && start[1] == 0xfe else { return nil }
    let (high, low) = isBigEndian ? (start[2], start[3]) : (start[3], start[2])
    guard high == 0, low < 0x80, low > 0 else { return nil }
    self.isBigEndian = isBigEndian
  }

  /// The maximum number of UTF-8 bytes that a number of UTF-16 bytes can become.
  static func limit(_ bytes: Int) -> Int { (bytes / 2 + 2) * 3 }

  /// The UTF-8 of the next bytes.
  mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(Self.limit(bytes.count))
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit =
        isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      append(unit, to: &text)
    }
    return text
  }

  /// A byte for an incomplete character at the end of the file; empty if there is none.
  mutating func end() -> [UInt8] {
    defer {
      half = nil
      surrogate = nil
    }
    return half != nil || surrogate != nil ? [Self.notText] : []
  }

  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
    if isAtMark {
      isAtMark = false
      return
    }
    if let high = surrogate {
      surrogate = nil
      if (0xdc00...0xdfff).contains(unit) {
        let value = (UInt32(high) - 0xd800) << 10 + UInt32(unit) - 0xdc00 + 0x10000
        if let scalar = Unicode.Scalar(value) { text += String(scalar).utf8 }
        return
      }
      text.append(Self.notText)
    }
    if unit < 0x80 {
      text.append(UInt8(unit))
    } else if (0xd800...0xdbff).contains(unit) {
      surrogate = unit
    } else if let scalar = Unicode.Scalar(unit) {
      text += String(scalar).utf8
    } else {
      text.append(Self.notText)
    }
  }
}
