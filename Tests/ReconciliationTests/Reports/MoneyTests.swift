import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import Page
import ReconciliationTestSupport
import Testing

@Suite("The money in summary and page")
struct MoneyTests {
  @Test("money at risk is apart by currency, source, days overdue and uncertainty")
  func atRisk() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 2.00 USA")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at        | storefront | price | currency
      1              | book       | 2026-11-18 03:00:01 | USA        |       |
      2              | book       | 2026-11-18 03:00:00 | USA        |       |
      3              | book       | 2026-11-12 03:00:01 | USA        | 1.00  | USD
      4              | book       | 2026-11-12 03:00:00 | USA        | 1.25  | USD
      5              | book       | 2026-10-20 03:00:01 | USA        | 3.00  | EUR
      6              | book       | 2026-10-20 03:00:00 | USA        | 4.00  | EUR
      7              | book       | 2026-10-20 03:00:00 | DEU        |       |
      8              | book       | 2026-10-10 03:00:00 | USA        |       |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-18 04:00 | failed
      2              | book       | 2026-11-18 04:00 | failed
      3              | book       | 2026-11-18 04:00 | failed
      4              | book       | 2026-11-18 04:00 | failed
      5              | book       | 2026-11-18 04:00 | failed
      6              | book       | 2026-11-18 04:00 | failed
      7              | book       | 2026-11-18 04:00 | failed
      """)
    let money = try night.run(asOf: "2026-11-20 03:00").money
    // 1 is due one second less than a day before as-of, 2 exactly a day before, and so on.
    let shown = money.atRisk.map { risk in
      let amounts = ([risk.total] + risk.byAge).map { $0.amount ?? "-" }
      return "\(risk.isUncertain) \(risk.currency ?? "-") \(risk.source) \(risk.total.deliveries): "
        + amounts.joined(separator: " ")
    }
    #expect(
      shown == [
        "false USD receipt 2: 2.25 - 1.00 1.25 -",
        "false USD catalogue 2: 4.00 2.00 2.00 - -",
        "false EUR receipt 2: 7.00 - - 3.00 4.00",
        "false - none 1: - - - - -",
        "true USD catalogue 1: 2.00 - - - 2.00",
      ])
    let page = try night.report("index.html")
    #expect(
      page.contains(
        """
        <tr><th scope="row">missing USD</th><td class="source">list price, an estimate</td><td>2</td>\
        <td>2.00</td><td>2.00</td><td></td><td></td><td>4.00</td></tr>
        """))
  }

  @Test("the sums are those of the statements beside them", arguments: RandomCases.seeds(2))
  func sums(seed: UInt64) throws {
    let night = try TestNight()
    let input = RandomNight(seed: seed &+ 700, accounts: 60).input
    night.apply(input.settings)
    try night.run(input, files: 2, seed: seed)
    let money = try night.run(asOf: Instant(seconds: input.asOf).rfc3339).money

    var risk: [String: (deliveries: Int, amount: Decimal)] = [:]
    for row in try night.table("missing_deliveries.csv").records {
      let days = (row["hours_overdue"].flatMap { Int($0) } ?? 0) / 24
      let age = days < 1 ? 0 : days < 7 ? 1 : days < 30 ? 2 : 3
      let key =
        "\(row["reason"] == "no_records") \(row["currency"] ?? "") \(row["price_source"] ?? "") \(age)"
      risk[key, default: (0, 0)].deliveries += 1
      risk[key, default: (0, 0)].amount += Self.decimal(row["amount"])
    }
    var known = 0
    for row in money.atRisk {
      for (age, part) in row.byAge.enumerated() where part.deliveries > 0 {
        let sum = try #require(
          risk["\(row.isUncertain) \(row.currency ?? "") \(row.source) \(age)"])
        #expect(sum.deliveries == part.deliveries, "seed \(seed)")
        #expect(sum.amount == Self.decimal(part.amount), "seed \(seed)")
        known += 1
      }
      #expect(row.byAge.reduce(0) { $0 + $1.deliveries } == row.total.deliveries)
      #expect(
        row.byAge.reduce(0) { $0 + Self.decimal($1.amount) } == Self.decimal(row.total.amount))
    }
    #expect(known == risk.count, "seed \(seed)")

    let months = try night.table("months.csv").records.filter { $0["units_sold"] != "0" }
    let newest = try #require(try night.table("months.csv").records.last?["month"])
    #expect(money.sales.allSatisfy { $0.isNewest == ($0.month == newest) })
    for sale in money.sales {
      func row(_ source: String) -> [String: String]? {
        months.first {
          $0["month"] == sale.month && ($0["currency"] ?? "") == (sale.currency ?? "")
            && $0["price_source"] == source
        }
      }
      #expect(row("receipt")?["units_sold"] ?? "0" == "\(sale.paidUnits)", "seed \(seed)")
      #expect(row("catalogue")?["units_sold"] ?? "0" == "\(sale.listedUnits)", "seed \(seed)")
      let unknown = sale.units - sale.paidUnits - sale.listedUnits
      #expect(row("none")?["units_sold"] ?? "0" == "\(unknown)", "seed \(seed)")
      #expect(Self.decimal(row("receipt")?["gross"]) == Self.decimal(sale.paid), "seed \(seed)")
      #expect(
        Self.decimal(row("catalogue")?["gross"]) == Self.decimal(sale.listPrice), "seed \(seed)")
    }
    let shown = Set(money.sales.map { "\($0.month) \($0.currency ?? "")" })
    let first = money.sales.map(\.month).min() ?? "9999"
    let stated = Set(
      months.filter { ($0["month"] ?? "") >= first }
        .map { "\($0["month"] ?? "") \($0["currency"] ?? "")" })
    #expect(shown == stated, "seed \(seed)")
  }

  private static func decimal(_ text: String?) -> Decimal {
    text.flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) } ?? 0
  }
}
