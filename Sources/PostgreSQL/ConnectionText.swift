import CLibPQ

/// A libpq connection string, split into its values.
public struct ConnectionText: Sendable {
  /// The string as it was given.
  private let given: String
  /// The keywords that the string sets, with their values, in libpq's order.
  public let values: [(keyword: String, value: String)]

  /// Keywords whose values are secret.
  private static let secrets = ["password", "sslpassword"]

  /// Parses a connection string as libpq does: keywords and values, a URI, or a database name.
  ///
  /// - Throws: ``PostgreSQLError`` with `connectionFailed`. It does not contain libpq's message,
  ///   because that repeats parts of the string, and any part can be a password.
  public init(_ text: String) throws(PostgreSQLError) {
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
    var values: [(keyword: String, value: String)] = []
    var place = options
    while let keyword = place.pointee.keyword {
      if let value = place.pointee.val {
        values.append((String(cString: keyword), String(cString: value)))
      }
      place += 1
    }
    self.values = values
  }

  /// The password, if the string contains one.
  public var password: String? { values.first { $0.keyword == "password" }?.value }

  /// The same connection with the given password, unless the string contains one.
  public func text(orPassword other: String?) -> String {
    guard let other, !other.isEmpty, password == nil else { return given }
    return Self.text(values + [("password", other)])
  }

  /// The same connection without its secrets, for an argument: every user of the machine can read
  /// arguments.
  public var withoutSecrets: String {
    Self.text(values.filter { !Self.secrets.contains($0.keyword) })
  }

  private static func text(_ values: [(keyword: String, value: String)]) -> String {
    values.map { keyword, value in
      let quoted = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
      return "\(keyword)='\(quoted)'"
    }.joined(separator: " ")
  }
}
