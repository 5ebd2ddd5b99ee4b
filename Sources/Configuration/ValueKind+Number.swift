extension ValueKind<Int> {
  /// A whole number within bounds.
  static func wholeNumber(_ range: ClosedRange<Int>) -> ValueKind {
    .text(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      read: { text throws(Complaint) in try number(text, of: text, in: range, counted: "") })
  }

  /// A number of days, with or without the letter d.
  static func days(_ range: ClosedRange<Int>) -> ValueKind {
    .text(
      "days from \(range.lowerBound) to \(range.upperBound), such as 30 or 30d",
      read: { text throws(Complaint) in
        let digits = text.hasSuffix("d") ? String(text.dropLast()) : text
        return try number(digits, of: text, in: range, counted: " of days")
      })
  }

  /// A number of bytes, with or without a unit; as in PostgreSQL, kB is 1024 bytes.
  static func size(_ range: ClosedRange<Int>) -> ValueKind {
    .text(
      "a size from \(sizeText(range.lowerBound)) to \(sizeText(range.upperBound)), "
        + "in bytes or with kB, MB or GB (each 1024 of the one before), such as 16MB",
      read: { text throws(Complaint) in
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let bytes = bytesOfUnit[unit] else {
          throw Complaint(problem: "\(quoted(text)) is not a size")
        }
        let count = try number(String(digits), of: text, in: 0...Int.max, counted: " of bytes")
        let (total, overflows) = count.multipliedReportingOverflow(by: bytes)
        guard !overflows, range.contains(total) else {
          throw Complaint(problem: "\(quoted(text)) is out of range")
        }
        return total
      })
  }
}

extension ValueKind<RejectionLimit> {
  /// A number of records, or a share of all records.
  static let rejectionLimit = ValueKind.text(
    "a whole number of records, or a part of them from 0% to 100%, such as 500 or 2.5%",
    read: { text throws(Complaint) in
      guard text.hasSuffix("%") else {
        return .count(try number(text, of: text, in: 0...Int.max, counted: " of records"))
      }
      let digits = text.dropLast()
      let isDecimal =
        digits.split(separator: ".", omittingEmptySubsequences: false).count <= 2
        && digits.first != "." && digits.last != "."
        && isOfDigits(digits.replacing(".", with: ""))
      guard isDecimal, let percent = Double(digits) else {
        throw Complaint(problem: "\(quoted(text)) is not a percentage")
      }
      guard (0...100).contains(percent) else {
        throw Complaint(problem: "\(quoted(text)) is out of range")
      }
      return .percent(percent)
    })
}

private let bytesOfUnit = [
  "": 1, "b": 1, "kb": 1 << 10, "kib": 1 << 10, "mb": 1 << 20, "mib": 1 << 20,
  "gb": 1 << 30, "gib": 1 << 30,
]

/// A size in the largest unit that divides it without a remainder.
private func sizeText(_ bytes: Int) -> String {
  let units = [("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)]
  guard let (unit, size) = units.first(where: { bytes > 0 && bytes.isMultiple(of: $0.1) }) else {
    return "\(bytes)"
  }
  return "\(bytes / size)\(unit)"
}

/// The number that digits represent; the complaint shows the whole text that contains them.
private func number(
  _ digits: String, of text: String, in range: ClosedRange<Int>, counted: String
) throws(Complaint) -> Int {
  let isNegative = digits.hasPrefix("-")
  let unsigned = isNegative ? digits.dropFirst() : Substring(digits)
  guard !unsigned.isEmpty, isOfDigits(unsigned) else {
    throw Complaint(problem: "\(quoted(text)) is not a whole number\(counted)")
  }
  guard let number = Int(digits), range.contains(number) else {
    throw Complaint(problem: "\(quoted(text)) is out of range")
  }
  return number
}

/// Whether a text has digits of ASCII only, and no combining marks.
func isOfDigits(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
}
