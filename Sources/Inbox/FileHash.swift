/// A SHA-256 in four integers.
///
/// It needs no allocation of its own, because an inbox can hold a hundred thousand files.
package struct FileHash: Sendable, Hashable {
  private let words: SIMD4<UInt64>

  /// Takes the 32 bytes of a SHA-256; nil for any other number of bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    words = SIMD4(
      (0..<4).map { number -> UInt64 in
        bytes[number * 8..<number * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
      })
  }

  /// Takes 64 hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    self.init(bytes)
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    words.indices.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: words[number] >> (56 - 8 * $0)) }
    }
  }
}
