import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Reasons of missing deliveries")
struct MissingDeliveryReasonTests {
  @Test("a missing delivery gets the first reason that applies")
  func reasons() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      2              | book       | 2026-11-10 10:00
      3              | book       | 2026-11-10 10:00
      4              | book       | 2026-11-10 10:00
      5              | book       | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | status
      1              | comic      | 2026-11-10 10:01:00 | delivered
      1              | book       | 2026-11-10 10:02:00 | failed
      2              | book       | 2026-11-10 10:01:00 | pending
      2              | book       | 2026-11-10 10:01:01 | failed
      3              | book       | 2026-11-10 10:01:00 | failed
      3              | comic      | 2026-11-10 10:01:01 | pending
      4              | book       | 2026-11-10 10:01:00 | pending
      4              | book       | 2026-11-10 10:01:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level | subject | reason
        error | 1 book  | wrong_product
        error | 2 book  | failed
        error | 3 book  | pending
        error | 4 book  | failed
        error | 5 book  | never_attempted
        """)
  }

  @Test("the reason is no_records if no delivery was logged from the purchase to the due date")
  func noRecords() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-01 12:00
      2              | book       | 2026-11-05 12:00
      3              | book       | 2026-11-09 12:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | environment | status
      90             | unlisted   | 2026-11-01 12:00:00 |             | failed
      91             | book       | 2026-11-06 12:00:00 |             | pending
      92             | book       | 2026-11-09 11:59:59 |             | delivered
      93             | book       | 2026-11-09 15:00:00 | Sandbox     | delivered
      94             | book       | 2026-11-10 12:00:01 |             | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level   | subject | reason
        error   | 1 book  | never_attempted
        error   | 2 book  | never_attempted
        warning | 3 book  | no_records
        """)
  }

  @Test("an on-demand product is missing only after an attempt to deliver it")
  func onDemand() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | delivery
      video      | on_demand
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | video      | 2026-11-01 12:00
      2              | video      | 2026-11-10 10:00
      3              | video      | 2026-11-10 10:00
      4              | video      | 2026-11-10 10:00
      5              | video      | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      2              | video      | 2026-11-10 10:01 | failed
      3              | video      | 2026-11-10 10:01 | pending
      4              | audio      | 2026-11-10 10:01 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level | subject | reason
        error | 2 video | failed
        error | 3 video | pending
        error | 4 video | wrong_product
        """)
  }

  @Test("missing deliveries whose subjects read the same stay one finding when a silence ends")
  func sameSubject() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery_per
      book 5     | non_consumable |
      book       | auto_renewable | period
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      7              | 7                       | book 5     | 2026-11-09 12:00 |
      8              | 7                       | book       | 2026-11-09 12:00 | 5
      """)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.database.draw("select count(*) from carried_missing_delivery") == "count\n2")
    try night.expect(
      "missing_delivery",
      finds: """
        level   | subject  | reason
        warning | 7 book 5 | no_records
        """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      90             | unlisted   | 2026-11-09 13:00 | failed
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "missing_delivery",
      finds: """
        level | subject  | reason
        error | 7 book 5 | never_attempted
        """)
    #expect(try night.recompute().corrections == 0)
  }
}
