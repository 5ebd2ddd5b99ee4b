import Configuration
import DamageTestSupport
import Oracle
import ReconciliationTestSupport

/// A store with planted sales: what evidence states, what Apple reports, and what
/// must explain each difference.
///
/// It adds up plain numbers in dictionaries, with its own days and its own rounding.
struct PlantedStore {
  /// A cell of the comparison: day, product, country and currency.
  struct Cell: Hashable, CustomStringConvertible {
    let day: Int
    let product: String
    let country: String
    let currency: String

    var description: String { "\(PlantedStore.text(day)) \(product) \(country) \(currency)" }
  }

  /// The end of summer time in California: 2026-11-01 09:00 UTC.
  private static let endOfSummer = 1_793_523_600
  /// 2026-10-29, the first day.
  static let firstDay = 20_755
  static let days = 6

  /// The rows of receipts, below `header`.
  private(set) var receipts: [String] = []
  static let header =
    "transaction_id | original_transaction_id | product_id | purchased_at | price | currency "
    + "| storefront | cancelled_at | environment | family_shared | trial | upgraded | expires_at"
  static let catalogue = """
    product_id | type           | delivery | prices
    coin       | consumable     | built_in |
    book       | non_consumable | built_in |
    month      | auto_renewable | built_in |
    lamp       | consumable     | built_in | USD 1.99 USA
    gift       | consumable     | built_in |
    ghost      | consumable     | built_in |
    """
  /// What each column of a cell must be, in units or in minor units of the currency.
  private(set) var expected: [Cell: [String: Int]] = [:]
  /// Apple's units by cell, type, price and sign.
  private(set) var rows: [Cell: [String: Int]] = [:]
  var random: Dice

  static let places = [
    ("USA", "US", "USD", 99), ("DEU", "DE", "EUR", 109), ("FRA", "FR", "EUR", 119),
    ("JPN", "JP", "JPY", 160), ("CHE", "CH", "CHF", 100),
  ]

  init(seed: UInt64, sales: Int) {
    random = Dice(seed)
    for _ in 0..<sales { plant() }
    settlePrices()
    plantUnexplained()
  }

