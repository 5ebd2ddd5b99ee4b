import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

extension RestatementTests {
  @Test("each missing delivery has the cause of its own records, whatever else a night changes")
  func causesOfMissing() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.trust = .signed
    let header = "product_id | type | delivery\n"
    try night.catalogue(
      header + ["book", "map", "card", "coin"].map { "\($0) | non_consumable | server" }
        .joined(separator: "\n"))
    let signed =
      "transaction_id | product_id | purchased_at | price | currency | signed_at | revoked_at\n"
    try night.signed(
      signed + """
        1 | book | 2026-10-10 10:00 | 1000 | USD | 2026-10-10 10:00 |
        2 | map  | 2026-10-10 10:00 | 2000 | USD | 2026-10-10 10:00 |
        3 | card | 2026-10-10 10:00 | 3000 | USD | 2026-10-10 10:00 |
        4 | coin | 2026-10-10 10:00 | 4000 | USD | 2026-10-10 10:00 |
        """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      F           | 9              | book       | 2026-10-10 10:05 | failed
      """)
    try night.run(asOf: "2026-11-02 03:00")
    try night.catalogue(header + "card | non_consumable | built_in")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      D           | 1              | book       | 2026-11-02 10:05 | delivered
      """)
    try night.signed(
      signed + "2 | map | 2026-10-10 10:00 | 2000 | USD | 2026-11-02 11:00 | 2026-10-20 10:00\n"
        + "5 | coin | 2026-10-10 10:01 | 5000 | USD | 2026-10-10 10:01 |")
    night.settings.restoresAllowed += 1
    try night.run(asOf: "2026-11-03 03:00")
    func missing() throws -> DrawnTable {
      try night.table("restatement.csv").rows(where: "measure", is: "units_missing").columns([
        "product_id", "evidence_arrived", "refunded", "refund_reversed", "log_arrived",
        "catalogue_changed", "settings_changed", "difference",
      ])
    }
    let shown = try missing().text
    #expect(
      shown
        == DrawnTable(
          """
          product_id | evidence_arrived | refunded | refund_reversed | log_arrived | catalogue_changed | settings_changed | difference
          book       |                  |          |                 | -1          |                   |                  | -1
          card       |                  |          |                 |             | -1                |                  | -1
          coin       | 1                |          |                 |             |                   |                  | 1
          map        |                  | -1       |                 |             |                   |                  | -1
          """
        ).text)
    try night.signed(signed + "2 | map | 2026-10-10 10:00 | 2000 | USD | 2026-11-03 11:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    let reversed = try missing().rows(where: "product_id", is: "map")
      .columns(["refunded", "refund_reversed"]).text
    #expect(reversed == DrawnTable("refunded | refund_reversed\n-1 | 1").text)
  }

  @Test("another time zone moves missing deliveries to other months, and the night succeeds")
  func timeZone() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | told_at
      1              | map        | 2026-11-01 02:00 | 1.00  | USD      | 2026-11-01 02:00
      2              | book       | 2026-10-01 02:00 | 2.00  | USD      | 2026-10-01 02:00
      3              | book       | 2026-10-05 02:00 | 4.00  | USD      | 2026-10-05 02:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      F1          | 91             | book       | 2026-10-01 02:05 | failed
      F2          | 92             | book       | 2026-10-05 02:05 | failed
      F3          | 93             | book       | 2026-11-01 02:05 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.timeZone = "America/New_York"
    try night.run(asOf: "2026-11-21 03:00")
    let shown = try night.table("restatement.csv").rows(where: "measure", is: "units_missing")
      .columns(["month", "product_id", "published", "settings_changed", "restated"]).text
    #expect(
      shown
        == DrawnTable(
          """
          month   | product_id | published | settings_changed | restated
          2026-09 | book       | 0         | 1                | 1
          2026-10 | book       | 2         | -1               | 1
          2026-10 | map        | 0         | 1                | 1
          """
        ).text)
    #expect(try night.recompute().corrections == 0)
    night.settings.timeZone = "Pacific/Kiritimati"
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try night.recompute().corrections == 0)
  }
}
