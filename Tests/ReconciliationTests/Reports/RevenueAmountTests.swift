import Configuration
import ReconciliationTestSupport
import Testing

@Suite("revenue.csv: amounts")
struct RevenueAmountTests {
  @Test(
    "an own amount is for the whole quantity, a catalogue price for one; offers have no such price")
  func sources() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type       | prices
      coins      | consumable | USD 0.99
      """)
    try night.transactions(
      """
      transaction_id | product_id | quantity | purchased_at     | storefront | price | currency | trial | introductory | promotional
      1              | coins      | 3        | 2026-11-10 10:00 | USA        |       |          |       |              |
      2              | coins      | 2        | 2026-11-10 10:00 | USA        | 5.00  | USD      |       |              |
      3              | coins      |          | 2026-11-10 10:00 | USA        |       |          | yes   |              |
      4              | coins      | 2        | 2026-11-10 10:00 | USA        |       |          |       | yes          |
      5              | coins      | 4        | 2026-11-10 10:00 | USA        |       |          |       |              | yes
      6              | coins      |          | 2026-11-10 10:00 | USA        | 0.49  | USD      |       | yes          |
      7              | coins      |          | 2026-11-10 10:00 | USA        | 9     |          |       |              |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // Transaction 7 lacks its currency, so it has no amount of its own.
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | product_type | product_state | storefront | currency | price_source | units_sold | gross | units_refunded | refunds | net  | units_upgraded
        2026-11-10 | coins      | consumable   | valid         | USA        |          | none         | 7          |       | 0              |         |      | 0
        2026-11-10 | coins      | consumable   | valid         | USA        | USD      | catalogue    | 4          | 3.96  | 0              | 0.00    | 3.96 | 0
        2026-11-10 | coins      | consumable   | valid         | USA        | USD      | receipt      | 3          | 5.49  | 0              | 0.00    | 5.49 | 0
        """)
  }

  @Test("amounts in different currencies are never added, and each amount keeps its digits")
  func currencies() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price   | currency
      1              | coins      | 2026-11-10 10:00 | 1       | USD
      2              | coins      | 2026-11-10 10:00 | 0.1     | USD
      3              | coins      | 2026-11-10 10:00 | 0.2     | USD
      4              | coins      | 2026-11-10 10:00 | 1       | EUR
      5              | coins      | 2026-11-10 10:00 | 120     | JPY
      6              | coins      | 2026-11-10 10:00 | 1.5     | KWD
      7              | coins      | 2026-11-10 10:00 | 0.125   | CAD
      8              | coins      | 2026-11-10 10:00 | 49000000.00 | VND
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        currency | price_source | units_sold | gross       | net
        CAD      | receipt      | 1          | 0.125       | 0.125
        EUR      | receipt      | 1          | 1.00        | 1.00
        JPY      | receipt      | 1          | 120         | 120
        KWD      | receipt      | 1          | 1.500       | 1.500
        USD      | receipt      | 3          | 1.30        | 1.30
        VND      | receipt      | 1          | 49000000.00 | 49000000.00
        """)
  }

  @Test("a catalogue's price keeps the digits that it is written with")
  func catalogueDigits() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | prices
      a.whole    | USD 2
      b.one      | USD 1.5
      c.three    | USD 0.125
      d.yen      | JPY 120
      """)
    try night.transactions(
      """
      transaction_id | product_id | quantity | purchased_at
      1              | a.whole    | 2        | 2026-11-10 10:00
      2              | b.one      | 2        | 2026-11-10 10:00
      3              | c.three    | 2        | 2026-11-10 10:00
      4              | d.yen      | 2        | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        product_id | currency | gross
        a.whole    | USD      | 4
        b.one      | USD      | 3.0
        c.three    | USD      | 0.250
        d.yen      | JPY      | 240
        """)
  }

  @Test("restores, shared purchases and other environments earn nothing; free purchases are units")
  func dispositions() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type           | prices
      book       | non_consumable | USD 2.00
      news       | auto_renewable | USD 1.00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | family_shared | environment | price | currency
      1              | 1                       | book       | 2026-11-10 10:00 |                        |               |             |       |
      2              | 1                       | book       | 2026-11-11 10:00 |                        |               |             |       |
      4              | 3                       | book       | 2026-11-10 10:00 |                        |               |             |       |
      5              | 5                       | book       | 2026-11-10 10:00 |                        | yes           |             |       |
      6              | 6                       | book       | 2026-11-10 10:00 |                        |               | Sandbox     |       |
      7              | 7                       | book       | 2026-11-10 10:00 |                        |               |             | 0     | USD
      10             | 10                      | news       | 2026-11-10 10:00 | 100                    |               |             |       |
      11             | 10                      | news       | 2026-11-10 11:00 | 101                    |               |             |       |
      12             | 10                      | news       | 2026-11-10 11:00 | 101                    |               |             |       |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | product_type   | price_source | units_sold | gross
        2026-11-10 | book       | non_consumable | catalogue    | 1          | 2.00
        2026-11-10 | book       | non_consumable | receipt      | 1          | 0.00
        2026-11-10 | news       | auto_renewable | catalogue    | 2          | 2.00
        """)
  }

  @Test("products that the catalogue does not offer have rows for each state and default type")
  func states() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_from       | valid_to         | prices
      comic      | 2026-11-05 00:00 | 2026-11-12 00:00 | USD 1.00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at        | expires_at       | price | currency
      1              | comic      | 2026-11-12 00:00    |                  |       |
      2              | comic      | 2026-11-11 23:59:59 |                  |       |
      3              | comic      | 2026-11-04 23:59:59 |                  |       |
      4              | weekly     | 2026-11-04 10:00    | 2026-11-11 10:00 | 3.00  | USD
      5              | weekly     | 2026-11-04 10:00    |                  |       |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | product_type   | product_state | currency | price_source | units_sold | gross
        2026-11-04 | comic      | non_consumable | not_yet_valid | USD      | catalogue    | 1          | 1.00
        2026-11-04 | weekly     | auto_renewable | unknown       | USD      | receipt      | 1          | 3.00
        2026-11-04 | weekly     | non_consumable | unknown       |          | none         | 1          |
        2026-11-11 | comic      | non_consumable | valid         | USD      | catalogue    | 1          | 1.00
        2026-11-12 | comic      | non_consumable | expired       | USD      | catalogue    | 1          | 1.00
        """)
  }
}
