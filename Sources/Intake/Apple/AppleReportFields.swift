/// The fields of one row, by their meaning.
///
/// A field that is missing or only spaces has no value.
struct AppleReportFields {
  private let line: AppleReportLine
  private let columns: [AppleReportColumn?]

  init(_ line: AppleReportLine, _ columns: [AppleReportColumn?]) {
    self.line = line
    self.columns = columns
  }

  subscript(column: AppleReportColumn) -> Bytes? {
    guard let place = columns.firstIndex(of: column), place < line.fields.count,
      !line.fields[place].isEmpty
    else { return nil }
    return line.fields[place]
  }

  func text(_ column: AppleReportColumn) throws(RecordProblem) -> String? {
    try read(column, .badText, "a text of 1 to 255 characters in UTF-8") { bytes in
      FieldText.isProductIdentifier(bytes) ? String(validating: bytes, as: UTF8.self) : nil
    }
  }

  /// Reads a number of units; as a quantity in a receipt, it is at most a billion.
  func units(_ column: AppleReportColumn) throws(RecordProblem) -> Int64? {
    let most: Int64 = 1_000_000_000
    return try read(column, .badNumber, "a whole number from -\(most) to \(most)") { bytes in
      FieldText.wholeNumber(bytes).flatMap { (-most...most).contains($0) ? $0 : nil }
    }
  }

  func decimal(_ column: AppleReportColumn) throws(RecordProblem) -> AppleDecimal? {
    try read(column, .badAmount, "a decimal such as 4.49") { AppleDecimal($0) }
  }

  func currency(_ column: AppleReportColumn) throws(RecordProblem) -> String? {
    try read(column, .badAmount, "three capital letters") {
      FieldText.isCurrency($0) ? $0.string : nil
    }
  }

  func country(_ column: AppleReportColumn) throws(RecordProblem) -> String? {
    try read(column, .badText, "two capital letters") { bytes in
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      return bytes.count == 2 && bytes.allSatisfy(letters.contains) ? bytes.string : nil
    }
  }

  /// Reads a day, counted since 1970-01-01, as `10/05/2020` or `2020-10-05`.
  func day(_ column: AppleReportColumn) throws(RecordProblem) -> Int64? {
    try read(column, .badDate, "a day such as 10/05/2020 or 2020-10-05") { bytes in
      var text = Array(bytes)
      let slash = UInt8(ascii: "/")
      if text.count == 10, text[2] == slash, text[5] == slash {
        let hyphen = UInt8(ascii: "-")
        // One array at a time: the compiler needs seconds for a sum of five.
        let year = text[6...]
        let month = text[0..<2]
        let dayOfMonth = text[3..<5]
        text = Array([year, [hyphen], month, [hyphen], dayOfMonth].joined())
      }
      return text.withUnsafeBufferPointer { text in
        var scanner = DateScanner(text)
        let day = scanner.day()
        return scanner.isAtEnd ? day : nil
      }
    }
  }

  private func read<Value>(
    _ column: AppleReportColumn, _ reason: RejectionReason, _ what: String,
    _ parse: (Bytes) -> Value?
  ) throws(RecordProblem) -> Value? {
    guard let field = self[column] else { return nil }
    guard let value = parse(field) else {
      throw RecordProblem(
        reason,
        "Line \(line.number), \(column.names[0]): \(field.string) is not \(what). "
          + "Download the report from Apple again.")
    }
    return value
  }
}
