import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("tie_out.csv")
struct TieOutTests {
  static func night(_ catalogue: String) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue(catalogue)
    return night
  }

  private static let catalogue = """
    product_id | type       | delivery
    coin       | consumable | built_in
    """

  @Test(
    "every planted cause explains exactly what was planted, and nothing else is unexplained",
    arguments: RandomCases.seeds(2))
  func planted(seed: UInt64) throws {
    let store = PlantedStore(seed: seed, sales: 120)
    let night = try Self.night(PlantedStore.catalogue)
    // Receipts and reports come in a random order, in several nights.
    var random = Dice(seed)
    var days = (0..<PlantedStore.days).map { PlantedStore.firstDay + $0 }
    days.shuffle(using: &random)
    let rows = store.receipts.shuffled(using: &random)
    for part in 0..<3 {
      let own = rows.indices.filter { $0 % 3 == part }.map { rows[$0] }
      try night.transactions(([PlantedStore.header] + own).joined(separator: "\n"))
      for day in days where day % 3 == part {
        try night.put(store.report(day), at: "apple/\(PlantedStore.text(day)).txt")
      }
      try night.run(asOf: "2026-11-06 1\(part):00")
    }
    try expect(night, store, "seed \(seed)")
    #expect(try night.recompute().corrections == 0, "seed \(seed)")
    try night.rebuild()
    try expect(night, store, "seed \(seed), rebuilt")
  }

  private func expect(_ night: TestNight, _ store: PlantedStore, _ what: String) throws {
    let table = try night.table("tie_out.csv")
    var found: Set<PlantedStore.Cell> = []
    for row in table.records where row["state"] == "compared" {
      let day = try #require(
        (0..<PlantedStore.days).map { PlantedStore.firstDay + $0 }
          .first { PlantedStore.text($0) == row["period_begin"] })
      let cell = PlantedStore.Cell(
        day: day, product: row["product_id"] ?? "", country: row["country"] ?? "",
        currency: row["currency"] ?? "")
      found.insert(cell)
      let expected = store.expected[cell] ?? [:]
      for column in table.header {
        guard column.hasSuffix("_units") || column.hasSuffix("_amount") else { continue }
        guard !column.hasPrefix("difference"), !column.hasSuffix("_refunded_units") else {
          continue
        }
        let value = expected[column] ?? 0
        let text: String? =
          column.hasSuffix("_units")
          ? "\(value)"
          : cell.currency.isEmpty ? nil : PlantedStore.amount(value, cell.currency)
        #expect(row[column] == text, "\(what), \(cell), \(column)")
      }
    }
    #expect(found.symmetricDifference(store.expected.keys).isEmpty, "\(what)")
  }

  @Test("a unit with a list price of 0 ties with a free unit of Apple")
  func listedForNothing() throws {
    let night = try Self.night(
      """
      product_id | type       | delivery | prices
      coin       | consumable | built_in | USD 0
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront
      1              | coin       | 2026-11-03 20:00 | USA
      """)
    try night.put(
      AppleReports.sales("11/03/2026", ["coin US 1 0 USD 0 USD"]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-06 03:00")
    let table = try night.table("tie_out.csv").rows(where: "state", is: "compared")
    #expect(
      table.columns([
        "currency", "ours_units", "apple_units", "only_here_units", "only_apple_units",
      ])
      .rows == [["", "1", "1", "0", "0"]], "\(table.text)")
    #expect(
      try night.table("findings.csv").rows(where: "rule", is: "unexplained_difference").rows == [])
  }

  @Test("a row of Apple's report with zero units makes no row, unless the product has others")
  func withoutUnits() throws {
    let night = try Self.night(Self.catalogue)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 | 0.99  | USD      | USA
      """)
    try night.put(
      AppleReports.sales(
        "11/03/2026",
        [
          "coin US 1 0.70 USD 0.99 USD", "coin US 0 0 USD 0.99 USD", "coin DE 0 0 EUR 0.99 EUR",
          "coin FR 0 0 EUR 0 EUR", "map:IA3 US 0 0 USD 0 USD", "map DE 1 0.70 EUR 0.99 EUR",
          "map DE -1 -0.70 EUR -0.99 EUR",
        ]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-04 10:00")
    let table = try night.table("tie_out.csv").rows(where: "state", is: "compared")
    #expect(
      table.columns(["product_id", "country", "apple_units", "apple_refunded_units"]).rows
        == [["coin", "US", "1", "0"], ["map", "DE", "0", "1"]], "\(table.text)")
    #expect(
      try night.table("findings.csv").rows(where: "rule", is: "unexplained_difference").rows == [])
  }

  @Test("a sale and its refund that Apple does not report cancel, and the last columns show them")
  func cancelled() throws {
    let night = try Self.night(Self.catalogue)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 |                  | 0.99  | USD      | USA
      2              | coin       | 2026-11-03 20:00 | 2026-11-03 21:00 | 0.99  | USD      | USA
      3              | coin       | 2026-11-04 20:00 |                  | 0.99  | USD      | USA
      4              | coin       | 2026-11-04 20:00 | 2026-11-04 21:00 | 0.99  | USD      | USA
      5              | coin       | 2026-11-05 20:00 | 2026-11-05 21:00 | 0.99  | USD      | USA
      """)
    let sale = "coin US 1 0.70 USD 0.99 USD"
    try night.put(AppleReports.sales("11/03/2026", [sale]), at: "apple/03.txt")
    try night.put(
      AppleReports.sales("11/04/2026", [sale, sale, "coin US -1 -0.70 USD -0.99 USD"]),
      at: "apple/04.txt")
    try night.run(asOf: "2026-11-07 03:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_begin | ours_units | apple_units | unexplained_units | ours_amount | ours_refunded_units | apple_refunded_units
        compared | 2026-11-03   | 1          | 1           | 0                 | 0.99        | 1                   | 0
        compared | 2026-11-04   | 1          | 1           | 0                 | 0.99        | 1                   | 1
        pending  | 2026-11-05   | 0          |             |                   | 0.00        | 1                   |
        """)
  }

  @Test("days that no report covers are pending, and a report replaces that")
  func pending() throws {
    let night = try Self.night(Self.catalogue)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 12:00 | 0.99  | USD      | USA
      2              | coin       | 2026-11-04 12:00 | 0.99  | USD      | USA
      3              | coin       | 2026-11-05 12:00 | 0.99  | USD      | USA
      4              | coin       | 2026-11-06 12:00 | 0.99  | USD      | USA
      """)
    try night.run(asOf: "2026-11-07 03:00")
    #expect(try night.table("tie_out.csv").rows.isEmpty)
    for day in ["03", "05"] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 1 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-07 03:30")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_begin | period_end | ours_units | apple_units | difference_units | ours_amount | apple_amount
        compared | 2026-11-03   | 2026-11-03 | 1          | 1           | 0                | 0.99        | 0.99
        pending  | 2026-11-04   | 2026-11-04 | 1          |             |                  | 0.99        |
        compared | 2026-11-05   | 2026-11-05 | 1          | 1           | 0                | 0.99        | 0.99
        pending  | 2026-11-06   | 2026-11-06 | 1          |             |                  | 0.99        |
        """)
    try night.withdraw("apple/05.txt")
    try night.rebuild()
    #expect(
      try night.table("tie_out.csv").columns(["state", "period_begin", "period_end"]).rows == [
        ["compared", "2026-11-03", "2026-11-03"], ["pending", "2026-11-04", "2026-11-06"],
      ])
    try night.withdraw("apple/03.txt")
    try night.rebuild()
    #expect(try night.table("tie_out.csv").rows.isEmpty)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("what Apple sold by its own days, but did not settle, is not yet processed")
  func financial() throws {
    let night = try Self.night(Self.catalogue)
    // In California it is still October at 06:59.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-10-05 12:00 | 1.00  | USD      | USA
      2              | coin       | 2026-10-31 12:00 | 1.00  | USD      | USA
      3              | coin       | 2026-11-01 06:59 | 1.00  | USD      | USA
      4              | coin       | 2026-11-01 12:00 | 1.00  | USD      | USA
      """)
    try night.put(
      AppleReports.financial(["coin US 2 0.70 1.40 USD S 1.00 USD"], amount: "1.40", units: 2),
      at: "apple/month.txt")
    try night.run(asOf: "2026-11-07 03:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_end | ours_units | apple_units | cut_off_units | not_yet_processed_units | unexplained_units | unexplained_amount
        compared | 2026-10-31 | 2          | 2           | 1             | 0                       | -1                | -1.00
        pending  | 2026-11-06 | 2          |             |               |                         |                   |
        """)
    // The days of the month, of which one lacks until the next night.
    let sold = ["2026-10-05": 1, "2026-10-31": 2]
    for day in 20_723...20_757 {
      let text = PlantedStore.text(day)
      let row = sold[text].map { "coin US \($0) 0.70 USD 1.00 USD" }
      try night.put(
        AppleReports.sales(text, [row ?? "reader:1F US 7 0 USD 0 USD"]), at: "apple/\(text).txt")
      guard day >= 20_756 else { continue }
      try night.run(asOf: "2026-11-07 0\(day - 20_752):00")
      let shown = try night.table("tie_out.csv").records.first { $0["report"] == "financial" }
      #expect(shown?["not_yet_processed_units"] == (day == 20_757 ? "-1" : "0"))
      #expect(shown?["unexplained_amount"] == (day == 20_757 ? "0.00" : "-1.00"))
    }
  }

  @Test("a list price explains a price that differs, and no unit that is missing")
  func estimated() throws {
    let night = try Self.night(
      """
      product_id | type       | delivery | prices
      coin       | consumable | built_in | USD 0.99 USA
      gem        | consumable | built_in | USD 0.99 USA
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront
      1              | coin       | 2026-11-03 12:00 | USA
      2              | gem        | 2026-11-03 12:00 | USA
      3              | gem        | 2026-11-03 12:00 | USA
      """)
    try night.put(
      AppleReports.sales(
        "11/03/2026",
        [
          "coin US 3 0.77 USD 1.10 USD", "gem US 2 0.77 USD 1.10 USD", "gem US 1 0.70 USD 1.00 USD",
        ]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-07 03:00")
    // Apple has two prices of gem. The missing unit has the one that leaves least for the estimate.
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_end | product_id | unexplained_units | difference_amount | estimated_amount | unexplained_amount
        compared | 2026-11-03 | coin       | 2                 | 2.31              | 0.11             | 2.20
        compared | 2026-11-03 | gem        | 1                 | 1.22              | 0.12             | 1.10
        """)
  }

  @Test("a sale without a storefront is compared in units, whatever storefront is assumed")
  func assumedStorefront() throws {
    for assumed in [nil, "USA"] {
      let night = try Self.night(
        """
        product_id | type       | delivery | prices
        coin       | consumable | built_in | USD 4.99 USA, EUR 5.49 DEU
        """)
      night.settings.assumeStorefront = assumed
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | cancelled_at
        1              | coin       | 2026-11-03 12:00 |
        2              | coin       | 2026-11-03 12:00 | 2026-11-03 13:00
        """)
      try night.put(
        AppleReports.sales(
          "11/03/2026", ["coin DE 2 3.84 EUR 5.49 EUR", "coin DE -1 -3.84 EUR -5.49 EUR"]),
        at: "apple/03.txt")
      try night.run(asOf: "2026-11-07 03:00")
      try night.expect(
        report: "tie_out.csv",
        shows: """
          state    | period_end | country | currency | ours_units | apple_units | ours_amount | apple_amount
          compared | 2026-11-03 |         | EUR      | 1          | 1           | 0.00        | 5.49
          """)
      try night.expect("unexplained_difference", finds: "subject")
    }
  }

  /// A subscription of November 1 that the customer upgraded on the 3rd.
  private static func nightWithUpgrade() throws -> TestNight {
    let night = try Self.night(
      "product_id | type | delivery | prices\nmonth | auto_renewable | built_in | USD 4.99 USA")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | storefront | cancelled_at     | upgraded
      1              | month      | 2026-11-01 12:00 | 2026-12-01 12:00 | USA        | 2026-11-03 12:00 | yes
      """)
    return night
  }

  @Test("what Apple gives back for an upgrade is no estimate of a price")
  func upgraded() throws {
    let night = try Self.nightWithUpgrade()
    try night.put(
      AppleReports.sales("11/03/2026", ["month US -1 3.00 USD -4.49 USD"]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-07 03:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_end | upgrades_units | upgrades_amount | estimated_amount
        compared | 2026-11-03 | -1             | -4.49           | 0.00
        """)
  }

  @Test("a rest below the smallest unit of the currency is no finding and has no mark on the page")
  func rounded() throws {
    let night = try Self.night("product_id | type | delivery\nmonth | auto_renewable | built_in")
    try night.signed(
      "transaction_id | product_id | purchased_at | expires_at | price | currency | storefront | "
        + "revoked_at | revocation_type | percentage | signed_at | type\n"
        + "1 | month | 2026-11-01 12:00 | 2026-12-01 12:00 | 10000 | USD | USA | 2026-11-03 12:00 | "
        + "REFUND_PRORATED | 33333 | 2026-11-03 12:00 | Auto-Renewable Subscription")
    try night.put(
      AppleReports.sales("11/03/2026", ["month US -1 2.33 USD -3.33 USD"]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-07 03:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_end | unexplained_units | unexplained_amount
        compared | 2026-11-03 | 0                 | 0.0033
        """)
    try night.expect("unexplained_difference", finds: "subject")
    #expect(try !night.report("index.html").contains("> unexplained</span>"))
  }

  @Test("an upgrade explains only a unit that Apple takes back", arguments: [false, true])
  func upgradedWithoutReturn(isLater: Bool) throws {
    let night = try Self.nightWithUpgrade()
    try night.put(
      AppleReports.sales("11/01/2026", ["month US 1 3.00 USD 4.99 USD"]), at: "apple/01.txt")
    if isLater {
      // It has another product only: Apple reports nothing about the upgrade, and neither side has
      // a unit, so there is no row.
      try night.put(
        AppleReports.sales("11/03/2026", ["other US 1 3.00 USD 4.99 USD"]), at: "apple/03.txt")
    }
    try night.run(asOf: "2026-11-07 03:00")
    let compared = try night.table("tie_out.csv").rows(where: "product_id", is: "month")
      .rows(where: "state", is: "compared")
      .columns(["ours_units", "upgrades_units", "unexplained_units", "only_here_units"])
    #expect(compared.rows == [["1", "0", "0", "0"]])
    try night.expect(
      "unexplained_difference",
      finds: isLater
        ? "subject | reason\nother sales_summary 2026-11-03 US USD | only_apple" : "subject")
  }
}
