/// Finds the lines of a private key in PEM that are rejected as records of their own.
///
/// A single line of a key does not show that it is a secret; the line before the key does.
struct KeyLines: Sendable {
  /// Whether a key has begun and not ended.
  private var isOpen: Bool

  /// Creates the state at the beginning of a block.
  init(isOpen: Bool = false) { self.isOpen = isOpen }

  /// Takes the next rejected record, and returns whether it is a line of a key.
  mutating func take(_ record: Bytes) -> Bool {
    guard isOpen else {
      isOpen = Self.begins(after: record)
      return false
    }
    if record.string.contains("-----END ") { isOpen = false }
    return isOpen && record.allSatisfy(Self.isOfKey)
  }

  /// Whether a block of lines ends inside of a key.
  ///
  /// - Parameter before: Whether it begins inside of one.
  static func isOpen(after block: Bytes, before: Bool) -> Bool {
    let first = max(0, block.count - searchedBytes)
    var dashes = 0
    var index = block.count
    while index > first {
      index -= 1
      dashes = block[index] == UInt8(ascii: "-") ? dashes + 1 : 0
      guard dashes == 5 else { continue }
      let start = block.part(0..<index).lastIndex(of: Byte.lineFeed).map { $0 + 1 } ?? 0
      let end = block.position(of: Byte.lineFeed, from: index) ?? block.count
      let line = block.part(start..<end).trimmed
      if line.string.contains("-----END ") { return false }
      if begins(after: line) { return true }
      index = start
      dashes = 0
    }
    return before && first == 0
  }

  /// The number of bytes at the end of a block in which the beginning of a key is searched.
  ///
  /// It is more than the length of a key.
  private static let searchedBytes = 16 << 10

  /// Whether a key begins after a line.
  private static func begins(after line: Bytes) -> Bool {
    endings.contains { line.suffix($0.utf8CodeUnitCount).elementsEqual(Bytes(literal: $0)) }
  }

  /// The ends of the line before a key.
  private static let endings: [StaticString] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"]

  /// Whether a byte is Base64, or stands around it in a list of texts.
  private static func isOfKey(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7a).contains(byte | 0x20) || #"+/=-_"',\"#.utf8.contains(byte)
  }
}
