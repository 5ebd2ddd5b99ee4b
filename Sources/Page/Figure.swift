/// Numbers for people, the same in every locale.
package enum Figure {
  /// A whole number with commas between thousands: 12,345.
  package static func grouped(_ number: some BinaryInteger) -> String {
    (number < 0 ? "−" : "") + groupedDigits(String(number.magnitude))
  }

  /// An exact decimal in PostgreSQL's notation, with commas between thousands: 1,234.50.
  package static func grouped(decimal text: String) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? ".\(parts[1])" : ""
    return (isNegative ? "−" : "") + groupedDigits(String(parts.first ?? "")) + rest
  }

  /// A number and the noun that it counts, which is given in the plural: "1 piece of evidence",
  /// "2,000 pieces of evidence".
  package static func counted(_ number: some BinaryInteger, _ plural: String) -> String {
    "\(grouped(number)) \(number == 1 ? singular(plural) : plural)"
  }

  /// A number of files and a number of records: "1 file and 2 records", "1 file", "0 records".
  package static func counted(files: Int, records: Int) -> String {
    guard files > 0 else { return counted(records, "records") }
    guard records > 0 else { return counted(files, "files") }
    return "\(counted(files, "files")) and \(counted(records, "records"))"
  }

  /// The singular of a noun that can have an adjective in front and "of" behind it.
  private static func singular(_ plural: String) -> String {
    var words = plural.split(separator: " ").map { String($0) }
    let noun = (words.firstIndex(of: "of") ?? words.count) - 1
    guard words.indices.contains(noun) else { return plural }
    if words[noun].hasSuffix("ies") {
      words[noun] = String(words[noun].dropLast(3)) + "y"
    } else if words[noun].hasSuffix("s") {
      words[noun].removeLast()
    }
    return words.joined(separator: " ")
  }

  /// The text with no line break between a number and the word after it: "8 missing".
  static func unbroken(_ text: String) -> String {
    text.replacing(/([0-9]) (?=[A-Za-z])/) { "\($0.output.1)\u{A0}" }
  }

  private static func groupedDigits(_ digits: String) -> String {
    var digits = Substring(digits)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
