import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Testing

extension RestatementTests {
  private static let receipt =
    "transaction_id | product_id | purchased_at | storefront | price | currency | told_at\n"

  @Test("a new sale has its own cause in the night in which withdrawn files come back")
  func newSaleBesideReturnedFiles() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      Self.receipt + "1 | book | 2026-10-10 10:00 | USA | 1.00 | USD | 2026-10-10 10:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      one         | 1              | book       | 2026-10-10 10:05 | delivered
      """)
    func files(_ folder: String) throws -> Set<String> {
      let path = night.inbox.appending(path: folder).path
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return Set(names.map { "\(folder)/\($0)" })
    }
    let before = (try files("deliveries"), try files("catalog"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      two         | 2              | book       | 2026-10-10 10:05 | failed
      three       | 1              | book       | 2026-10-10 10:06 | failed
      """)
    try night.catalogue("product_id | prices\nmap | USD 3.00 USA 2026-01-01 00:00")
    try night.transactions(
      Self.receipt + "4 | map | 2026-10-10 10:02 | USA | | | 2026-10-10 10:02")
    try night.run(asOf: "2026-11-02 03:00")
    let withdrawn =
      try files("deliveries").subtracting(before.0)
      .union(try files("catalog").subtracting(before.1))
    #expect(withdrawn.count == 2)
    for file in withdrawn { try night.withdraw(file) }
    try night.rebuild()
    for file in withdrawn { try night.undoWithdrawal(file) }
    try night.transactions(
      Self.receipt + """
        2 | book | 2026-10-10 10:00 | USA | 5.00 | USD | 2026-10-10 10:00
        3 | map  | 2026-10-10 10:01 | USA | 7.00 | USD | 2026-10-10 10:01
        """)
    try night.run(asOf: "2026-11-03 03:00")
    let shown = try night.table("restatement.csv")
      .columns(["product_id", "measure", "evidence_arrived", "file_withdrawn"])
    for measure in ["units_sold", "gross", "units_missing", "gross_missing"] {
      let rows = shown.rows(where: "measure", is: measure)
      for row in rows.records { #expect(row["file_withdrawn"] == nil, "\(shown.text)") }
      let isAmount = measure.hasPrefix("gross")
      #expect(
        rows.columns(["product_id", "evidence_arrived"]).rows
          == [["book", isAmount ? "5.00" : "1"], ["map", isAmount ? "7.00" : "1"]],
        "\(shown.text)")
    }
  }

  @Test(
    "a sale that another id of it replaces has one cause, also if the night judges in bulk",
    arguments: [false, true])
  func anotherID(isInBulk: Bool) throws {
    let night = try TestNight.withOpenBooks()
    night.judgesInBulk = isInBulk
    func catalogue(_ price: String) throws {
      try night.catalogue(
        "product_id | type | delivery | prices\n"
          + "month | auto_renewable | built_in | USD \(price) USA 2026-01-01 00:00")
    }
    try catalogue("3.00")
    let header =
      "transaction_id | original_transaction_id | web_order_line_item_id | product_id | "
      + "purchased_at | expires_at | storefront | price | currency\n"
    let paid = "USA | 3.00 | USD"
    let rest = "month | 2026-10-01 10:00 | 2026-11-01 10:00 | \(paid)"
    // The rules judge a third of the chains as a sample.
    let chains = 1...6
    try night.transactions(
      header
        + chains.map {
          """
          \($0)00 | \($0)00 | \($0)8 | month | 2026-09-01 10:00 | 2026-10-01 10:00 | \(paid)
          \($0)30 | \($0)00 | \($0)9 | \(rest)

          """
        }.joined())
    try night.run(asOf: "2026-11-02 03:00")
    try catalogue("2.00")
    try night.transactions(
      header + chains.map { "\($0)20 | \($0)00 | \($0)9 | \(rest)" }.joined(separator: "\n"))
    try night.run(asOf: "2026-11-03 03:00")
    let months = try night.table("months.csv").columns(["month", "units_sold"]).rows
    #expect(months.contains(["2026-10", "6"]), "\(months)")
    let rows = try night.table("restatement.csv")
    #expect(rows.rows == [], "\(rows.text)")
  }

  @Test("a list price that is corrected is the cause, whatever record about the purchase came too")
  func correctedPrice() throws {
    try Self.expectCatalogueChanged(
      from: "product_id | prices\nbook | USD 3.00 USA 2026-01-01 00:00",
      to: "product_id | prices\nbook | USD 2.00 USA 2026-10-01 00:00", price: "|",
      """
      measure       | catalogue_changed | difference
      gross         | -1.00             | -1.00
      net           | -1.00             | -1.00
      gross_missing | -1.00             | -1.00
      """)
  }

  @Test("the first list price is the cause, whatever record about the purchase came too")
  func firstPrice() throws {
    try Self.expectCatalogueChanged(
      from: "product_id | prices\nbook |",
      to: "product_id | prices\nbook | USD 2.00 USA 2026-01-01 00:00", price: "|",
      """
      measure       | catalogue_changed | difference
      units_sold    | -1                | -1
      units_missing | -1                | -1
      units_sold    | 1                 | 1
      gross         | 2.00              | 2.00
      net           | 2.00              | 2.00
      units_missing | 1                 | 1
      gross_missing | 2.00              | 2.00
      """)
  }

  @Test("a product that Apple hosts now is the cause, whatever record about the purchase came too")
  func hostedByApple() throws {
    try Self.expectCatalogueChanged(
      from: "product_id | delivery\nbook |", to: "product_id | delivery\nbook | apple_hosted",
      price: "3.00 | USD",
      """
      measure       | catalogue_changed | difference
      units_missing | -1                | -1
      gross_missing | -3.00             | -3.00
      """)
  }

  @Test(
    "evidence under another id of the line item is the cause, whatever else a night changes",
    arguments: ["setting", "catalogue"])
  func anotherID(beside: String) throws {
    let night = try TestNight.withOpenBooks()
    let catalogue = "product_id | type | delivery | prices | valid_from\n"
    try night.catalogue(catalogue + "sub | auto_renewable | built_in | USD 7.99 |")
    let header =
      "transaction_id | original_transaction_id | product_id | purchased_at | "
      + "web_order_line_item_id | price | currency | told_at | cancelled_at\n"
    try night.transactions(
      header + """
        1 | 1 | sub | 2026-10-10 10:00 | 91 | | | 2026-10-10 10:00 |
        3 | 3 | sub | 2026-10-12 10:00 | 93 | | | 2026-10-12 10:00 |
        """)
    try night.run(asOf: "2026-11-02 03:00")
    try night.transactions(
      header + """
        2 | 1 | sub | 2026-10-10 10:00 | 91 | 5.49 | USD | 2026-10-10 10:00 |
        4 | 3 | sub | 2026-10-12 10:00 | 93 |      |     | 2026-10-20 11:00 | 2026-10-20 10:00
        """)
    if beside == "setting" {
      night.settings.restoresAllowed += 1
    } else {
      try night.catalogue(
        catalogue + "sub | auto_renewable | built_in | USD 7.99 | 2026-01-01 00:00")
    }
    try night.run(asOf: "2026-11-03 03:00")
    let shown = try night.table("restatement.csv").columns([
      "price_source", "measure", "evidence_arrived", "refunded", "difference",
    ])
    #expect(
      shown.text
        == DrawnTable(
          """
          price_source | measure        | evidence_arrived | refunded | difference
          catalogue    | units_sold     | -1               |          | -1
          catalogue    | gross          | -7.99            |          | -7.99
          catalogue    | units_refunded |                  | 1        | 1
          catalogue    | refunds        |                  | 7.99     | 7.99
          catalogue    | net            | -7.99            | -7.99    | -15.98
          receipt      | units_sold     | 1                |          | 1
          receipt      | gross          | 5.49             |          | 5.49
          receipt      | net            | 5.49             |          | 5.49
          """
        ).text)
  }

  /// Expects the restatement of a missing delivery of October after another catalogue has arrived,
  /// alone or beside records about the purchase: a receipt of another device, another failed
  /// attempt, or both.
  private static func expectCatalogueChanged(
    from first: String, to second: String, price: String, _ rows: String
  ) throws {
    let published = try TestNight.withOpenBooks()
    try published.catalogue(first)
    try published.transactions(
      receipt + "1 | book | 2026-10-10 10:00 | USA | \(price) | 2026-10-10 10:00")
    let attempts = "delivery_id | transaction_id | product_id | occurred_at | status\n"
    try published.deliveries(attempts + "one | 1 | book | 2026-10-10 10:05 | failed")
    try published.run(asOf: "2026-11-02 03:00")
    for records in ["", "receipt", "attempt", "both"] {
      let night = try TestNight(copyOf: published)
      try night.catalogue(second)
      if ["receipt", "both"].contains(records) {
        try night.transactions(
          receipt.replacing("told_at", with: "told_at | device_id")
            + "1 | book | 2026-10-10 10:00 | USA | \(price) | 2026-11-02 10:00 | D2")
      }
      if ["attempt", "both"].contains(records) {
        try night.deliveries(attempts + "again | 1 | book | 2026-11-02 10:05 | failed")
      }
      try night.run(asOf: "2026-11-03 03:00")
      let shown = try night.table("restatement.csv")
        .columns(["measure", "catalogue_changed", "difference"])
      #expect(shown.text == DrawnTable(rows).text, "beside \(records)")
    }
  }
}
