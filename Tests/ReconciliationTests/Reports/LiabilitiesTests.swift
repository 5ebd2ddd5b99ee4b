import Foundation
import Configuration
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("liabilities.csv")
struct LiabilitiesTests {
  @Test("a price without all decimal places of its currency is earned in its smallest unit")
  func shortPrice() throws {
    for price in ["1", "1.0", "1.00"] {
      let night = try TestNight.withOpenBooks()
      night.settings.revenueSince = "2026-09-01"
      try night.catalogue(
        """
        product_id | type           | delivery
        month      | auto_renewable | built_in
        """)
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | expires_at       | price    | currency
        1              | month      | 2026-09-16 10:00 | 2026-10-16 10:00 | \(price) | USD
        """)
      try night.run(asOf: "2026-10-20 03:00")
      let closing = try night.table("liabilities.csv").rows(where: "liability", is: "unearned")
        .columns(["period_end", "closing"])
      #expect(closing.text.contains("0.50"), "\(closing.text)")
      #expect(try night.recompute().corrections == 0)
    }
  }

  @Test("a subscription is earned day by day, until it expires, is refunded or upgraded")
  func unearned() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-08-01"
    try night.catalogue(
      """
      product_id | type           | delivery
      month      | auto_renewable | built_in
      year       | auto_renewable | built_in
      """)
    // 30, 30, 10 and 365 days.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | price  | currency | cancelled_at     | upgraded
      1              | month      | 2026-08-31 10:00 | 2026-09-30 10:00 | 3.00   | EUR      |                  |
      2              | month      | 2026-09-16 10:00 | 2026-10-16 10:00 | 10.00  | USD      | 2026-10-02 09:00 |
      3              | month      | 2026-09-25 10:00 | 2026-10-05 10:00 | 1.00   | USD      | 2026-10-01 00:00 | yes
      4              | year       | 2026-11-01 00:00 | 2027-11-01 00:00 | 365.00 | USD      |                  |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | product_id | currency | units | opening | sold   | earned | refunded | closing
        2026-08-31 | month      | EUR      | 1     | 0.00    | 3.00   | 0.10   | 0.00     | 2.90
        2026-09-30 | month      | EUR      | 0     | 2.90    | 0.00   | 2.90   | 0.00     | 0.00
        2026-09-30 | month      | USD      | 2     | 0.00    | 11.00  | 5.60   | 0.00     | 5.40
        2026-10-31 | month      | USD      | 0     | 5.40    | 0.00   | -4.60  | 10.00    | 0.00
        2026-11-20 | year       | USD      | 1     | 0.00    | 365.00 | 20.00  | 0.00     | 345.00
        """)
    // The first month that is told begins with what earlier months left.
    night.settings.revenueSince = "2026-10-10"
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | product_id | currency | units | opening | sold   | earned | refunded | closing
        2026-10-31 | month      | USD      | 0     | 5.40    | 0.00   | -4.60  | 10.00    | 0.00
        2026-11-21 | year       | USD      | 1     | 0.00    | 365.00 | 21.00  | 0.00     | 344.00
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("an upgrade after the subscription has expired makes no row of zeros")
  func lateUpgrade() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue("product_id | type | delivery\nmonth | auto_renewable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | price | currency | cancelled_at     | upgraded
      1              | month      | 2026-09-01 10:00 | 2026-09-21 10:00 | 2.00  | USD      | 2026-10-05 10:00 | yes
      2              | month      | 2026-11-01 10:00 | 2026-11-11 10:00 | 1.00  | USD      |                  |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | product_id | currency | units | opening | sold | earned | refunded | closing
        2026-09-30 | month      | USD      | 0     | 0.00    | 2.00 | 2.00   | 0.00     | 0.00
        2026-11-20 | month      | USD      | 0     | 0.00    | 1.00 | 1.00   | 0.00     | 0.00
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a refunded part that Apple changes leaves no decimal places of the earlier one")
  func changedPart() throws {
    let header =
      "transaction_id | product_id | purchased_at | expires_at | price | currency | revoked_at | "
      + "revocation_type | percentage | signed_at | type\n"
    func refund(_ percentage: Int, _ signed: String) -> String {
      "1 | month | 2026-10-20 10:00 | 2026-11-20 10:00 | 10000 | USD | 2026-11-10 10:00 | "
        + "REFUND_PRORATED | \(percentage) | 2026-11-\(signed) 10:00 | Auto-Renewable Subscription\n"
    }
    func start() throws -> TestNight {
      let night = try TestNight()
      try night.catalogue("product_id | type | delivery\nmonth | auto_renewable | built_in")
      return night
    }
    let split = try start()
    try split.signed(header + refund(33_333, "11"))
    try split.run(asOf: "2026-11-19 03:00")
    #expect(try split.table("liabilities.csv").columns(["refunded"]).rows.first == ["0.00"])
    try split.signed(header + refund(50_000, "12"))
    try split.run(asOf: "2026-11-20 03:00")
    let together = try start()
    try together.signed(header + refund(33_333, "11"))
    try together.signed(header + refund(50_000, "12"))
    try together.run(asOf: "2026-11-20 03:00")
    #expect(try split.report("liabilities.csv") == together.report("liabilities.csv"))
    #expect(try split.table("liabilities.csv").columns(["refunded"]).rows.last == ["5.00"])
    #expect(try split.recompute().corrections == 0)
  }

  @Test("when a purchase is refunded, the next one of its subscription is owed")
  func refundedChain() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-08-01"
    try night.catalogue("product_id | type\nsub | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | price | currency | cancelled_at
      1              | 1                       | sub        | 2026-08-10 10:00 | 2026-09-10 10:00 | 91                     | 5.00  | USD      | 2026-09-05 10:00
      2              | 1                       | sub        | 2026-09-10 10:00 | 2026-10-10 10:00 | 92                     | 5.00  | USD      | 2026-10-03 10:00
      """)
    func owed() throws -> [[String]] {
      try night.table("liabilities.csv").rows(where: "liability", is: "owed")
        .columns(["period_end", "closing"]).rows
    }
    try night.run(asOf: "2026-09-30 03:00")
    let before = try owed()
    #expect(before == [["2026-08-31", "5.00"], ["2026-09-30", "5.00"]])
    try night.run(asOf: "2026-10-31 03:00")
    #expect(try owed() == before)
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    // The third purchase is due a day after its date, and the earlier ones are not missing.
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | price | currency
      3              | 1                       | sub        | 2026-10-30 10:00 | 2026-11-30 10:00 | 93                     | 8.00  | USD
      """)
    try night.run(asOf: "2026-10-31 04:00")
    #expect(try owed() == before + [["2026-10-31", "8.00"]])
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    try night.run(asOf: "2026-11-01 04:00")
    try night.expect(
      report: "missing_deliveries.csv",
      shows: """
        transaction_id | due_at               | amount
        3              | 2026-10-31T10:00:00Z | 8.00
        """)
    #expect(try owed() == before + [["2026-10-31", "8.00"], ["2026-11-01", "8.00"]])
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "content on demand is owed from the first attempt on, so a later one changes no month before")
  func onDemand() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-08-01"
    try night.catalogue(
      """
      product_id | type           | delivery
      film       | non_consumable | on_demand
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | film       | 2026-08-20 10:00 | 1.00  | USD
      2              | film       | 2026-08-20 10:00 | 2.00  | USD
      3              | film       | 2026-08-20 10:00 | 4.00  | USD
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      a           | 1              | film       | 2026-09-20 10:00 | delivered
      b           | 2              | film       | 2026-09-20 10:00 | failed
      c           | 2              | film       | 2026-10-02 10:00 | delivered
      d           | 3              | film       | 2026-08-31 23:59 | pending
      """)
    try night.run(asOf: "2026-10-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | state           | age           | units | closing
        2026-08-31 | missing         | to 30 days    | 1     | 4.00
        2026-09-30 | delivered_later | 31 to 60 days | 1     | 2.00
        2026-09-30 | missing         | 31 to 60 days | 1     | 4.00
        2026-10-20 | missing         | 61 to 90 days | 1     | 4.00
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("what was refunded before it was delivered on the same day is refunded")
  func sameDay() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-08-01"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | cancelled_at
      1              | book       | 2026-08-20 10:00 | 1.00  | USD      | 2026-09-07 13:00
      2              | book       | 2026-08-20 10:00 | 2.00  | USD      | 2026-09-07 13:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-09-07 15:00 | delivered
      2              | book       | 2026-09-07 12:00 | delivered
      """)
    try night.run(asOf: "2026-10-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | state           | units | closing
        2026-08-31 | delivered_later | 1     | 2.00
        2026-08-31 | refunded_later  | 1     | 1.00
        """)
  }

