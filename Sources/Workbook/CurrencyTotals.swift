/// The sums of a statement's number columns, for each value of its column `currency`.
struct CurrencyTotals {
  /// The sums of one currency.
  struct Sum {
    let currency: CellValue
    let cells: [Cell]
  }

  /// The sum of one column.
  struct Cell {
    let column: Int
    let value: CellValue
    /// Whether a spreadsheet can add the column, because no cell of it is text.
    let hasNumbersOnly: Bool
  }

  private struct Column {
    var sum = ExactSum()
    var hasNumbersOnly = true
  }

  var columns: [(name: String, kind: ColumnKind)] = []
  private var byCurrency: [ArraySlice<UInt8>: [Int: Column]] = [:]

  /// The place of the column with the currency.
  var currencyColumn: Int? { columns.firstIndex { $0.name == "currency" } }

  /// Adds a cell of a row with this currency.
  mutating func add(
    _ field: ArraySlice<UInt8>, of column: Int, as value: CellValue, currency: ArraySlice<UInt8>
  ) {
    byCurrency[currency, default: [:]][column, default: Column()].sum.add(field)
    if case .text = value { byCurrency[currency]?[column]?.hasNumbersOnly = false }
  }

  /// The sums in the order of the currencies.
  ///
  /// A column whose sum is unknown is left out.
  var sums: [Sum] {
    byCurrency.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { currency, columns in
      Sum(
        currency: ColumnKind.text.value(of: currency),
        cells: columns.sorted { $0.key < $1.key }.compactMap { place, column in
          column.sum.text.map {
            Cell(
              column: place, value: ColumnKind.number.value(of: Array($0.utf8)[...]),
              hasNumbersOnly: column.hasNumbersOnly)
          }
        })
    }
  }
}
