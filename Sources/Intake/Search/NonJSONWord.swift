/// A word that a log has in the place of a JSON value, such as `None`, `***` or `user_17`.
///
/// Software that prints its own objects, or hides a secret, writes such words.
enum NonJSONWord {
  private static let missing: Set<String> = [
    "none", "nil", "null", "undefined", "nan", "n/a", "redacted", "masked", "filtered", "hidden",
    "removed",
  ]

  /// Whether a word is a number, `true`, `false` or `null`, as far as its first byte shows.
  static func isJSON(_ word: Bytes) -> Bool {
    guard let first = word.first else { return false }
    let isNegative = first == UInt8(ascii: "-") && word.count > 1 && word[1].isDigit
    if first.isDigit || isNegative { return word.allSatisfy(\.isOfLiteral) }
    return word.equals("true") || word.equals("false") || word.equals("null")
  }

  /// The word as a JSON value.
  ///
  /// A word that stands for a missing or hidden value is `null`. Any other word is a text.
  static func json(_ word: Bytes) -> [UInt8] {
    let isLetter = { (byte: UInt8) in
      byte >= 0x80 || byte.isDigit || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a
    }
    let letters = word.drop { !isLetter($0) }.reversed().drop { !isLetter($0) }.reversed()
    let core = String(decoding: letters, as: UTF8.self).lowercased()
    let isMask = word.allSatisfy { $0 == word[0] } && "xX#*.?-".utf8.contains(word[0])
    if core.isEmpty || isMask || missing.contains(core) { return Array("null".utf8) }
    if core == "true" || core == "false" { return Array(core.utf8) }
    return JSONText(text: Array(word)).bytes
  }
}

extension UInt8 {
  /// Whether this byte can be part of a word without quotes.
  var isOfWord: Bool { self > 0x20 && self != 0x7f && !",:{}[]\"\\".utf8.contains(self) }
}
