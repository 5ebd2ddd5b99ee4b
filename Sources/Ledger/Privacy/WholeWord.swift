/// Names that are words of their own in a text, with no letter or digit of ASCII before or after.
///
/// For example, `reader-101` is not found in `reader-1011`, and a number is not found in a hash. The
/// letter or digit before a name may belong to an escape, as in `\nreader-101`.
package enum WholeWord {
  /// Whether a part of the bytes is a word of its own.
  package static func isAlone<Text: RandomAccessCollection<UInt8>>(
    _ part: Range<Int>, in bytes: Text
  ) -> Bool where Text.Index == Int {
    (part.lowerBound == bytes.startIndex || !isOfWord(bytes[part.lowerBound - 1])
      || isEscape(bytes[..<part.lowerBound].suffix(6)))
      && (part.upperBound == bytes.endIndex || !isOfWord(bytes[part.upperBound]))
  }

  /// Whether the bytes end with an escape: `\n`, `\u0022` or `%22`.
  private static func isEscape(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    guard let last = bytes.last else { return false }
    let digits = bytes.reversed().prefix { Character(Unicode.Scalar($0)).isHexDigit }.count
    func isAt(_ place: Int, _ text: String) -> Bool {
      place >= 0 && bytes[place...].starts(with: text.utf8)
    }
    if "bfnrt".utf8.contains(last), isAt(bytes.count - 2, "\\") { return true }
    if digits >= 4, isAt(bytes.count - 6, "\\u") { return true }
    return digits >= 2 && isAt(bytes.count - 3, "%")
  }

  /// The text with each name that is a word of its own replaced by its token.
  static func replacing(_ tokens: NameTokens, in text: String) -> String {
    // A longer name can contain a shorter one.
    let names = tokens.all.filter { !$0.name.isEmpty }
      .map { (bytes: Array($0.name.utf8), token: Array($0.token.utf8)) }
      .sorted { $0.bytes.count > $1.bytes.count }
    let bytes = Array(text.utf8)
    var replaced: [UInt8] = []
    var at = 0
    while at < bytes.count {
      let name = names.first { name in
        bytes[at...].starts(with: name.bytes) && isAlone(at..<at + name.bytes.count, in: bytes)
      }
      replaced += name?.token ?? [bytes[at]]
      at += name?.bytes.count ?? 1
    }
    return String(decoding: replaced, as: UTF8.self)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
  }
}
