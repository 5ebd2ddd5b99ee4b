import Configuration
import Foundation
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
      header
        + ["book", "map", "card", "coin"].map { "\($0) | non_consumable | server" }
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
      delivery_id | transaction_id | product_id | occurred_at      | status | revision
      F           | 9              | book       | 2026-10-10 10:05 | failed |
      G           | 2              | map        | 2026-10-10 10:05 | failed | 1
      """)
    try night.run(asOf: "2026-11-02 03:00")
    try night.catalogue(header + "card | non_consumable | built_in")
    // Two of these count for no purchase: one is superseded, and one is of another product.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      D           | 1              | book       | 2026-11-02 10:05 | delivered
      G           | 2              | map        | 2026-10-10 10:05 | delivered
      H           | 2              | card       | 2026-11-02 10:05 | delivered
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

  @Test("the refund of a purchase that a family member shares is the cause without a sale")
  func refundOfSharedPurchase() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let header =
      "transaction_id | product_id | purchased_at | family_shared | told_at | cancelled_at\n"
    try night.transactions(header + "1 | book | 2026-10-10 10:00 | yes | 2026-10-10 10:00 |")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      F           | 9              | book       | 2026-10-10 10:05 | failed
      """)
    try night.run(asOf: "2026-11-02 03:00")
    try night.transactions(
      header + "1 | book | 2026-10-10 10:00 | yes | 2026-11-02 10:00 | 2026-10-20 10:00")
    try night.run(asOf: "2026-11-03 03:00")
    let shown = try night.table("restatement.csv").rows(where: "measure", is: "units_missing")
      .columns(["evidence_arrived", "refunded", "difference"])
    #expect(shown.rows == [["", "-1", "-1"]], "\(shown.text)")
  }

  @Test("a purchase that is no longer uncertain is missing because of the log, whatever else came")
  func noLongerUncertain() throws {
    let uncertain = try TestNight()
    uncertain.settings.booksBegin = "2026-07-01"
    let catalogue = "product_id | type | prices\nother | consumable |\ncoin | consumable | USD 3.00"
    try uncertain.catalogue(catalogue)
    let header =
      "transaction_id | product_id | purchased_at | storefront | price | currency | told_at\n"
    try uncertain.transactions(
      header + """
        1 | other | 2026-10-12 09:00 | USA | 1.00 | USD | 2026-10-12 09:00
        3 | coin  | 2026-10-12 10:00 | USA |      |     | 2026-10-12 10:00
        """)
    try uncertain.run(asOf: "2026-10-31 23:00")
    for (hasPrice, hasReceipt) in [(true, false), (false, true), (false, false)] {
      let night = try TestNight(copyOf: uncertain)
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at
        D           | 1              | other      | 2026-10-12 12:00
        """)
      if hasPrice { try night.catalogue(catalogue.replacing("3.00", with: "2.50")) }
      if hasReceipt {
        try night.transactions(
          header + "3 | coin | 2026-10-12 10:00 | USA | 2.75 | USD | 2026-11-01 10:00")
      }
      try night.run(asOf: "2026-11-03 03:00")
      let rows = try night.table("restatement.csv").rows(where: "product_id", is: "coin")
      for measure in ["units_missing", "gross_missing"] {
        let shown = rows.rows(where: "measure", is: measure)
          .columns(["evidence_arrived", "log_arrived", "catalogue_changed"])
        let amount = hasPrice ? "2.50" : hasReceipt ? "2.75" : "3.00"
        #expect(
          shown.rows == [["", measure == "units_missing" ? "1" : amount, ""]], "\(shown.text)")
      }
    }
  }

  @Test("without a new record, the setting that changed a missing delivery is its cause")
  func settingsOfMissing() throws {
    for isOfGrace in [true, false] {
      let night = try TestNight.withOpenBooks()
      night.settings.graceHours = 72
      try night.catalogue("product_id | type\nbook | consumable\ncoin | consumable")
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | price | currency | environment
        1              | book       | 2026-10-10 00:00 | 4.99  | USD      | Production
        2              | book       | 2026-10-10 00:00 | 4.99  | USD      | Sandbox
        """)
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | status
        D           | 9              | coin       | 2026-10-12 00:00 | failed
        """)
      try night.run(asOf: "2026-11-02 00:00")
      if isOfGrace {
        night.settings.graceHours = 24
      } else {
        night.settings.environments = ["Production", "Sandbox"]
      }
      try night.run(asOf: "2026-11-03 00:00")
      let shown = try night.table("restatement.csv").rows(where: "measure", is: "units_missing")
        .columns(["evidence_arrived", "log_arrived", "settings_changed"])
      #expect(shown.rows == [["", "", isOfGrace ? "-1" : "1"]], "\(shown.text)")
    }
  }

  @Test("what fell due after the published as-of says so when the log covers its time")
  func dueAfterPublication() throws {
    let published = try TestNight.withOpenBooks()
    try published.catalogue("product_id | type\nother | consumable\ncoin | consumable")
    try published.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | told_at
      1              | other      | 2026-10-31 21:00 | 1.00  | USD      | 2026-10-31 21:00
      2              | coin       | 2026-10-31 20:00 | 2.00  | USD      | 2026-10-31 20:00
      """)
    for day in 1...2 { try published.run(asOf: "2026-11-0\(day) 03:00") }
    let uncertain = try published.table("missing_deliveries.csv")
      .columns(["transaction_id", "reason"])
    #expect(uncertain.rows == [["2", "no_records"], ["1", "no_records"]])
    for judgesEverything in [false, true] {
      let night = try TestNight(copyOf: published)
      if judgesEverything { _ = try night.database.draw("delete from judged returning true") }
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at
        D           | 1              | other      | 2026-11-01 12:00
        """)
      try night.run(asOf: "2026-11-03 03:00")
      let shown = try night.table("restatement.csv").rows(where: "measure", is: "units_missing")
        .columns(["product_id", "after_as_of", "log_arrived"])
      #expect(shown.rows == [["coin", "1", ""]], "\(shown.text)")
    }
  }

  @Test("another time zone moves transactions to other months, whatever records come beside it")
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
    // A receipt of another device, and a price that no sale has.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | told_at          | device_id
      1              | map        | 2026-11-01 02:00 | 1.00  | USD      | 2026-11-02 02:00 | D2
      """)
    try night.catalogue("product_id | prices\nbook | USD 9.00 USA 2026-11-20 00:00")
    try night.run(asOf: "2026-11-21 03:00")
    let restated = try night.table("restatement.csv")
    for measure in ["units_sold", "units_missing"] {
      let shown = restated.rows(where: "measure", is: measure)
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
          ).text, "\(measure)")
    }
    #expect(try night.recompute().corrections == 0)
    night.settings.timeZone = "Pacific/Kiritimati"
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "a missing subscription has the cause of the records about any of its purchases",
    arguments: [
      ("O | 10-20", "", "R | 10-21", "", "refunded", "-1"),
      ("O | 10-20", "R", "", "", "evidence_arrived", "1"),
      ("", "", "", "R", "log_arrived", "-1"),
    ])
  func causesOfChains(
    refundedFirst: String, hidden: String, refundedLater: String, delivered: String, cause: String,
    difference: String
  ) throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nsub | auto_renewable\nbook | non_consumable")
    let header =
      "transaction_id | original_transaction_id | product_id | purchased_at | expires_at | "
      + "web_order_line_item_id | price | currency | told_at | cancelled_at\n"
    func purchase(_ name: String, refunded: String = "") -> String {
      let (id, day) = name == "O" ? ("1", "10-01") : ("2", "10-08")
      let parts = refunded.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let refund = parts.first == name ? "2026-\(parts[1]) 10:00" : ""
      return "\(id) | 1 | sub | 2026-\(day) 10:00 | 2026-11-01 10:00 | 9\(id) | 5.00 | USD | "
        + "2026-\(refund.isEmpty ? "10-08" : "11-02") 10:00 | \(refund)\n"
    }
    let first = ["O", "R"].filter { $0 != hidden }
    try night.transactions(
      header + first.map { purchase($0, refunded: refundedFirst) }.joined()
        + "3 | 3 | book | 2026-10-01 10:00 | | | 1.00 | USD | 2026-10-01 10:00 |\n")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      F           | 9              | book       | 2026-10-01 10:05 | failed
      G           | 9              | book       | 2026-10-08 10:05 | failed
      """)
    try night.run(asOf: "2026-11-03 03:00")
    if !hidden.isEmpty { try night.transactions(header + purchase(hidden)) }
    if !refundedLater.isEmpty {
      let name = String(refundedLater.prefix(1))
      try night.transactions(header + purchase(name, refunded: refundedLater))
    }
    if !delivered.isEmpty {
      try night.catalogue("product_id | prices\nsub | USD 7.00 USA 2026-01-01 00:00")
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | status
        D           | 2              | sub        | 2026-11-03 10:05 | delivered
        """)
    }
    try night.run(asOf: "2026-11-04 03:00")
    let shown = try night.table("restatement.csv").rows(where: "measure", is: "units_missing")
      .rows(where: "product_id", is: "sub").columns([cause, "difference"]).rows
    #expect(shown == [[difference, difference]])
  }
}