  @Test("a purchase is owed at the end of each month in which it was paid and not delivered")
  func owed() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-08-01"
    try night.catalogue(
      """
      product_id | type           | delivery
      book       | non_consumable | server
      film       | non_consumable | on_demand
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | cancelled_at
      1              | book       | 2026-08-31 23:59 | 1.00  | USD      |
      2              | book       | 2026-08-31 23:59 | 2.00  | USD      |
      3              | book       | 2026-08-10 10:00 | 4.00  | USD      | 2026-10-01 10:00
      4              | book       | 2026-08-10 10:00 | 8.00  | USD      | 2026-08-12 10:00
      5              | book       | 2026-08-01 10:00 | 16.00 | USD      |
      6              | book       | 2026-11-20 02:59 | 32.00 | USD      |
      7              | film       | 2026-08-01 10:00 | 64.00 | USD      |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-08-31 23:59 | delivered
      2              | book       | 2026-09-01 00:00 | delivered
      5              | book       | 2026-08-01 10:01 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | state           | age           | units | closing
        2026-08-31 | delivered_later | to 30 days    | 1     | 2.00
        2026-08-31 | missing         | to 30 days    | 1     | 16.00
        2026-08-31 | refunded_later  | to 30 days    | 1     | 4.00
        2026-09-30 | missing         | 31 to 60 days | 1     | 16.00
        2026-09-30 | refunded_later  | 31 to 60 days | 1     | 4.00
        2026-10-31 | missing         | over 90 days  | 1     | 16.00
        2026-11-20 | missing         | over 90 days  | 1     | 16.00
        2026-11-20 | not_due         | to 30 days    | 1     | 32.00
        """)
    // A delivery whose log arrives late settles what was owed.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      late        | 5              | book       | 2026-10-05 10:00 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:30")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        period_end | state           | age           | units | closing
        2026-08-31 | delivered_later | to 30 days    | 2     | 18.00
        2026-08-31 | refunded_later  | to 30 days    | 1     | 4.00
        2026-09-30 | delivered_later | 31 to 60 days | 1     | 16.00
        2026-09-30 | refunded_later  | 31 to 60 days | 1     | 4.00
        2026-11-20 | not_due         | to 30 days    | 1     | 32.00
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a trial that has an amount is owed, and a free one is not")
  func paidTrial() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type | delivery\nmonth | auto_renewable | server")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | trial | price | currency
      1              | month      | 2026-11-10 10:00 | 2026-12-10 10:00 | yes   | 4.99  | USD
      2              | month      | 2026-11-10 10:00 | 2026-12-10 10:00 | yes   |       |
      3              | month      | 2026-11-10 10:00 | 2026-12-10 10:00 |       | 0     | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        liability | state     | units | sold | closing
        owed      | uncertain | 1     |      | 4.99
        unearned  |           | 1     | 4.99 | 3.16
        """)
  }

  @Test("a refund that is dated before its purchase counts here on the day of the purchase")
  func refundBefore() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.revenueSince = "2026-09-01"
    try night.catalogue("product_id | type\nsub | auto_renewable\nbook | non_consumable")
    // A renewal is signed before it begins. The third one is upgraded.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | price | currency | cancelled_at     | upgraded
      1              | sub        | 2026-11-01 00:10 | 2026-12-01 00:10 | 9.99  | USD      | 2026-10-31 23:50 |
      2              | sub        | 2026-11-02 10:00 | 2026-12-02 10:00 | 4.00  | USD      | 2026-11-02 09:00 |
      3              | sub        | 2026-11-03 10:00 | 2026-12-03 10:00 | 2.00  | USD      | 2026-10-20 10:00 | yes
      4              | book       | 2026-11-04 10:00 |                  | 1.00  | USD      | 2026-10-20 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "liabilities.csv",
      shows: """
        liability | period_end | units | opening | sold  | earned | refunded | closing
        unearned  | 2026-11-20 | 0     | 0.00    | 15.99 | 2.00   | 13.99    | 0.00
        """)
    try night.expect(
      report: "months.csv",
      shows: """
        month   | units_sold | gross | units_refunded | refunds | net    | units_upgraded
        2026-10 | 0          | 0.00  | 2              | 10.99   | -10.99 | 1
        2026-11 | 4          | 16.99 | 1              | 4.00    | 12.99  | 0
        """)
    // Without the book, which is no subscription, the sums of all months are equal: the refunds
    // 13.99, the sales 15.99.
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | gross | refunds | net
        2026-10-20 | book       | 0.00  | 1.00    | -1.00
        2026-10-20 | sub        | 0.00  | 0.00    | 0.00
        2026-10-31 | sub        | 0.00  | 9.99    | -9.99
        2026-11-01 | sub        | 9.99  | 0.00    | 9.99
        2026-11-02 | sub        | 4.00  | 4.00    | 0.00
        2026-11-03 | sub        | 2.00  | 0.00    | 2.00
        2026-11-04 | book       | 1.00  | 0.00    | 1.00
        """)
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("sums that do not add up end the night")
  func asserted() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type | delivery\nmonth | auto_renewable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | price | currency
      1              | month      | 2026-11-01 10:00 | 2026-12-01 10:00 | 3.00  | EUR
      """)
    let connection = try night.database.connect()
    #expect(
      try connection.run("select tieout.balanced(1.0, 1.00, 'The sum')", step: "test").first
        == "1.0"
    )
    #expect {
      try connection.run("select tieout.balanced(1.0, 1.01, 'The sum')", step: "test")
    } throws: {
      "\($0)".contains("The sum does not add up")
    }
    try night.breakLiabilities()
    #expect {
      try night.run(asOf: "2026-11-20 03:00")
    } throws: {
      "\($0)".contains("liabilities.csv does not add up")
    }
    #expect(!FileManager.default.fileExists(atPath: night.reports.path))
  }
}
