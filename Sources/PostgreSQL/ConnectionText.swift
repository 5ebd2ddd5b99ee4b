import CLibPQ

/// A libpq connection string, split into its values.
package struct ConnectionText: Sendable {
  /// The string as it was given.
  private let given: String
  /// The keywords that the string sets, with their values, in libpq's order.
  package let values: [(keyword: String, value: String)]

  /// Keywords whose values are secret.
  private static let secrets = ["password", "sslpassword"]

  /// Parses a connection string as libpq does: keywords and values, a URI, or a database name.
  ///
  /// - Throws: ``PostgreSQLError`` with `connectionFailed`. It does not contain libpq's message,
  ///   because that repeats parts of the string, and any part can be a password.
  package init(_ text: String) throws(PostgreSQLError) {
    given = text
    guard
      text.contains("=") || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    else {
      values = text.isEmpty ? [] : [(keyword: "dbname", value: text)]
      return
    }
    guard let options = PQconninfoParse(text, nil) else {
      throw PostgreSQLError(
        code: .connectionFailed, step: "connect",
        message: """
          libpq cannot read the connection string. It is not repeated here, because it may contain a \
          password. Write postgresql://user@host/database, or keyword=value pairs, with special characters \
          as libpq requires them.
          """)
    }
    defer { PQconninfoFree(options) }
    guard !Self.hasUnescapedPassword(text) else { throw Self.wrongCharacters }
    var values: [(keyword: String, value: String)] = []
    var place = options
    while let keyword = place.pointee.keyword {
      if let value = place.pointee.val {
        values.append((String(cString: keyword), String(cString: value)))
      }
      place += 1
    }
    self.values = values
    // libpq would repeat a port that is no number.
    guard values.allSatisfy({ $0.keyword != "port" || $0.value.allSatisfy(Self.isOfPort) }) else {
      throw Self.wrongCharacters
    }
  }

  /// Several hosts have several ports, with commas between them.
  private static func isOfPort(_ character: Character) -> Bool {
    character == "," || character.isASCII && character.isNumber
  }

  /// Whether a URI has an `@` where libpq reads host or database.
  ///
  /// libpq then takes a part of the password for the host, and repeats it in its messages.
  private static func hasUnescapedPassword(_ text: String) -> Bool {
    guard let start = text.firstRange(of: "://") else { return false }
    let names = text[start.upperBound...].prefix { $0 != "?" }
    let signs = names.indices.filter { names[$0] == "@" }
    guard let first = signs.first else { return false }
    return signs.count > 1 || names[..<first].contains("/")
  }

  private static let wrongCharacters = PostgreSQLError(
    code: .connectionFailed, step: "connect",
    message: """
      The connection string has a port that is not a number, or a password with characters that must be escaped. \
      It is not repeated here, because it may contain a password. In a URI write %40 for @, %2F for / and %3A for :.
      """)

  /// The password, if the string contains one.
  package var password: String? { values.first { $0.keyword == "password" }?.value }

  /// The same connection with the given password, unless the string contains one.
  package func text(orPassword other: String?) -> String {
    guard let other, !other.isEmpty, password == nil else { return given }
    return Self.text(values + [("password", other)])
  }

  /// The same connection without its secrets, for an argument: every user of the machine can read
  /// arguments.
  package var withoutSecrets: String {
    Self.text(values.filter { !Self.secrets.contains($0.keyword) })
  }

  /// A message of libpq without the values of options that name no place, such as a wrong `sslmode`.
  ///
  /// Such a value can be a part of a password that was not escaped. The name of a file with an
  /// equals sign can contain a password that comes after a wrong separator.
  func hidingValues(in message: String) -> String {
    let places: Set = ["host", "hostaddr", "port", "user", "dbname"]
    let files: Set = ["sslrootcert", "sslcert", "sslkey", "sslcrl", "sslcrldir", "service"]
    return
      values
      .filter { keyword, value in
        let isFile = files.contains(keyword) && !value.contains("=")
        return !places.contains(keyword) && !isFile && !value.isEmpty
      }
      .reduce(message) { $0.replacing("\"\($1.value)\"", with: "\"…\"") }
  }

  private static func text(_ values: [(keyword: String, value: String)]) -> String {
    values.map { "\($0.keyword)=\(quoted($0.value))" }.joined(separator: " ")
  }

  /// A value in quotes, with the escapes that libpq requires.
  package static func quoted(_ value: String) -> String { value.quoted("'") }
}
