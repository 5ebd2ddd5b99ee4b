import ReconciliationTestSupport
import Reports
import Testing

@Suite("Money in the summary") struct MoneyTextTests {
  @Test("the summary calls only what receipts say paid, and list prices an estimate")
  func sources() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id | prices\nbook | USD 1234.50 USA")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront | price | currency
      1              | book       | 2026-11-17 10:00 | USA        |       |
      2              | book       | 2026-11-17 10:00 | USA        | 2.5   | EUR
      3              | book       | 2026-11-17 10:00 | DEU        |       |
      4              | book       | 2026-10-17 10:00 | USA        |       |
      """)
    try command.night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      4              | book       | 2026-10-17 10:00 | delivered
      1              | book       | 2026-11-17 11:00 | failed
      2              | book       | 2026-11-17 11:00 | failed
      3              | book       | 2026-11-17 11:00 | failed
      """)
    let ended = try command.run(asOf: "2026-11-20T03:00:00Z")
    #expect(
      ended.output.contains(
        """
        at risk, overdue                   deliveries  0 days  1–6 days  7–29 days  30+ days       all
        missing           EUR  paid                 1              2.50                           2.50
        missing           USD  list price           1          1,234.50                       1,234.50
        missing                no amount            1
        A list price is an estimate of what the customer paid.

        sold in 2026-11                       units
        what customers paid, as receipts say      1  EUR 2.50
        list price, an estimate                   1  USD 1,234.50
        no amount is known                        1

        """), "\(ended.output)")
    let narrow = try command.run(environment: ["COLUMNS": "80"])
    #expect(
      narrow.output.contains(
        """
        at risk                   deliveries       all
        missing  EUR  paid                 1      2.50
        missing  USD  list price           1  1,234.50
        missing       no amount            1
        A wider terminal shows these amounts by days overdue.
        A list price is an estimate of what the customer paid.

        """), "\(narrow.output)")
  }

  @Test("without sales in the month and missing deliveries, the summary has no money")
  func nothing() throws {
    let command = try CommandNight()
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-10-17 10:00
      """)
    let ended = try command.run(asOf: "2026-11-20T03:00:00Z")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(!ended.output.contains("at risk"))
    #expect(!ended.output.contains("sold in"))
  }
}