  /// A night that has the catalogue and all receipts in its inbox, and no report of Apple.
  func nightWithReceipts() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue(Self.catalogue)
    try night.transactions(([Self.header] + receipts).joined(separator: "\n"))
    return night
  }

  /// Apple's report of a day.
  func report(_ day: Int) -> String {
    // A download of the app is no in-app purchase.
    var lines = ["reader:1F US 7 0 USD 0 USD"]
    for (cell, kinds) in rows where cell.day == day {
      for (kind, units) in kinds where units != 0 {
        let words = kind.split(separator: " ").map(String.init)
        let price = Self.amount(Int(words[1]) ?? 0, words[2])
        let sign = units < 0 && words[1] != "0" ? "-" : ""
        lines.append(
          "\(cell.product):\(words[0]) \(cell.country) \(units) 0.50 USD \(sign)\(price) \(words[2])"
        )
      }
    }
    let text = Self.text(day)
    let american = "\(text.dropFirst(5).prefix(2))/\(text.suffix(2))/\(text.prefix(4))"
    return AppleReports.sales(american, lines.sorted())
  }

  /// An amount in minor units, as a decimal.
  static func amount(_ minor: Int, _ currency: String) -> String {
    guard currency != "JPY" else { return "\(minor)" }
    let cents = String(abs(minor) % 100)
    return (minor < 0 ? "-" : "") + "\(abs(minor) / 100)."
      + String(repeating: "0", count: 2 - cents.count) + cents
  }

  /// A day since 1970, as YYYY-MM-DD.
  static func text(_ day: Int) -> String {
    String(Instant(seconds: day * 86_400).rfc3339.prefix(10))
  }

  static func pacificDay(_ at: Int) -> Int {
    (at - (at < endOfSummer ? 7 : 8) * 3600) / 86_400
  }

  /// The last instant; the days of both sides are reported.
  static let end = (firstDay + days - 1) * 86_400

  /// An instant whose days are reported on both sides.
  mutating func instant() -> Int {
    let at = (Self.firstDay + 1) * 86_400 + random.number(0...(Self.days - 3) * 86_400)
    // Half of them are at the end of a day in California.
    return random.chance(50) ? at : at / 86_400 * 86_400 + random.pick(0, 3600, 25_199, 25_200)
  }

  mutating func add(_ cell: Cell, _ column: String, _ value: Int) {
    expected[cell, default: [:]][column, default: 0] += value
  }

  /// Counts a unit of ours by the day in UTC, and moves it to the day in California.
  mutating func tell(_ at: Int, _ cell: (Int) -> Cell, _ units: Int, _ price: Int, _ cause: String)
  {
    let books = cell(at / 86_400)
    let pacific = cell(Self.pacificDay(at))
    let moves =
      books.day == pacific.day
      ? [(books, "ours", 1)]
      : [(books, "ours", 1), (pacific, cause, 1), (books, cause, -1)]
    for (cell, column, sign) in moves {
      add(cell, "\(column)_units", sign * units)
      if !cell.currency.isEmpty { add(cell, "\(column)_amount", sign * units * price) }
    }
  }

  mutating func report(
    _ cell: Cell, _ type: String, _ price: Int, _ currency: String, _ units: Int
  ) {
    let sign = units < 0 ? "returned" : "sold"
    rows[cell, default: [:]]["\(type) \(price) \(currency) \(sign)", default: 0] += units
    add(cell, "apple_units", units)
    if !cell.currency.isEmpty { add(cell, "apple_amount", units * price) }
  }

  /// Writes a row of a receipt; the number of a field is its place in `header`.
  @discardableResult
  mutating func write(
    _ product: String, _ at: Int, _ fields: [Int: String], _ cancelled: Int?
  ) -> String {
    let id = "\(1000 + receipts.count)"
    var row = [String](repeating: "", count: 13)
    for (place, value) in fields { row[place] = value }
    row[0] = id
    row[2] = product
    row[3] = Instant(seconds: at).rfc3339
    row[7] = cancelled.map { Instant(seconds: $0).rfc3339 } ?? ""
    receipts.append(row.joined(separator: " | "))
    return id
  }

  /// Decides what depends on all units of a cell.
  private mutating func settlePrices() {
    for (cell, columns) in expected {
      if cell.country == "CH", let units = columns["apple_units"] {
        // A single unit shows no rule, so its difference has no explanation.
        add(cell, units > 1 ? "price_amount" : "unexplained_amount", units * 10)
      }
      if cell.product == "gift", rows[cell] == nil {
        // Nothing names the currency of this day.
        expected[cell] = nil
        let nameless = Cell(day: cell.day, product: "gift", country: "CA", currency: "")
        for (column, value) in columns where column.hasSuffix("_units") {
          add(nameless, column, value)
        }
      }
    }
  }

  /// Lets Apple state more units in one cell, and a price that is one minor unit less in another.
  private mutating func plantUnexplained() {
    let cells = rows.keys.filter { cell in
      cell.product == "coin" && cell.country != "CH"
        && rows[cell]?.contains { $0.key.hasSuffix("sold") } == true
    }.sorted { $0.description < $1.description }
    let chosen = cells.shuffled(using: &random).prefix(2)
    guard chosen.count == 2, let more = chosen.first, let less = chosen.last else { return }
    for (cell, units, change) in [(more, random.number(1...3), 0), (less, 1, -1)] {
      guard let price = Self.places.first(where: { $0.1 == cell.country })?.3 else { continue }
      report(cell, "IA1", price + change, cell.currency, units)
      if change == 0 {
        add(cell, "unexplained_units", units)
        add(cell, "unexplained_amount", units * price)
      } else {
        report(cell, "IA1", price, cell.currency, -1)
        rows[cell]?["IA1 \(price) \(cell.currency) returned", default: 0] += 1
        rows[cell]?["IA1 \(price) \(cell.currency) sold", default: 0] -= 1
        add(cell, "unexplained_amount", -1)
      }
    }
  }
}
