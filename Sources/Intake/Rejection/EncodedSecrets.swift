/// Finds the shared secret where its name and its value are not in plain JSON.
///
/// Such places are the fields of a form, percent escapes, a quoted field of a table, the log of a
/// web server, objects with single quotes, as Python prints them, property lists in XML, and the
/// token of a request (`Bearer`). If the name is in the record, each text with the form of Apple's
/// shared secrets is one: 32 hexadecimal digits. It can be in another field than the name.
enum EncodedSecrets {
  private static let names = ["password", "sharedsecret", "shared_secret", "shared-secret"].map {
    Array($0.utf8)
  }

  /// The scheme before the token in a header of a request (RFC 6750).
  private static let bearer = Array("bearer ".utf8)
  /// The number of hexadecimal digits of a shared secret that App Store Connect makes.
  private static let digits = 32

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
    var hasName = false
    while index < record.count {
      let isBearer = isThere(bearer, in: record, at: index)
      guard
        let name = isBearer ? bearer : names.first(where: { isThere($0, in: record, at: index) })
      else {
        index += 1
        continue
      }
      index += name.count
      hasName = hasName || !isBearer
      var hasMark = isBearer
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
    return hasName ? places + likeSharedSecrets(in: record) : places
  }

  /// The places of words that have the form of a shared secret.
  private static func likeSharedSecrets(in record: Bytes) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = 0
    for index in 0...record.count {
      if index < record.count, isLetterOrDigit(record[index]) { continue }
      let word = start..<index
      if word.count == digits, word.allSatisfy({ isHexadecimal(record[$0]) }) {
        places.append(word)
      }
      start = index + 1
    }
    return places
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7a).contains(byte | 0x20)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x66).contains(byte | 0x20)
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
