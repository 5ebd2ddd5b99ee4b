import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Reports
import Testing

@Suite("months.csv")
struct MonthsTests {
  @Test("every month from the first sale to as-of's has a row for each currency and source")
  func columns() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | prices
      book       | non_consumable | USD 1.990 USA
      coins      | consumable     | JPY 120 JPN
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | quantity | storefront | price | currency | cancelled_at     | upgraded
      1              | book       | 2026-07-31 23:59 | 2        | USA        |       |          | 2026-11-02 10:00 |
      2              | book       | 2026-07-10 10:00 | 1        | USA        | 0.50  | USD      |                  |
      3              | book       | 2026-07-11 10:00 | 1        | USA        | 0.25  | USD      | 2026-11-03 10:00 | yes
      4              | book       | 2026-10-10 10:00 | 1        | DEU        |       |          |                  |
      5              | coins      | 2026-10-10 10:00 | 3        | JPN        |       |          |                  |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      5              | coins      | 2026-10-10 10:01 | delivered
      2              | book       | 2026-07-10 10:01 | failed
      4              | book       | 2026-10-10 10:01 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // The purchases 1 and 3 were refunded, so they are not missing.
    try night.expect(
      report: "months.csv",
      shows: """
        month   | currency | price_source | units_sold | gross | units_refunded | refunds | net    | units_upgraded | units_missing | gross_missing
        2026-07 | USD      | catalogue    | 2          | 3.980 | 0              | 0.000   | 3.980  | 0              | 0             | 0.000
        2026-07 | USD      | receipt      | 2          | 0.75  | 0              | 0.00    | 0.75   | 0              | 1             | 0.50
        2026-08 |          | none         | 0          |       | 0              |         |        | 0              | 0             |
        2026-09 |          | none         | 0          |       | 0              |         |        | 0              | 0             |
        2026-10 |          | none         | 1          |       | 0              |         |        | 0              | 1             |
        2026-10 | JPY      | catalogue    | 3          | 360   | 0              | 0       | 360    | 0              | 0             | 0
        2026-11 | USD      | catalogue    | 0          | 0.000 | 2              | 3.980   | -3.980 | 0              | 0             | 0.000
        2026-11 | USD      | receipt      | 0          | 0.00  | 0              | 0.00    | 0.00   | 1              | 0             | 0.00
        """)
  }

  @Test("a month in which a product was only upgraded has zero, not nothing, in period.csv, too")
  func onlyUpgraded() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | cancelled_at     | upgraded
      1              | book       | 2026-10-10 10:00 | 1.50  | USD      | 2026-11-03 10:00 | yes
      """)
    try night.run(asOf: "2026-12-02 03:00")
    let columns = ["units_sold", "gross", "units_refunded", "refunds", "net", "units_upgraded"]
    let folder = try ClosingActs.of(night).close(Period("2026-11")).folder
    let statement = try String(contentsOfFile: "\(folder)/period.csv", encoding: .utf8)
    let closed = DrawnTable(csv: statement)
    #expect(closed.columns(columns).rows == [["0", "0.00", "0", "0.00", "0.00", "1"]])
    let month = try night.table("months.csv").rows(where: "month", is: "2026-11")
    #expect(month.columns(columns).rows == closed.columns(columns).rows)
  }

  @Test("revenue that arrives late shows in its month, also before the first day of revenue.csv")
  func late() throws {
    let night = try TestNight()
    night.settings.timeZone = "America/New_York"
    let header = "transaction_id | product_id | purchased_at     | price | currency\n"
    try night.transactions(header + "1 | book | 2026-10-10 10:00 | 1.00 | USD")
    try night.run(asOf: "2026-11-20 03:00")
    try night.transactions(header + "2 | book | 2026-04-01 03:59 | 2.00 | USD")
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(report: "revenue.csv", shows: "day | gross\n2026-10-10 | 1.00")
    // In New York it was still March.
    let shown = """
      month   | units_sold | gross
      2026-03 | 1          | 2.00
      2026-04 | 0          |
      2026-05 | 0          |
      2026-06 | 0          |
      2026-07 | 0          |
      2026-08 | 0          |
      2026-09 | 0          |
      2026-10 | 1          | 1.00
      2026-11 | 0          |
      """
    try night.expect(report: "months.csv", shows: shown)
    #expect(try night.recompute().corrections == 0)
    // A past day is written again with what is known now.
    try night.run(asOf: "2026-10-31 03:00")
    let past = try night.table("months.csv", day: "2026-10-30").columns(["month", "gross"]).rows
    #expect(past.first == ["2026-03", "2.00"])
    #expect(past.last == ["2026-10", "1.00"])
    #expect(past.count == 8)
    night.settings.timeZone = "UTC"
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try night.table("months.csv").rows.first?[0] == "2026-04")
  }

  @Test("without a sale there is no month")
  func empty() throws {
    let night = try TestNight.afterEmptyNight()
    try night.expect(report: "months.csv", shows: "month")
  }
}
