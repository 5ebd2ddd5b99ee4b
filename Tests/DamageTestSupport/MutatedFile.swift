/// A sample with a few changed, moved, repeated or removed bytes.
///
/// A seed always gives the same damage.
public struct MutatedFile: CustomStringConvertible {
  /// The seed of the damage.
  public let seed: UInt64
  /// The damaged bytes.
  public let bytes: [UInt8]

  /// Damages a sample as the seed determines.
  public init(of sample: [UInt8], seed: UInt64) {
    self.seed = seed
    var dice = Dice(seed)
    bytes = Self.damaged(sample, &dice)
  }

  /// The seed, and the first bytes.
  public var description: String {
    let start = bytes.prefix(400).map { byte in
      (0x20..<0x7f).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
    }
    return "TIEOUT_TEST_SEED=\(seed) TIEOUT_TEST_CASES=1: \(start.joined())"
  }

  /// Bytes with a special meaning for some reader.
  private static let meaningful: [[UInt8]] =
    [
      "\"", ",", "\n", "\r\n", "\r", "\u{0}", "{", "}", "[", "]", "\\", "\\u0000", "\\ud800", "&",
      "<",
      ">", "]]>", "<!--", "\u{feff}", "-", "99999999999999999999", "1e400", ";", "=", "sep=;\n",
      "\u{1f}", "null", "\u{202e}", " ", "\t",
    ].map { Array($0.utf8) } + [
      [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x1f, 0x8b], [0x30, 0x80], [0],
    ]

  /// The bytes with one to four damages.
  private static func damaged(_ sample: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = sample
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      guard !bytes.isEmpty else { break }
      let start = Int.random(in: 0..<bytes.count, using: &dice)
      let end = min(bytes.count, start + Int.random(in: 0...40, using: &dice))
      let place = Int.random(in: 0...bytes.count, using: &dice)
      switch Int.random(in: 0...8, using: &dice) {
      case 0: bytes[start] = UInt8.random(in: 0...255, using: &dice)
      case 1: bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &dice)
      case 2: bytes.removeSubrange(start..<end)
      case 3: bytes.insert(contentsOf: bytes[start..<end], at: place)
      case 4: bytes[start] = dice.next() & 1 == 0 ? 0 : 255
      case 5: bytes.insert(contentsOf: meaningful.randomElement(using: &dice) ?? [], at: place)
      case 6: bytes.replaceSubrange(start..<end, with: bytes[start..<end].reversed())
      case 7: bytes.removeSubrange(start...)
      default: bytes.remove(at: start)
      }
    }
    return bytes
  }
}
