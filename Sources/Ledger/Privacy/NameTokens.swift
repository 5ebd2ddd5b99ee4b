/// The tokens that replace names, by name.
///
/// Names with the same bytes are equal, as in the database. A `String` would also be equal to a
/// name in which a letter is composed in another way.
struct NameTokens {
  private var tokens: [[UInt8]: String] = [:]

  /// The names in the order of their bytes, each with its token.
  var all: [(name: String, token: String)] {
    tokens.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
  }

  subscript(name: String) -> String? {
    get { tokens[Array(name.utf8)] }
    set { tokens[Array(name.utf8)] = newValue }
  }

  /// Adds the tokens of other names; a name that is there keeps its own.
  mutating func add(_ others: NameTokens) {
    tokens.merge(others.tokens) { one, _ in one }
  }
}
