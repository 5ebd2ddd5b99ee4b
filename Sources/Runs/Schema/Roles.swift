import ReconciliationSQL

/// The roles and their rights in the user's own database.
package enum Roles {
  /// The SQL commands that an administrator runs with psql; they can be run again.
  package static var commands: String {
    [SQLFile.rolesCreate, .rolesGrant].map { "\($0.text.trimmed);\n" }.joined(separator: "\n")
  }
}

extension String {
  /// The text of a file without the line ends at its end.
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text = text.dropLast() }
    return text
  }
}
