/// The sums of a statement's number columns, for each currency, source of the amounts and measure.
///
/// A list price is an estimate, so it is never added to what customers paid.
struct CurrencyTotals {
  /// The sums of one currency and source.
  struct Sum {
    /// The values of the columns in `places`.
    let keys: [CellValue]
    /// Whether the amounts are list prices, an estimate.
    let isEstimate: Bool
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

  /// The places of the columns that are not added: the currency, then source and measure if there
  /// are any.
  let places: [Int]
  private var byKey: [[ArraySlice<UInt8>]: [Int: Column]] = [:]

  /// Nil if the statement has no currency.
  init?(columns: [String]) {
    guard let currency = columns.firstIndex(of: "currency") else { return nil }
    places =
      [currency] + ["price_source", "measure"].compactMap { columns.firstIndex(of: $0) }
  }

  /// Adds a cell of a row with this currency and source.
  mutating func add(
    _ field: ArraySlice<UInt8>, of column: Int, as value: CellValue, key: [ArraySlice<UInt8>]
  ) {
    byKey[key, default: [:]][column, default: Column()].sum.add(field)
    if case .text = value { byKey[key]?[column]?.hasNumbersOnly = false }
  }

  /// The sums in the order of the currencies and sources.
  ///
  /// A column whose sum is unknown is left out.
  var sums: [Sum] {
    let sorted = byKey.sorted { one, other in
      one.key.lexicographicallyPrecedes(other.key) { $0.lexicographicallyPrecedes($1) }
    }
    return sorted.map { key, columns in
      Sum(
        keys: key.map { ColumnKind.text.value(of: $0) },
        isEstimate: key.dropFirst().contains { $0.elementsEqual("catalogue".utf8) },
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
