import Configuration
import DamageTestSupport
import Explain
import Foundation
import NightRun
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("restatement.csv")
struct RestatementTests {
  private static let header =
    "transaction_id | product_id | purchased_at     | price | currency | told_at          | cancelled_at\n"

  /// A night in November with two purchases of October, published on the last day of October.
  private static func october() throws -> TestNight { try TestNight(copyOf: published.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let published: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      Self.header + """
        1 | book | 2026-10-10 10:00 | 1.00  | USD | 2026-10-10 10:00 |
        2 | book | 2026-10-10 10:00 | 2.00  | EUR | 2026-10-10 10:00 |
        """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      one         | 1              | book       | 2026-10-10 10:05 | delivered
      """)
    try night.run(asOf: "2026-10-31 03:00")
    return night.removedAtExit()
  }

  private static func expect(
    _ rows: String, in night: TestNight, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = DrawnTable(rows)
    let shown = try night.table("restatement.csv").columns(wanted.header)
    #expect(shown.text == wanted.text, sourceLocation: sourceLocation)
  }

  @Test("what was published stays unchanged until something arrives")
  func quiet() throws {
    let night = try Self.october()
    for day in 1...3 {
      try night.run(asOf: "2026-11-0\(day) 03:00")
      #expect(try night.table("restatement.csv").rows.isEmpty)
    }
  }

  @Test("two missing deliveries become one, for which the other purchase stands")
  func joined() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type | delivery_per\nsub | auto_renewable | period\nbook | |")
    let header =
      "transaction_id | original_transaction_id | product_id | purchased_at        | web_order_line_item_id\n"
    try night.transactions(
      header + """
        100 |     | sub  | 2026-10-10 10:00:00 |
        101 | 100 | sub  | 2026-10-10 10:00:01 | 900
        500 |     | book | 2026-10-10 11:00:00 |
        """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      one         | 500            | book       | 2026-10-10 11:05
      """)
    try night.run(asOf: "2026-11-05 00:00")
    #expect(
      try night.table("missing_deliveries.csv").columns(["transaction_id"]).rows
        == [["100"], ["101"]])
    try night.transactions(header + "100 | 100 | sub | 2026-10-10 10:00:00 | 900")
    try night.run(asOf: "2026-11-06 00:00")
    #expect(
      try night.table("missing_deliveries.csv").columns(["transaction_id"]).rows == [["100"]])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("evidence, refunds and reversals that arrive late have their columns")
  func late() throws {
    let night = try Self.october()
    try night.transactions(
      Self.header + """
        3 | map  | 2026-10-10 10:00 | 4.00 | USD | 2026-10-10 10:00 |
        4 | map  | 2026-10-31 10:00 | 8.00 | USD | 2026-10-31 10:00 |
        1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-11-01 10:00 | 2026-10-20 10:00
        """)
    try night.run(asOf: "2026-11-02 03:00")
    try Self.expect(
      """
      month   | product_id | currency | price_source | measure        | edition    | published | after_as_of | evidence_arrived | refunded | log_arrived | difference | restated
      2026-10 | book       | USD      | receipt      | units_refunded | 2026-10-31 | 0         |             |               | 1      |                    | 1          | 1
      2026-10 | book       | USD      | receipt      | refunds        | 2026-10-31 | 0         |             |               | 1.00   |                    | 1.00       | 1.00
      2026-10 | book       | USD      | receipt      | net            | 2026-10-31 | 1.00      |             |               | -1.00  |                    | -1.00      | 0.00
      2026-10 | map        | USD      | receipt      | units_sold     | 2026-10-31 | 0         | 1           | 1             |        |                    | 2          | 2
      2026-10 | map        | USD      | receipt      | gross          | 2026-10-31 | 0         | 8.00        | 4.00          |        |                    | 12.00      | 12.00
      2026-10 | map        | USD      | receipt      | net            | 2026-10-31 | 0         | 8.00        | 4.00          |        |                    | 12.00      | 12.00
      2026-10 | map        | USD      | receipt      | units_missing  | 2026-10-31 | 0         |             | 1             |        |                    | 1          | 1
      2026-10 | map        | USD      | receipt      | gross_missing  | 2026-10-31 | 0         |             | 4.00          |        |                    | 4.00       | 4.00
      """, in: night)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      two         | 2              | book       | 2026-11-02 10:05 | delivered
      """)
    try night.transactions(
      Self.header + "1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-11-02 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    let rows = try night.table("restatement.csv").rows(where: "product_id", is: "book")
    #expect(
      rows.rows(where: "currency", is: "EUR").columns([
        "measure", "published", "log_arrived", "difference", "restated",
      ]).text
        == DrawnTable(
          """
          measure       | published | log_arrived | difference | restated
          units_missing | 1         | -1                 | -1         | 0
          gross_missing | 2.00      | -2.00              | -2.00      | 0.00
          """
        ).text)
  }

  @Test("another price in the catalogue, other settings and a withdrawn file have their columns")
  func others() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 3.00 USA 2026-01-01 00:00")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront | told_at
      1              | book       | 2026-10-10 10:00 | USA        | 2026-10-10 10:00
      """)
    // The delivery log covers the time.
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      9              | book       | 2026-10-10 10:05 | failed
      """)
    try night.run(asOf: "2026-11-02 03:00")
    try night.catalogue(
      """
      product_id | prices
      book       | USD 3.00 USA 2026-01-01 00:00, USD 5.00 USA 2026-10-01 00:00
      """)
    try night.run(asOf: "2026-11-03 03:00")
    try Self.expect(
      """
      measure       | edition    | published | catalogue_changed | difference | restated
      gross         | 2026-11-02 | 3.00      | 2.00             | 2.00       | 5.00
      net           | 2026-11-02 | 3.00      | 2.00             | 2.00       | 5.00
      gross_missing | 2026-11-02 | 3.00      | 2.00             | 2.00       | 5.00
      """, in: night)
    night.settings.graceHours = 2000
    try night.run(asOf: "2026-11-04 03:00")
    try Self.expect(
      """
      measure       | catalogue_changed | settings_changed | difference | restated
      gross         | 2.00             |               | 2.00       | 5.00
      net           | 2.00             |               | 2.00       | 5.00
      units_missing |                  | -1            | -1         | 0
      gross_missing | 2.00             | -5.00         | -3.00      | 0.00
      """, in: night)
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: night.inbox.appending(path: "receipts").path)
    try night.withdraw("receipts/\(receipts[0])")
    try night.rebuild()
    let withdrawn = try night.table("restatement.csv")
      .columns(["measure", "file_withdrawn", "restated"])
    #expect(
      withdrawn.text
        == DrawnTable(
          """
          measure       | file_withdrawn | restated
          units_sold    | -1             | 0
          gross         | -5.00          | 0.00
          net           | -5.00          | 0.00
          units_missing |                | 0
          gross_missing |                | 0.00
          """
        ).text)
  }

  @Test("a file that counts again has the cause of its withdrawal")
  func undone() throws {
    let night = try Self.october()
    try night.transactions(
      Self.header + "3 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-30 03:00")
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: night.inbox.appending(path: "receipts").path
    ).sorted()
    let file = "receipts/\(try #require(receipts.first))"
    try night.withdraw(file)
    try night.rebuild()
    func shown() throws -> String {
      try night.table("restatement.csv").rows(where: "measure", is: "gross")
        .columns(["currency", "evidence_arrived", "file_withdrawn", "difference"]).text
    }
    let arrived = "USD | 4.00 | | 4.00"
    let header = "currency | evidence_arrived | file_withdrawn | difference\n"
    #expect(
      try shown()
        == DrawnTable(header + "EUR | | -2.00 | -2.00\nUSD | | -1.00 | -1.00\n" + arrived).text)
    try night.undoWithdrawal(file)
    try night.transactions(
      Self.header + "4 | map | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    try night.run(asOf: "2026-12-01 03:00")
    #expect(try shown() == DrawnTable(header + "USD | 12.00 | | 12.00").text)
  }

  @Test("explain lists the transactions of a month, a product and a currency")
  func explained() throws {
    let night = try Self.october()
    try night.transactions(
      Self.header + """
        3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |
        4 | book | 2026-10-12 10:00 | 8.00 | USD | 2026-10-12 10:00 |
        """)
    try night.run(asOf: "2026-11-02 03:00")
    func names(_ name: String) throws -> [String]? {
      let inquiry = try Inquiry(about: name, database: night.database.connectionString)
      return inquiry.explanation.overview?.facts.filter { $0.section == "restated" }.map(\.name)
    }
    #expect(try names("2026-10") == ["3", "4"])
    #expect(try names("2026-10 map") == ["3"])
    #expect(try names("2026-10 map USD") == ["3"])
    #expect(try names("2026-10 map EUR") == nil)
    #expect(try names("2026-10 card") == nil)
    #expect(try names("2026-09") == [])
    let map = try Inquiry(about: "2026-10 map USD", database: night.database.connectionString)
    #expect(
      map.explanation.overview?.sentence
        == "2026-10 map USD was last published in the edition 2026-10-31. Since then one transaction "
        + "has changed it.")
    let restated = map.explanation.overview?.facts.last { $0.section == "restated" }
    #expect(
      restated?.words == "evidence_arrived: now 1 unit sold of map on 2026-10-12 for USD 4.00")
    // The file that came after the edition.
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: night.inbox.appending(path: "receipts").path
    ).sorted()
    #expect(restated?.file == "receipts/\(receipts.last ?? "")")
    #expect(restated?.line != nil)
  }

  @Test("a run of a past day has no restatement and no roll-forward")
  func pastDay() throws {
    let night = try Self.october()
    try night.transactions(
      Self.header + "3 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-02 03:00")
    #expect(try !night.table("restatement.csv").rows.isEmpty)
    try night.transactions(
      Self.header + "4 | map | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    try night.run(asOf: "2026-11-02 04:00")
    #expect(try night.shownNames().contains("2026-11-02.2"))
    for name in ["restatement", "roll_forward"] {
      let past = try night.table("\(name).csv", day: "2026-11-02.2")
      #expect(past.rows == [], "\(name)")
      #expect(try past.header == night.table("\(name).csv").header, "\(name)")
    }
    // The statements beside it have what is known now as of that day.
    let months = try night.table("months.csv", day: "2026-11-02.2")
    #expect(
      months.rows(where: "currency", is: "USD").columns(["month", "gross"]).rows
        == [["2026-10", "13.00"]])
  }

  @Test(
    "over random nights it is the difference between the revenue of two editions",
    arguments: RandomCases.seeds(1))
  func againstEditions(seed: UInt64) throws {
    var random = Dice(seed &* 6151)
    let input = RandomNight(seed: seed &+ 900, accounts: 25).input
    let night = try TestNight()
    let parts = input.nights(8, seed: seed)
    var asOf = input.asOf - 70 * 86_400
    var published: [String: Published] = [:]
    var differing = 0
    for (number, part) in parts.enumerated() {
      var part = part
      asOf += random.pick(86_400, 5 * 86_400, 12 * 86_400, 20 * 86_400)
      part.asOf = asOf
      part.settings.revenueSince = "2000-01-01"
      if number > 4, random.chance(50) { part.settings.graceHours += 24 }
      try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      differing += try check(night, against: published, "seed \(seed), night \(number)")
      let edition = try night.folder().lastPathComponent
      let now = try Published(edition: edition, night)
      let day = String(edition.prefix(10))
      for month in months(endedBy: day) {
        if month.lastDay == day {
          if published[month.name]?.edition != edition { published[month.name] = now }
        } else if published[month.name] == nil {
          published[month.name] = now
        }
      }
    }
    // A rebuild that finds the same publishes nothing, so the restatement is the same.
    #expect(try night.recompute().correctedSums == 0, "seed \(seed)")
    differing += try check(night, against: published, "seed \(seed), recomputed")
    #expect(differing > 0, "seed \(seed)")
  }

  /// The numbers of an edition by month, product, currency, source and measure.
  private struct Published {
    let edition: String
    var numbers: [[String]: Decimal] = [:]

    init(edition: String, _ night: TestNight) throws {
      self.edition = edition
      for row in try night.table("revenue.csv").records {
        for measure in [
          "units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded",
        ] {
          add(row, of: row["day"], measure, row[measure])
        }
      }
      for row in try night.table("missing_deliveries.csv").records
      where row["reason"] != "no_records" {
        add(row, of: row["purchased_at"], "gross_missing", row["amount"])
      }
    }

    private mutating func add(
      _ row: [String: String], of day: String?, _ measure: String, _ value: String?
    ) {
      let month = String((day ?? "").prefix(7))
      let key =
        [month] + ["product_id", "currency", "price_source"].map { exact(row[$0]) } + [measure]
      numbers[key, default: 0] += value.flatMap { Decimal(string: $0) } ?? 0
    }
  }

  /// - Returns: The number of differences that restatement.csv shows.
  private func check(
    _ night: TestNight, against published: [String: Published], _ place: String
  ) throws -> Int {
    let now = try Published(edition: "", night)
    var shown: [[String]: Decimal] = [:]
    for row in try night.table("restatement.csv").records {
      func number(_ column: String) -> Decimal { row[column].flatMap { Decimal(string: $0) } ?? 0 }
      let key = ["month", "product_id", "currency", "price_source", "measure"].map {
        exact(row[$0])
      }
      let causes = [
        "after_as_of", "evidence_arrived", "refunded", "refund_reversed", "log_arrived",
        "catalogue_changed", "settings_changed", "file_withdrawn", "account_forgotten",
        "error_corrected",
      ]
      #expect(causes.map(number).reduce(0, +) == number("difference"), "\(place), \(key)")
      #expect(number("published") + number("difference") == number("restated"), "\(place), \(key)")
      guard row["measure"] != "units_missing" else { continue }
      #expect(row["edition"] == published[key[0]]?.edition, "\(place), \(key)")
      #expect(published[key[0]]?.numbers[key] ?? 0 == number("published"), "\(place), \(key)")
      #expect(now.numbers[key] ?? 0 == number("restated"), "\(place), \(key)")
      if number("difference") != 0 { shown[key] = number("difference") }
    }
    var wanted: [[String]: Decimal] = [:]
    for (month, then) in published {
      for key in Set(then.numbers.keys).union(now.numbers.keys) where key[0] == month {
        let difference = (now.numbers[key] ?? 0) - (then.numbers[key] ?? 0)
        if difference != 0 { wanted[key] = difference }
      }
    }
    #expect(shown == wanted, "\(place)")
    return shown.count
  }

  /// The months that have ended on this day, with their last days.
  private func months(endedBy day: String) -> [(name: String, lastDay: String)] {
    var year = 2005
    var month = 1
    var ended: [(String, String)] = []
    while true {
      let leap = year % 4 == 0 ? 29 : 28
      let days = [31, leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      let name = "\(year)-\(month < 10 ? "0" : "")\(month)"
      guard "\(name)-\(days)" <= day else { return ended }
      ended.append((name, "\(name)-\(days)"))
      month += 1
      if month == 13 { (year, month) = (year + 1, 1) }
    }
  }
}

/// The text in ASCII: Swift holds two spellings of é for equal, and the tables do not.
private func exact(_ text: String?) -> String {
  (text ?? "").unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
}
