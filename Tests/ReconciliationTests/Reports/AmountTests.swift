import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing

@testable import Oracle

@Suite("What the customer paid, beside what is wrong")
struct AmountTests {
  @Test("missing_deliveries.csv says what the purchase cost that owes the delivery")
  func missing() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery_per | prices
      book       | non_consumable |              | USD 1.99 USA
      news       | auto_renewable | purchase     | EUR 3.00
      daily      | auto_renewable | period       | EUR 1.00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | quantity | storefront | price | currency | family_shared | web_order_line_item_id
      1              | 1                       | book       | 2026-11-10 10:00 | 1        | USA        | 2.5   | EUR      |               |
      2              | 2                       | book       | 2026-11-10 10:01 | 3        | USA        |       |          |               |
      3              | 3                       | book       | 2026-11-10 10:02 | 1        | DEU        |       |          |               |
      4              | 4                       | book       | 2026-11-10 10:03 | 1        | USA        |       |          | yes           |
      5              | 5                       | news       | 2026-11-10 10:04 | 1        | USA        | 0     | EUR      |               | 50
      6              | 5                       | news       | 2026-11-11 10:04 | 1        | USA        |       |          |               | 60
      7              | 7                       | daily      | 2026-11-10 10:05 | 1        | USA        |       |          |               | 70
      8              | 7                       | daily      | 2026-11-11 10:05 | 1        | USA        | 0.75  | EUR      |               | 80
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // One delivery serves the whole chain of 5; its first purchase was free.
    try night.expect(
      report: "missing_deliveries.csv",
      shows: """
        transaction_id | amount | currency | price_source
        1              | 2.50   | EUR      | receipt
        2              | 5.97   | USD      | catalogue
        3              |        |          | none
        4              |        |          | none
        5              | 0.00   | EUR      | receipt
        7              | 1.00   | EUR      | catalogue
        8              | 0.75   | EUR      | receipt
        """)
    let found = try night.table("findings.csv").rows(where: "rule", is: "missing_delivery")
    #expect(
      found.columns(["subject", "amount", "currency"]).text
        == DrawnTable(
          """
          subject    | amount | currency
          1 book     | 2.50   | EUR
          2 book     | 5.97   | USD
          3 book     |        |
          4 book     |        |
          5 news     | 0.00   | EUR
          7 daily 70 | 1.00   | EUR
          7 daily 80 | 0.75   | EUR
          """
        ).text)
  }

  @Test("findings about one purchase say what it cost; findings about several or none do not")
  func findings() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | prices
      book       | non_consumable | USD 1.99
      coins      | consumable     | USD 0.99
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | cancelled_at
      1              | 1                       | book       | 2026-11-10 10:00 | a          |
      2              | 1                       | book       | 2026-11-10 11:00 | b          |
      3              | 1                       | book       | 2026-11-10 12:00 | a          |
      4              | 4                       | coins      | 2026-11-10 10:00 |            |
      5              | 4                       | coins      | 2026-11-10 11:00 |            |
      6              | 6                       | book       | 2026-11-10 10:00 |            | 2026-11-11 10:00
      8              | 7                       | book       | 2026-11-10 10:00 |            |
      9              | 9                       | bok        | 2026-11-10 10:00 |            |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | device_id
      D1          | 1              | book       | 2026-11-10 10:01 | delivered | phone
      D2          | 1              | book       | 2026-11-10 10:02 | delivered | phone
      D3          | 2              | book       | 2026-11-10 11:01 | failed    | phone
      D4          | 4              | coins      | 2026-11-10 10:01 | delivered |
      D6          | 6              | book       | 2026-11-12 10:01 | delivered |
      D9          | 99             | book       | 2026-11-12 10:01 | delivered |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "findings.csv",
      shows: """
        rule                      | subject     | amount | currency
        delivery_without_purchase | D6          | 1.99   | USD
        delivery_without_purchase | D9          |        |
        duplicate_delivery        | 1           | 1.99   | USD
        duplicate_restore         | 1 book      | 1.99   | USD
        invalid_product_id        | bok unknown |        |
        missing_original          | 7 book      |        |
        shared_purchase           | a b         |        |
        unfinished_delivery       | 2 phone     | 1.99   | USD
        unpriced_product          | bok         |        |
        unrestorable_restore      | 5           | 0.99   | USD
        """)
  }

  @Test("a price that changes later changes the amount of the finding, also in its digits")
  func changed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.9")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      """)
    for (day, price) in [(20, "1.9"), (21, "1.8"), (22, "1")] {
      if day > 20 { try night.catalogue("product_id | prices\nbook | USD \(price)") }
      try night.run(asOf: "2026-11-\(day) 03:00")
      for name in ["missing_deliveries.csv", "findings.csv"] {
        let amounts = try night.table(name).columns(["amount"]).rows.filter { $0 != [""] }
        #expect(amounts == [[price]], "\(name)")
      }
    }
    #expect(try night.recompute().corrections == 0)
  }

  @Test("every currency has as many digits as in the list of the oracle")
  func digits() throws {
    let night = try TestNight.afterEmptyNight()
    let rows = try night.database.connect().run(
      """
      with letter as (select chr(number) as letter from generate_series(65, 90) as every (number)),
      code as (
          select a.letter || b.letter || c.letter as code
          from letter as a cross join letter as b cross join letter as c
      )
      select code, tieout.currency_digits(code) from code
      """, step: "test"
    ).values
    #expect(rows.count == 26 * 26 * 26)
    let others = rows.compactMap { row -> String? in
      guard let code = row[0], let digits = row[1] else { return "no value" }
      return digits == "\(Amount.minorDigits(of: code))" ? nil : "\(code) \(digits)"
    }
    #expect(others.isEmpty, "\(others)")
  }
}
