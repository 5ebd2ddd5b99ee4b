package import Yams

/// YAML that others wrote.
package enum YAML {
  /// The maximum number of aliases.
  ///
  /// The parser compares keys as if each alias were written out. Its time grows exponentially with
  /// the number of aliases inside each other.
  package static let mostAliases = 16

  /// Whether a text may have more aliases than ``mostAliases``.
  ///
  /// Counts the places that a parser could read as an alias.
  package static func hasManyAliases(_ text: Span<UInt8>) -> Bool {
    var before = UInt8(ascii: "\n")
    var isAfterStar = false
    var count = 0
    for index in text.indices {
      let byte = text[index]
      let isName =
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
        || "_-".utf8.contains(byte)
      if isAfterStar, isName { count += 1 }
      isAfterStar = byte == UInt8(ascii: "*") && " \t\r\n[{,:?-\"'".utf8.contains(before)
      before = byte
    }
    return count > mostAliases
  }

  /// The root of a text without many aliases; nil if the text has no document.
  ///
  /// - Throws: `YamlError` if the text is not YAML.
  package static func root(of text: String) throws -> Node? {
    // Without an encoding, the parser looks for one in the environment and prints what it finds.
    try compose(yaml: text, .default, .default, .utf8)
  }
}
