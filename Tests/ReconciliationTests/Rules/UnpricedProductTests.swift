import Configuration
import ReconciliationTestSupport
import Testing

@Suite("unpriced_product")
struct UnpricedProductTests {
  @Test("purchases and renewals without an amount are found, one finding for each product")
  func found() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type           | prices
      book       | non_consumable | USD 1.99 USA
      comic      | non_consumable | USD 0.99, EUR 0.99
      news       | auto_renewable | USD 4.99
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | quantity | storefront | trial | introductory | price | currency | family_shared | web_order_line_item_id
      1              | 1                       | book       | 2026-11-10 10:00 | 2        | DEU        |       |              |       |          |               |
      2              | 2                       | book       | 2026-11-09 10:00 | 1        |            |       |              |       |          |               |
      3              | 3                       | book       | 2026-11-08 10:00 | 1        | USA        |       |              |       |          |               |
      4              | 4                       | book       | 2026-11-08 10:00 | 1        | FRA        |       |              | 2.49  | EUR      |               |
      5              | 5                       | book       | 2026-11-08 10:00 | 1        | FRA        |       |              |       |          | yes           |
      6              | 6                       | comic      | 2026-11-10 10:00 | 1        | USA        |       |              |       |          |               |
      7              | 7                       | news       | 2026-11-01 10:00 | 1        | USA        |       | yes          |       |          |               | 70
      8              | 7                       | news       | 2026-11-08 10:00 | 3        | USA        |       | yes          |       |          |               | 80
      9              | 9                       | weekly     | 2026-11-08 10:00 | 1        | USA        | yes   |              |       |          |               | 90
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "unpriced_product",
      finds: """
        level   | subject | reason | detail
        warning | book    |        | units without an amount: 3 since 2026-11-09, storefronts without a price: DEU, none named
        warning | comic   |        | units without an amount: 1 since 2026-11-10, storefronts without a price: USA
        warning | news    |        | units without an amount: 4 since 2026-11-01, of them in offers: 4
        """)
  }

  @Test("only sales from the first day of the revenue statement to as-of count")
  func window() throws {
    let night = try TestNight()
    night.settings.timeZone = "Asia/Tokyo"
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | early      | 2026-09-30 14:59:59
      2              | first      | 2026-09-30 15:00:00
      3              | last       | 2026-11-20 03:00:00
      4              | later      | 2026-11-20 03:00:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unpriced_product", finds: "subject\nfirst\nlast")
    // The statement of December begins in November.
    try night.run(asOf: "2026-12-20 03:00")
    try night.expect("unpriced_product", finds: "subject\nlast\nlater")
    night.settings.revenueSince = "2026-09-01"
    try night.run(asOf: "2026-12-21 03:00")
    try night.expect("unpriced_product", finds: "subject\nearly\nfirst\nlast\nlater")
  }

  @Test("a price that a catalogue adds later resolves the finding")
  func resolved() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unpriced_product", finds: "subject\nbook")
    try night.catalogue(
      """
      product_id | prices
      book       | USD 1.99
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect("unpriced_product", finds: "subject")
    try night.expect(
      report: "months.csv",
      shows: """
        month   | currency | price_source | units_sold | gross
        2026-11 | USD      | catalogue    | 1          | 1.99
        """)
  }
}
