import NightRun
import ReconciliationTestSupport
import Testing

@Suite("The periods of tie_out.csv")
struct TieOutWindowTests {
  /// A night with the default of `revenue_since`, and a sale on a day of each month.
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type | delivery\ncoin | consumable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-09-20 12:00 | 1.00  | USD      | USA
      2              | coin       | 2026-10-20 12:00 | 1.00  | USD      | USA
      3              | coin       | 2026-11-20 12:00 | 1.00  | USD      | USA
      """)
    return night
  }

  private static let month = AppleReports.financial(
    ["coin US 1 0.70 0.70 USD S 1.00 USD"], amount: "0.70", units: 1)

  private static let columns = ["report", "state", "period_begin", "period_end", "ours_units"]

  @Test("reports that stopped before the first day of the file are pending since that day")
  func stopped() throws {
    let night = try Self.night()
    try night.put(
      AppleReports.sales("09/20/2026", ["coin US 1 0.70 USD 1.00 USD"]), at: "apple/20.txt")
    try night.run(asOf: "2026-11-29 12:00")
    #expect(
      try night.table("tie_out.csv").columns(Self.columns).rows == [
        ["sales_summary", "pending", "2026-10-01", "2026-11-29", "2"]
      ])
  }

  @Test("a Financial Report is compared for a month after revenue_since has passed its last day")
  func late() throws {
    let night = try Self.night()
    try night.put(Self.month, at: "apple/month.txt")
    // revenue_since is November 1, a day after the report ends.
    try night.run(asOf: "2026-12-05 12:00")
    #expect(
      try night.table("tie_out.csv").columns(Self.columns).rows == [
        ["financial", "compared", "2026-09-27", "2026-10-31", "1"],
        ["financial", "pending", "2026-11-01", "2026-12-05", "1"],
      ])
    // revenue_since is December 1.
    try night.run(asOf: "2027-01-05 12:00")
    #expect(try night.table("tie_out.csv").rows.isEmpty)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a difference of a day that the file no longer has was resolved because its window ended")
  func ended() throws {
    let night = try Self.night()
    for (day, units) in [("10/20/2026", 3), ("11/20/2026", 1)] {
      try night.put(
        AppleReports.sales(day, ["coin US \(units) 0.70 USD 1.00 USD"]),
        at: "apple/\(day.prefix(2)).txt")
    }
    try night.run(asOf: "2026-11-30 12:00")
    #expect(
      try night.table("findings.csv").rows(where: "rule", is: "unexplained_difference").rows.count
        == 1)
    try night.run(asOf: "2026-12-02 12:00")
    let resolved = try night.table("changes.csv").rows(where: "rule", is: "unexplained_difference")
    #expect(resolved.columns(["change", "cause"]).rows == [["resolved", "window_ended"]])
  }
}
