import ReconciliationTestSupport
import Testing

/// Rows about which Apple's report says nothing.
extension TieOutTests {
  @Test("a free trial that was upgraded is one free unit in a Financial Report")
  func upgradedTrial() throws {
    let night = try Self.night("product_id | type | delivery\nmonth | auto_renewable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | storefront | trial | cancelled_at     | upgraded
      1              | month      | 2026-10-05 12:00 | 2026-10-12 12:00 | USA        | yes   | 2026-10-07 12:00 | yes
      2              | month      | 2026-10-30 12:00 | 2026-11-06 12:00 | USA        | yes   | 2026-11-02 12:00 | yes
      """)
    for (first, last, name) in [
      ("09/27/2026", "10/31/2026", "october"), ("11/01/2026", "11/28/2026", "november"),
    ] {
      try night.put(
        AppleReports.financial(
          ["coin US 2 0.70 1.40 USD S 1.00 USD"], amount: "1.40", units: 2, from: first, to: last),
        at: "apple/\(name).txt")
    }
    try night.run(asOf: "2026-12-07 03:00")
    let rows = try night.table("tie_out.csv").rows(where: "product_id", is: "month")
      .columns(["period_end", "ours_units", "free_units", "only_here_units"])
    #expect(rows.rows == [["2026-10-31", "2", "-2", "0"]], "\(rows.text)")
  }

  @Test("a sale of an unlisted product and its refund cancel, in one row or in two")
  func unlistedRefund() throws {
    let night = try Self.night("product_id | type | delivery\ncoin | consumable | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency | storefront
      1              | bok        | 2026-11-03 20:00 | 2026-11-03 21:00 | 0.99  | USD      | USA
      2              | map        | 2026-11-03 20:00 | 2026-11-04 21:00 | 0.99  | USD      | USA
      """)
    for day in ["03", "04"] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["reader:1F US 7 0 USD 0 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-05 10:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        state    | period_begin | product_id | ours_units | invalid_identifier_units | only_here_units | ours_amount | invalid_identifier_amount | only_here_amount
        compared | 2026-11-03   | bok        | 0          | 0                        | 0               | 0.00        | 0.00                      | 0.00
        compared | 2026-11-03   | map        | 1          | -1                       | 0               | 0.99        | -0.99                     | 0.00
        compared | 2026-11-04   | map        | -1         | 1                        | 0               | -0.99       | 0.99                      | 0.00
        """)
    try night.expect("unexplained_difference", finds: "subject")
  }

  @Test("without a catalogue no identifier is wrong, so a sale that Apple lacks has a finding")
  func noCatalogue() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-03 20:00 | 0.99  | USD      | USA
      2              | forged     | 2026-11-03 20:00 | 0.99  | USD      | USA
      """)
    try night.put(
      AppleReports.sales("11/03/2026", ["coin US 1 0.70 USD 0.99 USD"]), at: "apple/03.txt")
    try night.run(asOf: "2026-11-05 10:00")
    try night.expect(
      report: "tie_out.csv",
      shows: """
        product_id | ours_units | apple_units | invalid_identifier_units | only_here_units
        coin       | 1          | 1           | 0                        | 0
        forged     | 1          | 0           | 0                        | -1
        """)
    try night.expect(
      "unexplained_difference",
      finds: """
        subject
        forged sales_summary 2026-11-03 US USD
        """)
  }
}
