/// Texts in PostgreSQL's notation for an array.
package enum PostgreSQLArray {
  /// The texts as one value; each is quoted.
  package static func text(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "{\(quoted.joined(separator: ","))}"
  }
}
