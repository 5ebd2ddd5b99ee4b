/// Text as files, databases and other programs read it: by bytes and Unicode scalars.
///
/// Swift reads a `String` by `Character`. A slash before a combining mark is part of a `Character`
/// that is not a slash, and two spellings of `é` are equal.
extension StringProtocol {
  /// Whether the bytes of both are equal.
  package func isExactly(_ other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether its bytes begin with those of another text.
  package func begins(withBytesOf start: some StringProtocol) -> Bool {
    utf8.starts(with: start.utf8)
  }

  /// Whether its bytes end with those of another text.
  package func ends(withBytesOf end: some StringProtocol) -> Bool {
    utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }

  /// The texts between the scalars that are equal to `separator`, without empty ones.
  package func parts(between separator: Unicode.Scalar) -> [String] {
    unicodeScalars.split(separator: separator).map { String(String.UnicodeScalarView($0)) }
  }

  /// The text with scalars replaced; nil keeps one.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var replaced = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        replaced += other.unicodeScalars
      } else {
        replaced.append(scalar)
      }
    }
    return String(replaced)
  }

  /// The text as CSV writes it between quotes.
  package var withDoubledQuotes: String {
    replacingScalars { $0 == "\"" ? "\"\"" : nil }
  }
}

extension Sequence<String> {
  /// The texts in the order of their bytes, each once.
  package func sortedByBytes() -> [String] {
    Set(map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
