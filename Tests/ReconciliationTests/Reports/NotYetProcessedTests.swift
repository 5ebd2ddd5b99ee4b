import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("What Apple has not yet processed")
struct NotYetProcessedTests {
  /// The units of one product: ours, of the Financial Report and of the daily reports.
  private struct Units {
    let ours: Int
    let settled: Int
    let daily: Int
    var product: String { "p\(ours)\(settled)\(daily)" }
  }

  @Test("another price in the daily reports explains sales that no Financial Report has")
  func price() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue(
      "product_id | type | delivery\nbook | consumable | built_in\nmap | consumable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | book       | 2026-10-05 20:00 | 19.99 | USD      | USA
      2              | book       | 2026-10-05 20:00 | 19.99 | USD      | USA
      3              | map        | 2026-10-05 20:00 | 1.00  | USD      | USA
      """)
    try night.put(
      AppleReports.financial(["map US 1 1 1 USD S 1.00 USD"], amount: "1", units: 1),
      at: "apple/month.txt")
    for day in 20_723...20_757 {
      let text = PlantedStore.text(day)
      let rows =
        text == "2026-10-05"
        ? ["book US 2 0.70 USD 21.49 USD", "map US 1 0.70 USD 1.00 USD"] : []
      try night.put(
        AppleReports.sales(text, rows + ["reader:1F US 7 0 USD 0 USD"]), at: "apple/\(text).txt")
    }
    try night.run(asOf: "2026-11-07 03:00")
    let row = try #require(
      try night.table("tie_out.csv").rows(where: "report", is: "financial").records.first {
        $0["product_id"] == "book" && $0["state"] == "compared"
      })
    #expect(row["not_yet_processed_amount"] == "-42.98")
    #expect(row["price_amount"] == "3.00" && row["unexplained_amount"] == "0.00", "\(row)")
    try night.expect("unexplained_difference", finds: "subject")
  }

  @Test("a daily report explains a difference to the Financial Report, and makes none")
  func equal() throws {
    let cases = (1...3).flatMap { ours in
      (1...3).flatMap { settled in
        (0...3).map { Units(ours: ours, settled: settled, daily: $0) }
      }
    }
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue(
      "product_id | type | delivery\n"
        + cases.map { "\($0.product) | consumable | built_in" }.joined(separator: "\n"))
    var sales: [String] = []
    for one in cases {
      for _ in 0..<one.ours {
        sales.append("\(sales.count + 1) | \(one.product) | 2026-10-05 20:00 | 1.00 | USD | USA")
      }
    }
    try night.transactions(
      "transaction_id | product_id | purchased_at | price | currency | storefront\n"
        + sales.joined(separator: "\n"))
    let settled = cases.reduce(0) { $0 + $1.settled }
    try night.put(
      AppleReports.financial(
        cases.map { "\($0.product) US \($0.settled) 1 \($0.settled) USD S 1.00 USD" },
        amount: "\(settled)", units: settled), at: "apple/month.txt")
    for day in 20_723...20_757 {
      let text = PlantedStore.text(day)
      let rows = cases.filter { $0.daily > 0 && text == "2026-10-05" }.map {
        "\($0.product) US \($0.daily) 0.70 USD 1.00 USD"
      }
      try night.put(
        AppleReports.sales(text, rows + ["reader:1F US 7 0 USD 0 USD"]), at: "apple/\(text).txt")
    }
    try night.run(asOf: "2026-11-07 03:00")
    let shown = try night.table("tie_out.csv").rows(where: "report", is: "financial")
      .rows(where: "state", is: "compared").records
    let found = try night.table("findings.csv").rows(where: "rule", is: "unexplained_difference")
      .columns(["subject"]).text
    for one in cases {
      let row = try #require(shown.first { $0["product_id"] == one.product })
      let processed = one.ours == one.settled ? 0 : one.settled - one.daily
      let rest = one.settled - one.ours - processed
      #expect(row["not_yet_processed_units"] == "\(processed)", "\(one)")
      #expect(row["not_yet_processed_amount"] == "\(processed).00", "\(one)")
      #expect(row["unexplained_units"] == "\(rest)", "\(one)")
      #expect(row["unexplained_amount"] == "\(rest).00", "\(one)")
      #expect(found.contains("\(one.product) financial") == (rest != 0), "\(one)")
    }
  }
}
