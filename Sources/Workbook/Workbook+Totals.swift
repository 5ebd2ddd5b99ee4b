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
        try write(
          .text("Total\(part)\(part.isEmpty || source.isEmpty ? "" : ",")\(source)"),
          at: title, isTotal: true)
      }
      for (place, key) in zip(places, sum.keys) { try write(key, at: place, isTotal: true) }
      for cell in sum.cells {
        var conditions = places.map { place in
          let key = Self.letters(of: place)
          return "--(\(key)$2:\(key)$\(end)=\(key)\(row + 1)),"
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
