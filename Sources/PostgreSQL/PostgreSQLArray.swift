/// Texts in PostgreSQL's notation for an array.
package enum PostgreSQLArray {
  /// The texts as one value; each is quoted, and nil is `null`.
  package static func text(_ texts: [String?]) -> String {
    let values = texts.map { text in text.map { $0.quoted("\"") } ?? "null" }
    return "{\(values.joined(separator: ","))}"
  }
}

extension String {
  /// The text between two quotes, with a backslash before each quote and each backslash in it.
  func quoted(_ quote: Unicode.Scalar) -> String {
    var quoted = "\(quote)"
    // A quote with a combining mark is one Character, which is not equal to a quote.
    for scalar in unicodeScalars {
      if scalar == quote || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\(quote)"
  }
}
