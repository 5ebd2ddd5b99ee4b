import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import SigningTestSupport
import Testing

@Suite("revenue.csv: the catalogue's prices")
struct RevenuePriceTests {
  private static func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | prices
      book       | USD 0.99, EUR 1.09 DEU, USD 1.19 USA
      twofold    | USD 0.99, EUR 0.89
      german     | EUR 2.00 DEU
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront | price | currency | told_at
      1              | book       | 2026-11-10 10:00 | USA        |       |          | 2026-11-11 10:00
      2              | book       | 2026-11-10 10:00 | DEU        |       |          | 2026-11-11 10:00
      3              | book       | 2026-11-10 10:00 | FRA        |       |          | 2026-11-11 10:00
      4              | book       | 2026-11-10 10:00 |            |       |          | 2026-11-11 10:00
      5              | book       | 2026-11-10 10:00 | USA        |       |          | 2026-11-11 10:00
      5              | book       | 2026-11-10 10:00 | DEU        |       |          | 2026-11-12 10:00
      6              | book       | 2026-11-10 10:00 |            | 7.00  | GBP      | 2026-11-11 10:00
      7              | german     | 2026-11-10 10:00 | USA        |       |          | 2026-11-11 10:00
      8              | german     | 2026-11-10 10:00 |            |       |          | 2026-11-11 10:00
      9              | twofold    | 2026-11-10 10:00 | USA        |       |          | 2026-11-11 10:00
      10             | twofold    | 2026-11-10 10:00 |            |       |          | 2026-11-11 10:00
      """)
    return night
  }

  @Test(
    "the storefront's price is used, else the one without a storefront, if in a single currency")
  func storefronts() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        product_id | storefront | currency | price_source | units_sold | gross
        book       |            | GBP      | receipt      | 1          | 7.00
        book       |            | USD      | catalogue    | 1          | 0.99
        book       | DEU        | EUR      | catalogue    | 2          | 2.18
        book       | FRA        | USD      | catalogue    | 1          | 0.99
        book       | USA        | USD      | catalogue    | 1          | 1.19
        german     |            |          | none         | 1          |
        german     | USA        |          | none         | 1          |
        twofold    |            |          | none         | 1          |
        twofold    | USA        |          | none         | 1          |
        """)
  }

  @Test("the summary warns of an assumed storefront for which no catalogue has a price")
  func unpricedStorefront() throws {
    let night = try Self.night()
    let assumed: [(day: Int, storefront: String?)] = [(20, "UKG"), (21, "DEU"), (22, nil)]
    for (day, storefront) in assumed {
      night.settings.assumeStorefront = storefront
      let warnings = try night.run(asOf: "2026-11-\(day) 03:00").warnings
      #expect(
        warnings.contains { $0.hasPrefix("assume_storefront is UKG, but no catalogue has a price") }
          == (storefront == "UKG"), "\(warnings)")
    }
    // A price without a storefront holds for every storefront.
    let other = try TestNight()
    try other.catalogue("product_id | prices\nbook | USD 0.99")
    other.settings.assumeStorefront = "UKG"
    let warnings = try other.run(asOf: "2026-11-20 03:00").warnings
    #expect(!warnings.contains { $0.contains("assume_storefront") }, "\(warnings)")
  }

  @Test("a storefront that cannot exist has no price of its own, and the summary warns of another")
  func wrongStorefront() throws {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook | USD 0.99, USD 1.19 USA\ngerman | EUR 2.00 DEU")
    let sales = "transaction_id | product_id | purchased_at | storefront\n"
    try night.transactions(sales + "1 | german | 2026-11-10 10:00 | DE")
    let warnings = try night.run(asOf: "2026-11-20 03:00").warnings
    #expect(!warnings.contains { $0.contains("storefront") }, "\(warnings)")
    try night.expect(
      "unpriced_product",
      finds: """
        subject | detail
        german  | units without an amount: 1 since 2026-11-10, storefronts without a price: DE
        """)
    try night.transactions(sales + "2 | book | 2026-11-10 10:00 | US")
    let later = try night.run(asOf: "2026-11-21 03:00").warnings
    #expect(later.contains { $0.hasPrefix("Evidence names the storefront US, ") }, "\(later)")
    try night.expect(
      report: "revenue.csv",
      shows: """
        product_id | storefront | currency | price_source | units_sold | gross
        book       | US         | USD      | catalogue    | 1          | 0.99
        german     | DE         |          | none         | 1          |
        """)
  }

  @Test("a promotional offer has no catalogue price, in receipts and in answers")
  func promotionalOffers() throws {
    for isReceipt in [true, false] {
      let night = try TestNight()
      try night.catalogue("product_id | prices\nbook | USD 0.99")
      if isReceipt {
        var receipt = TestReceipt()
        for (id, offer) in [("1", "autumn"), ("2", ""), ("3", nil)] {
          var purchase = TestPurchase(
            transactionID: id, productID: "book", purchaseDate: "2026-11-10T10:00:00Z")
          purchase.promotionalOfferID = offer
          receipt.purchases.append(purchase)
        }
        try night.put(
          Data(try night.trustTestAuthority().appReceipt(receipt)), at: "receipts/a.der")
      } else {
        try night.transactions(
          """
          transaction_id | product_id | purchased_at     | promotional
          1              | book       | 2026-11-10 10:00 | yes
          2              | book       | 2026-11-10 10:00 |
          3              | book       | 2026-11-10 10:00 |
          """)
      }
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect(
        report: "revenue.csv",
        shows: """
          product_id | currency | price_source | units_sold | gross
          book       |          | none         | 1          |
          book       | USD      | catalogue    | 2          | 1.98
          """)
    }
  }

  @Test("the assumed storefront is used if evidence has none, and is shown if it gave the price")
  func assumedStorefront() throws {
    let night = try Self.night()
    night.settings.assumeStorefront = "DEU"
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        product_id | storefront | currency | price_source | units_sold | gross
        book       |            | GBP      | receipt      | 1          | 7.00
        book       | DEU        | EUR      | catalogue    | 3          | 3.27
        book       | FRA        | USD      | catalogue    | 1          | 0.99
        book       | USA        | USD      | catalogue    | 1          | 1.19
        german     | DEU        | EUR      | catalogue    | 1          | 2.00
        german     | USA        |          | none         | 1          |
        twofold    |            |          | none         | 1          |
        twofold    | USA        |          | none         | 1          |
        """)
  }

  @Test("a price is in force from its start until the next price in its currency")
  func overTime() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | prices
      book       | USD 0.99 USA, USD 1.99 USA 2026-11-10 00:00, EUR 1.79 USA 2026-11-15 00:00
      late       | USD 5.00 USA 2026-11-10 00:00
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at        | storefront
      1              | book       | 2026-11-09 23:59:59 | USA
      2              | book       | 2026-11-10 00:00:00 | USA
      3              | book       | 2026-11-14 23:59:59 | USA
      4              | book       | 2026-11-15 00:00:00 | USA
      5              | late       | 2026-11-09 23:59:59 | USA
      6              | late       | 2026-11-10 00:00:00 | USA
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | currency | price_source | gross
        2026-11-09 | book       | USD      | catalogue    | 0.99
        2026-11-09 | late       |          | none         |
        2026-11-10 | book       | USD      | catalogue    | 1.99
        2026-11-10 | late       | USD      | catalogue    | 5.00
        2026-11-14 | book       | USD      | catalogue    | 1.99
        2026-11-15 | book       |          | none         |
        """)
  }

  @Test("a renewal has the price in force at its date, and a refund has the price that was paid")
  func renewalAfterChange() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type           | prices
      news       | auto_renewable | USD 1.00 USA, USD 2.00 USA 2026-11-05 00:00
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | storefront | cancelled_at
      10             | 10                      | news       | 2026-11-01 10:00 | 100                    | USA        | 2026-11-12 10:00
      11             | 10                      | news       | 2026-11-08 10:00 | 101                    | USA        |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | units_sold | gross | units_refunded | refunds | net
        2026-11-01 | 1          | 1.00  | 0              | 0.00    | 1.00
        2026-11-08 | 1          | 2.00  | 0              | 0.00    | 2.00
        2026-11-12 | 0          | 0.00  | 1              | 1.00    | -1.00
        """)
  }
}
