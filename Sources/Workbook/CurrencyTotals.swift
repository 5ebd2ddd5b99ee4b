import ReportReading

/// The sums of a statement's number columns, for each currency, source of the amounts, measure and
/// rule.
///
/// A list price is an estimate, so it is never added to what customers paid. An uncertain delivery
/// is never added to missing ones.
struct CurrencyTotals {
  /// The sums of one currency and source.
  struct Sum {
    /// The values of the columns in `places`.
    let keys: [CellValue]
    /// Whether the amounts are list prices, an estimate.
    let isEstimate: Bool
    /// Whether the deliveries are uncertain; nil in a statement without deliveries.
    let isUncertain: Bool?
    /// Whether the rows are about missing deliveries, and none of them is uncertain.
    let isMissing: Bool
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
    /// Whether a cell has a number; without one, the sum is not known.
    var isKnown = false
  }

  /// What the rows of a sum have in common.
  struct Key: Hashable {
    /// The fields in `places`.
    let fields: [ArraySlice<UInt8>]
    let isUncertain: Bool?
  }

  /// The reason of an uncertain delivery: the log lacks a part of its time.
  static let uncertain = "no_records"
  /// Numbers of single rows, whose sum means nothing.
  private static let single: Set = ["hours_overdue", "attempts"]
  /// Numbers of a restatement whose sum means nothing: only numbers that changed have a row, so the
  /// sum is not what was published about a month.
  private static let partial: Set = ["published", "restated"]

  /// The places of the columns that are not added: the currency, then source, measure and rule if
  /// there are any.
  let places: [Int]
  /// The place of the reason why a delivery is missing; nil in a statement without deliveries.
  let reason: Int?
  /// The place of the word "Total"; nil if each column is a key.
  ///
  /// In a statement with rules it is the rule, which the word precedes.
  let title: Int?
  /// Whether each row is about a delivery.
  private let isOfDeliveries: Bool
  /// The places of numbers that are not added.
  private let single: Set<Int>
  private var byKey: [Key: [Int: Column]] = [:]

  /// Nil if the statement has no currency.
  init?(columns: [String]) {
    guard let currency = columns.firstIndex(of: "currency") else { return nil }
    places =
      [currency] + ["price_source", "measure", "rule"].compactMap { columns.firstIndex(of: $0) }
    isOfDeliveries = columns.contains("hours_overdue")
    // A statement of findings has deliveries among them.
    reason =
      isOfDeliveries || columns.contains("rule") ? columns.firstIndex(of: "reason") : nil
    title =
      columns.firstIndex(of: "rule") ?? columns.indices.first { [places] in !places.contains($0) }
    let unsummed = columns.contains("measure") ? Self.single.union(Self.partial) : Self.single
    single = Set(columns.indices.filter { unsummed.contains(columns[$0]) })
  }

  /// The key of a row, whose fields `field` gives.
  func key(_ field: (Int) -> ArraySlice<UInt8>) -> Key {
    Key(
      fields: places.map(field),
      isUncertain: reason.map { field($0).elementsEqual(Self.uncertain.utf8) })
  }

  /// Adds a cell of a row with this key.
  mutating func add(_ field: ArraySlice<UInt8>, of column: Int, as value: CellValue, key: Key) {
    guard !single.contains(column) else { return }
    byKey[key, default: [:]][column, default: Column()].sum.add(field)
    if !field.isEmpty { byKey[key]?[column]?.isKnown = true }
    if case .text = value { byKey[key]?[column]?.hasNumbersOnly = false }
  }

  /// The sums in the order of the currencies and sources; those of uncertain deliveries come last.
  ///
  /// A column whose sum is unknown is left out.
  var sums: [Sum] {
    let sorted = byKey.sorted { one, other in
      let (isOne, isOther) = (one.key.isUncertain ?? false, other.key.isUncertain ?? false)
      guard isOne == isOther else { return isOther }
      return one.key.fields.lexicographicallyPrecedes(other.key.fields) {
        $0.lexicographicallyPrecedes($1)
      }
    }
    return sorted.map { key, columns in
      Sum(
        keys: key.fields.map { ColumnKind.text.value(of: $0) },
        isEstimate: key.fields.dropFirst().contains { $0.elementsEqual("catalogue".utf8) },
        isUncertain: key.isUncertain,
        isMissing: isOfDeliveries && key.isUncertain == false,
        cells: columns.sorted { $0.key < $1.key }.compactMap { place, column in
          guard column.isKnown else { return nil }
          return column.sum.text.map {
            Cell(
              column: place, value: ColumnKind.number.value(of: Array($0.utf8)[...]),
              hasNumbersOnly: column.hasNumbersOnly)
          }
        })
    }
  }
}
