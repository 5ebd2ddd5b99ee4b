/// Finds the shared secret where its name and its value are not in plain JSON.
///
/// Such places are the fields of a form, percent escapes, a quoted field of a table, the log of a
/// web server, objects with single quotes, as Python prints them, and property lists in XML.
enum EncodedSecrets {
  private static let names = ["password", "sharedsecret", "shared_secret", "shared-secret"].map {
    Array($0.utf8)
  }

  /// The tag before a text in a property list in XML.
  private static let element = Array("<string>".utf8)

  /// The texts that can be between a name and its value; a mark means that a value follows.
  private static let between: [(text: [UInt8], isMark: Bool)] = [
    ("%22", false), ("\\x22", false), ("%3a", true), ("%3d", true), ("%20", false), ("\"", false),
    ("'", false), ("\\", false), (":", true), ("=>", true), ("=", true), (" ", false), ("+", false),
    ("</key>", false), ("\r", false), ("\n", false), ("\t", false), ("<string>", true),
  ].map { (Array($0.0.utf8), $0.1) }
  /// The texts that end a value.
  private static let ends = ["%22", "%26", "\\", "\"", "&", ",", "}", ";", " ", "\t", "\r", "\n"]
    .map {
      Array($0.utf8)
    }

  /// The texts that end a value after a single quote; such a value can contain spaces.
  private static let endsInSingleQuotes = ["'", "\r", "\n"].map { Array($0.utf8) }

  /// The text that ends a value in an element of XML.
  private static let endsInElement = [[UInt8(ascii: "<")]]

  /// The places of the values of secrets.
  static func places(in record: Bytes) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var index = 0
    while index < record.count {
      guard let name = names.first(where: { isThere($0, in: record, at: index) }) else {
        index += 1
        continue
      }
      index += name.count
      var hasMark = false
      var isInSingleQuotes = false
      var isInElement = false
      while let part = between.first(where: { isThere($0.text, in: record, at: index) }) {
        hasMark = hasMark || part.isMark
        isInSingleQuotes = part.text == [UInt8(ascii: "'")]
        isInElement = part.text == element
        index += part.text.count
      }
      guard hasMark else { continue }
      let start = index
      let ends = isInElement ? endsInElement : isInSingleQuotes ? endsInSingleQuotes : ends
      while index < record.count, !ends.contains(where: { isThere($0, in: record, at: index) }) {
        index += 1
      }
      places.append(start..<index)
    }
    return places
  }

  /// Whether letters are at a place, in upper or lower case.
  private static func isThere(_ letters: [UInt8], in record: Bytes, at place: Int) -> Bool {
    guard place + letters.count <= record.count else { return false }
    return letters.indices.allSatisfy { offset in
      let byte = record[place + offset]
      return byte == letters[offset]
        || (0x41...0x5a).contains(byte) && byte | 0x20 == letters[offset]
    }
  }
}
