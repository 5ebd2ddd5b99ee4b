import Configuration
import Foundation
import ReconciliationTestSupport
import Testing

@Suite("revenue.csv: days, refunds and upgrades")
struct RevenueDayTests {
  @Test("refunds and upgrades count on the day of the refund, with the amount of the purchase")
  func refunds() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | prices
      book       | USD 0.99
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | quantity | purchased_at     | cancelled_at        | upgraded | price | currency | trial
      1              | 1                       | book       | 3        | 2026-11-05 10:00 | 2026-11-12 10:00    |          |       |          |
      2              | 2                       | book       | 2        | 2026-11-05 10:00 | 2026-11-12 10:00    | yes      |       |          |
      3              | 3                       | book       | 1        | 2026-11-12 09:00 |                     |          |       |          |
      4              | 4                       | book       | 1        | 2026-11-12 09:00 | 2026-11-12 11:00    |          |       |          |
      5              | 5                       | book       | 1        | 2026-11-05 10:00 | 2026-11-12 11:00    |          | 4.00  | EUR      |
      6              | 6                       | book       | 1        | 2026-11-05 10:00 | 2026-11-12 11:00    |          |       |          | yes
      7              | 7                       | book       | 1        | 2026-11-05 10:00 |                     |          |       |          |
      8              | 7                       | book       | 1        | 2026-11-06 10:00 | 2026-11-13 10:00    |          | 9.00  | USD      |
      9              | 9                       | book       | 1        | 2026-11-05 10:00 | 2026-11-20 03:00:00 |          |       |          |
      10             | 10                      | book       | 1        | 2026-11-05 10:00 | 2026-11-20 03:00:01 |          |       |          |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | currency | price_source | units_sold | gross | units_refunded | refunds | net   | units_upgraded
        2026-11-05 |          | none         | 1          |       | 0              |         |       | 0
        2026-11-05 | EUR      | receipt      | 1          | 4.00  | 0              | 0.00    | 4.00  | 0
        2026-11-05 | USD      | catalogue    | 8          | 7.92  | 0              | 0.00    | 7.92  | 0
        2026-11-12 |          | none         | 0          |       | 1              |         |       | 0
        2026-11-12 | EUR      | receipt      | 0          | 0.00  | 1              | 4.00    | -4.00 | 0
        2026-11-12 | USD      | catalogue    | 2          | 1.98  | 4              | 3.96    | -1.98 | 2
        2026-11-13 | USD      | catalogue    | 0          | 0.00  | 1              | 0.99    | -0.99 | 0
        2026-11-20 | USD      | catalogue    | 0          | 0.00  | 1              | 0.99    | -0.99 | 0
        """)
  }

  @Test("days are those of the configured time zone, including the day of as-of")
  func timeZone() throws {
    let night = try TestNight()
    night.settings.timeZone = "America/New_York"
    // Summer time ended there on 1 November 2026 at 06:00 UTC.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at        | cancelled_at
      1              | book       | 2026-11-01 03:59:59 |
      2              | book       | 2026-11-01 04:00:00 |
      3              | book       | 2026-11-10 04:59:59 |
      4              | book       | 2026-11-10 05:00:00 | 2026-11-12 04:59:59
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | units_sold | units_refunded
        2026-10-31 | 1          | 0
        2026-11-01 | 1          | 0
        2026-11-09 | 1          | 0
        2026-11-10 | 1          | 0
        2026-11-11 | 0          | 1
        """)
    let latest = night.reports.appending(path: "latest").path
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: latest) == "2026-11-19")
  }

  @Test(
    "without revenue_since, revenue begins with the month before as-of's month in the time zone",
    arguments: [
      ("2026-11-20 03:00", "UTC", "2026-10-01 00:00:00", "2026-09-30 23:59:59"),
      ("2026-01-05 03:00", "UTC", "2025-12-01 00:00:00", "2025-11-30 23:59:59"),
      ("2026-11-01 03:00", "America/New_York", "2026-09-01 04:00:00", "2026-09-01 03:59:59"),
    ])
  func monthBefore(asOf: String, zone: String, first: String, before: String) throws {
    let night = try TestNight()
    night.settings.timeZone = zone
    try night.transactions(
      """
      transaction_id | product_id | purchased_at | cancelled_at
      1              | before     | \(before)    |
      2              | first      | \(first)     |
      3              | refunded   | \(before)    | \(first)
      """)
    try night.run(asOf: asOf)
    try night.expect(
      report: "revenue.csv",
      shows: """
        product_id | units_sold | units_refunded
        first      | 1          | 0
        refunded   | 0          | 1
        """)
  }

  @Test("revenue_since sets the first day, as-of the last instant")
  func since() throws {
    let night = try TestNight()
    night.settings.revenueSince = "2025-03-05"
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2025-03-04 23:59:59
      2              | book       | 2025-03-05 00:00:00
      3              | book       | 2026-11-20 03:00:00
      4              | book       | 2026-11-20 03:00:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv", shows: "day | units_sold\n2025-03-05 | 1\n2026-11-20 | 1")
  }

  @Test("rows are sorted by their columns, and text is sorted by bytes")
  func order() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront | price | currency
      1              | b          | 2026-11-02 10:00 | USA        | 1.00  | USD
      2              | a          | 2026-11-02 10:00 | USA        | 1.00  | USD
      3              | a          | 2026-11-02 10:00 | DEU        | 1.00  | USD
      4              | a          | 2026-11-02 10:00 | DEU        | 1.00  | EUR
      5              | B          | 2026-11-02 10:00 | USA        | 1.00  | USD
      6              | z          | 2026-11-01 10:00 | USA        | 1.00  | USD
      7              | a          | 2026-11-02 10:00 |            | 1.00  | USD
      8              | a          | 2026-11-02 10:00 | USA        |       |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "revenue.csv",
      shows: """
        day        | product_id | storefront | currency
        2026-11-01 | z          | USA        | USD
        2026-11-02 | B          | USA        | USD
        2026-11-02 | a          |            | USD
        2026-11-02 | a          | DEU        | EUR
        2026-11-02 | a          | DEU        | USD
        2026-11-02 | a          | USA        |
        2026-11-02 | a          | USA        | USD
        2026-11-02 | b          | USA        | USD
        """)
  }
}
