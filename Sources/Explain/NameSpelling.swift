import Foundation

/// The spellings in which a name is looked up.
package enum NameSpelling {
  /// The name in the spellings that people may mean.
  ///
  /// They lack what reports, spreadsheets and sentences put around a name: blanks, an apostrophe in
  /// front or behind a month, quotation marks, a comma, semicolon or full stop at the end, and a
  /// word such as `transaction` that says what it is. Blanks inside become one space each, the
  /// number of a hidden character becomes the character, and the country and the currency of a row
  /// of `tie_out.csv` become capitals.
  ///
  /// Spellings that are equal to the name are left out.
  package static func others(of name: String) -> [String] {
    var spellings = [name]
    var place = 0
    while place < spellings.count, spellings.count < most {
      for spelling in changes(of: spellings[place])
      where !spellings.contains(spelling) && spelling.contains(where: { !$0.isWhitespace }) {
        spellings.append(spelling)
      }
      place += 1
    }
    return Array(spellings.dropFirst())
  }

  /// The number of spellings after which no others are made.
  ///
  /// Each of them is looked up, and a text of quotation marks only has very many.
  private static let most = 16

  /// The spellings that differ from the name in one thing.
  private static func changes(of name: String) -> [String] {
    [
      name.trimmingCharacters(in: .whitespacesAndNewlines), withoutMarks(name), unquoted(name),
      withoutKind(name), name.split(whereSeparator: \.isWhitespace).joined(separator: " "),
      withHiddenCharacters(name), withCapitals(name),
      // The page and lists quote a product that ends with a blank.
      name.replacing(/[“”]/, with: ""),
    ].compactMap { $0 }
  }

  /// Without the apostrophe that reports (csv_text) and spreadsheets put in front of a text, also
  /// behind a month, or without the mark after a name in a list or a sentence.
  private static func withoutMarks(_ name: String) -> String? {
    if name.first == "'" { return String(name.dropFirst()) }
    if let parts = name.wholeMatch(of: /([^ ]+ )'([=+@\-].*)/)?.output {
      return "\(parts.1)\(parts.2)"
    }
    return name.last.map { ",;.".contains($0) } == true ? String(name.dropLast()) : nil
  }

  /// Without quotation marks around it, and with single ones for the doubled ones of CSV.
  private static func unquoted(_ name: String) -> String? {
    let marks: [Character: Character] = ["\"": "\"", "'": "'", "“": "”"]
    guard name.count > 2, let last = name.last, name.first.flatMap({ marks[$0] }) == last else {
      return nil
    }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  /// The words in front of a name that say what it is, as the program writes them.
  private static let kinds = [
    "original transaction", "transaction", "delivery", "account", "web order line item",
    "line item", "finding", "product", "server", "file", "month", "error",
  ]

  private static func withoutKind(_ name: String) -> String? {
    let lower = name.lowercased()
    return kinds.first { lower.starts(with: $0 + " ") }.map { String(name.dropFirst($0.count + 1)) }
  }

  /// With the characters that the terminal (`\u{200d}`) and the page (`⟨U+200D⟩`) show as numbers.
  private static func withHiddenCharacters(_ name: String) -> String {
    let number = /\\u\{([0-9a-f]{1,6})\}|⟨U\+([0-9A-F]{4,6})⟩/
    return name.replacing(number.matchingSemantics(.unicodeScalar)) { match in
      let digits = match.output.1 ?? match.output.2 ?? ""
      let scalar = UInt32(digits, radix: 16).flatMap { Unicode.Scalar($0) }
      // PostgreSQL has no text with the character 0.
      guard let scalar, scalar.value > 0 else { return String(match.output.0) }
      return String(scalar)
    }
  }

  /// With the country and the currency of a row of `tie_out.csv` in capitals.
  private static func withCapitals(_ name: String) -> String? {
    let row = /(.+ (?:sales_summary|financial) [0-9.\-]+ )(.+)/
    return name.wholeMatch(of: row).map { "\($0.output.1)\($0.output.2.uppercased())" }
  }
}
