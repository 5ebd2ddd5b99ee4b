/// Texts in PostgreSQL's notation for an array.
package enum PostgreSQLArray {
  /// The texts as one value; each is quoted, and nil is `null`.
  package static func text(_ texts: [String?]) -> String {
    let values = texts.map { $0.map(quoted) ?? "null" }
    return "{\(values.joined(separator: ","))}"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    // A quote with a combining mark is one Character, which is not equal to a quote.
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
