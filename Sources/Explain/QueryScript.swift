import PostgreSQL

/// The queries of an inquiry, as a script that gives the same answer in psql.
///
/// It contains the queries and SQL commands that were run, in their order and with their
/// parameters, so it cannot differ from them.
final class QueryScript {
  private var lines = ["\\set ON_ERROR_STOP on", "\\set QUIET on", "\\o /dev/null"]

  /// Records what a connection runs from now on.
  func listen(to database: Connection) {
    database.listener = { [weak self] sql, parameters in
      self?.lines.append(Self.text(sql, parameters) + "\n;")
    }
  }

  /// Runs a query; the script shows its rows under its name.
  func show(_ name: String, by query: () throws -> Rows) rethrows -> Rows {
    lines += ["\\o", "\\echo", "\\echo '== \(name)'"]
    defer { lines.append("\\o /dev/null") }
    return try query()
  }

  /// The script.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A query or SQL command with its parameters inserted.
  ///
  /// All parameters are inserted in one pass, so that `$1` inside a value is not replaced.
  private static func text(_ sql: String, _ parameters: [String?]) -> String {
    sql.replacing(/\$([0-9]+)/) { place in
      guard let number = Int(place.1), parameters.indices.contains(number - 1) else {
        return String(place.0)
      }
      return parameters[number - 1].map(literal) ?? "null"
    }
  }

  /// A string constant with the same value under all server settings, without control characters.
  private static func literal(_ value: String) -> String {
    var text = "E'"
    for scalar in value.unicodeScalars {
      switch scalar {
      case "'": text += "''"
      case "\\": text += "\\\\"
      case _ where scalar.properties.generalCategory == .control:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}
