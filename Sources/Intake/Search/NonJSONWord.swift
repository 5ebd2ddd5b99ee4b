/// A word that a log has in the place of a JSON value, such as `None`, `***` or `user_17`.
///
/// Software that prints its own objects, or hides a secret, writes such words.
enum NonJSONWord {
  private static let missing: Set<String> = [
    "none", "nil", "null", "undefined", "nan", "n/a", "redacted", "masked", "filtered", "hidden",
    "removed",
  ]

  /// Whether a word is a number, `true`, `false` or `null`.
  static func isJSON(_ word: Bytes) -> Bool {
    isNumber(word) || word.equals("true") || word.equals("false") || word.equals("null")
  }

  /// Whether a word is a number by the grammar of JSON (RFC 8259, section 6).
  ///
  /// Identifiers such as `007`, `17ab3f` and `2026-11-19` begin like a number, but are none.
  private static func isNumber(_ word: Bytes) -> Bool {
    var rest = word[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let beginsWithZero = rest.first == Byte.zero
    let whole = dropDigits(of: &rest)
    guard whole == 1 || whole > 1 && !beginsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard dropDigits(of: &rest) > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard dropDigits(of: &rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// Drops the digits at the beginning, and returns their number.
  private static func dropDigits(of rest: inout Slice<Bytes>) -> Int {
    let digits = rest.prefix { $0.isDigit }.count
    rest.removeFirst(digits)
    return digits
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
