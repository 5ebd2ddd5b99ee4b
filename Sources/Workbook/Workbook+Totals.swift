import ExactText

extension Workbook {
  /// Writes one row for each sum, after an empty row.
  ///
  /// - Parameters:
  ///   - hasFormulas: Whether the sums are formulas over the rows above. They are values if the
  ///     statement's rows are on several sheets.
  ///   - end: The row after the statement's last row, counted from 0.
  func write(
    _ totals: CurrencyTotals, hasFormulas: Bool, below end: UInt32
  ) throws(WorkbookError) {
    let places = totals.places
    row += 1
    for sum in totals.sums {
      if let title = totals.title {
        let part = sum.isUncertain == true ? " uncertain" : sum.isMissing ? " missing" : ""
        let source = sum.isEstimate ? " list price, an estimate" : ""
        let rule = zip(places, sum.keys).first { $0.0 == title }.map { " of \(Self.words($0.1))" }
        try write(
          .text(
            "Total\(rule ?? "")\(rule == nil || part.isEmpty ? "" : ",")\(part)"
              + "\(part.isEmpty || source.isEmpty ? "" : ",")\(source)"),
          at: title, isTotal: true)
      }
      for (place, key) in zip(places, sum.keys) where place != totals.title {
        try write(key, at: place, isTotal: true)
      }
      for cell in sum.cells {
        var conditions = zip(places, sum.keys).map { place, key in
          let column = Self.letters(of: place)
          // The cell of the title has more words than the key.
          let wanted =
            place == totals.title ? Self.constant(Self.words(key)) : "\(column)\(row + 1)"
          return "--(\(column)$2:\(column)$\(end)=\(wanted)),"
        }.joined()
        if let place = totals.reason, let isUncertain = sum.isUncertain {
          let reason = Self.letters(of: place)
          let comparison = isUncertain ? "=" : "<>"
          conditions +=
            "--(\(reason)$2:\(reason)$\(end)\(comparison)\"\(CurrencyTotals.uncertain)\"),"
        }
        let column = Self.letters(of: cell.column)
        let formula = "=SUMPRODUCT(\(conditions)\(column)$2:\(column)$\(end))"
        try write(
          cell.value, at: cell.column, isTotal: true,
          formula: hasFormulas && cell.hasNumbersOnly ? formula : nil)
      }
      row += 1
    }
  }

  private static func words(_ key: CellValue) -> String {
    if case .text(let words) = key { words } else { "" }
  }

  /// A text as a constant in a formula.
  private static func constant(_ text: String) -> String {
    "\"\(text.withDoubledQuotes)\""
  }

  /// The letters of a column: 0 is A, 26 is AA.
  private static func letters(of column: Int) -> String {
    var letters = ""
    var rest = column
    repeat {
      letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
      rest = rest / 26 - 1
    } while rest >= 0
    return letters
  }
}
