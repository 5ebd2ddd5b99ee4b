import Configuration
import Explain
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("unexplained_difference")
struct UnexplainedDifferenceTests {
  private static func night(_ rows: [String]) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\ncoin | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      2              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      3              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      """)
    try night.put(AppleReports.sales("11/10/2026", rows), at: "apple/10.txt")
    return night
  }

  private static let subject = "coin sales_summary 2026-11-10 US USD"

  @Test(
    "one unit or one cent is found with its numbers, in both directions",
    arguments: [
      (["coin US 4 0.70 USD 0.99 USD"], "1 of 4", "0.99 USD of 3.96"),
      (["coin US 2 0.70 USD 0.99 USD"], "-1 of 2", "-0.99 USD of 1.98"),
      (["coin US 2 0.70 USD 0.99 USD", "coin US 1 0.70 USD 1 USD"], "0 of 3", "0.01 USD of 2.98"),
    ])
  func smallest(rows: [String], units: String, amount: String) throws {
    let night = try Self.night(rows)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "unexplained_difference",
      finds: """
        level   | subject         | detail
        warning | \(Self.subject) | unexplained units: \(units) that Apple reports, unexplained amount: \(amount)
        """)
  }

  @Test("explain names the row of each difference in the country of a purchase")
  func explainedByRow() throws {
    let night = try Self.night([
      "coin US 4 0.70 USD 0.99 USD", "coin DE 1 0.70 EUR 0.89 EUR",
    ])
    try night.run(asOf: "2026-11-20 03:00")
    let verdicts = try Inquiry(about: "1", database: night.database.connectionString).explanation
      .things[0].verdicts.filter { $0.rule == "unexplained_difference" }
    #expect(
      verdicts.map(\.words).sorted() == [
        "\(Self.subject): unexplained units: 1 of 4 that Apple reports, "
          + "unexplained amount: 0.99 USD of 3.96"
      ])
  }

  @Test("explain leaves out the differences of other days and countries, and says so")
  func explainedElsewhere() throws {
    let night = try Self.night([
      "coin US 4 0.70 USD 0.99 USD", "coin DE 1 0.70 EUR 0.89 EUR",
    ])
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      4              | coin       | 2026-11-13 12:00 | 0.99  | USD      | USA
      5              | coin       | 2026-11-10 12:00 | 0.89  | EUR      | DEU
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for transaction in ["4", "5"] {
      let verdicts = try Inquiry(
        about: transaction, database: night.database.connectionString
      ).explanation.things[0].verdicts.filter { $0.rule == "unexplained_difference" }
      #expect(
        verdicts.map(\.words) == [
          "no unexplained difference to Apple's reports for its product, country, and days of "
            + "purchase and refund"
        ])
    }
  }

  @Test("what is explained, and what Apple has not reported, is not found")
  func explained() throws {
    let night = try Self.night(["coin US 3 0.70 USD 0.99 USD"])
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      4              | coin       | 2026-11-12 12:00 | 0.99  | USD      | USA
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unexplained_difference", finds: "subject")
  }

  // A limit applies to the next night, although nothing else is new.
  @Test("materiality says from how much on, by units and by currency")
  func materiality() throws {
    let night = try Self.night(["coin US 4 0.70 USD 0.99 USD"])
    let cases: [(limits: [String: String], isFound: Bool)] = [
      (["units": "2", "USD": "0.99"], true), (["units": "2", "USD": "1.00"], false),
      (["units": "1", "USD": "9"], true), (["units": "9", "USD": "99"], false),
      (["units": "2", "EUR": "9"], true), (["units": "9", "USD": "99"], false),
      (["USD": "9"], true), (["units": "9", "USD": "99"], false), ([:], true),
    ]
    for (hour, (limits, isFound)) in cases.enumerated() {
      night.settings.materiality = limits
      try night.run(asOf: "2026-11-20 0\(hour):00")
      let found = try night.findings(of: "unexplained_difference", columns: ["subject"])
      #expect(
        found == DrawnTable(isFound ? "subject\n\(Self.subject)" : "subject").text, "\(limits)")
    }
  }

  @Test("a report that Apple corrects resolves the finding")
  func corrected() throws {
    let night = try Self.night(["coin US 4 0.70 USD 0.99 USD"])
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unexplained_difference", finds: "subject\n\(Self.subject)")
    try night.put(
      AppleReports.sales("11/10/2026", ["coin US 3 0.70 USD 0.99 USD"]), at: "apple/10b.txt")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect("unexplained_difference", finds: "subject")
  }

  @Test("what only Apple reports, or only we have, is found with its numbers")
  func oneSide() throws {
    let night = try Self.night(["gem US 2 0.70 USD 0.99 USD", "app:1F US 7 0 USD 0 USD"])
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "unexplained_difference",
      finds: """
        subject                             | reason     | detail
        \(Self.subject) | only_here  | units that Apple does not report: 3, amount: 2.97 USD
        gem sales_summary 2026-11-10 US USD | only_apple | units that only Apple reports: 2, amount: 1.98 USD
        """)
    night.settings.materiality = ["units": "3", "USD": "2.97"]
    try night.run(asOf: "2026-11-20 04:00")
    try night.expect(
      "unexplained_difference", finds: "subject\n\(Self.subject)")
    // Apple settles a sale in a later month, so a Financial Report may lack it.
    try night.withdraw("apple/10.txt")
    try night.put(
      AppleReports.financial(["gem US 2 0.70 1.40 USD S 1.00 USD"], amount: "1.40", units: 2),
      at: "apple/month.txt")
    night.settings.materiality = [:]
    try night.rebuild()
    try night.run(asOf: "2026-11-20 05:00")
    #expect(try night.table("tie_out.csv").records.contains { $0["only_apple_units"] == "2" })
    try night.expect("unexplained_difference", finds: "subject")
  }

  @Test("nothing is found until the grace period after the end of the day in California")
  func late() throws {
    let night = try Self.night(["coin US 4 0.70 USD 0.99 USD", "gem US 1 0.70 USD 0.99 USD"])
    night.settings.graceHours = 48
    // The day ends at 2026-11-11 08:00 UTC.
    try night.run(asOf: "2026-11-13 07:59:59")
    try night.expect("unexplained_difference", finds: "subject")
    try night.run(asOf: "2026-11-13 08:00")
    try night.expect(
      "unexplained_difference",
      finds: "subject\n\(Self.subject)\ngem sales_summary 2026-11-10 US USD")
  }
}
