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

  /// A number and a noun: "1 error", "12 errors".
  package static func counted(_ number: some BinaryInteger, _ one: String) -> String {
    "\(grouped(number)) \(one)\(number == 1 ? "" : "s")"
  }

  /// A number of files and a number of records: "1 file and 2 records", "1 file", "0 records".
  package static func counted(files: Int, records: Int) -> String {
    guard files > 0 else { return counted(records, "record") }
    guard records > 0 else { return counted(files, "file") }
    return "\(counted(files, "file")) and \(counted(records, "record"))"
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
