import ReconciliationSQL

/// Who may do what in a database of the user's own.
public enum Roles {
  /// The statements that an administrator runs with psql, once or again.
  public static var statements: String {
    [SQLFile.rolesCreate, .rolesGrant].map { "\($0.text.trimmed);\n" }.joined(separator: "\n")
  }
}

extension String {
  /// Without the line end of a file.
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text = text.dropLast() }
    return text
  }
}
