/// Finds the lines of a private key in PEM that are rejected as records of their own.
///
/// A single line of a key does not show that it is a secret; the line before the key does.
struct KeyLines: Sendable {
  /// Whether a key has begun and not ended.
  private var isOpen = false

  /// Takes the next rejected record, and returns whether it is a line of a key.
  mutating func take(_ record: Bytes) -> Bool {
    guard isOpen else {
      isOpen = Self.endings.contains {
        record.suffix($0.utf8CodeUnitCount).elementsEqual(Bytes(literal: $0))
      }
      return false
    }
    if record.string.contains("-----END ") { isOpen = false }
    return isOpen && record.allSatisfy(Self.isOfKey)
  }

  /// The ends of the line before a key.
  private static let endings: [StaticString] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"]

  /// Whether a byte is Base64, or stands around it in a list of texts.
  private static func isOfKey(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7a).contains(byte | 0x20) || #"+/=-_"',\"#.utf8.contains(byte)
  }
}
