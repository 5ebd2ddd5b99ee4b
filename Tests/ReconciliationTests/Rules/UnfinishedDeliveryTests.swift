import ReconciliationTestSupport
import Testing

@Suite("unfinished_delivery")
struct UnfinishedDeliveryTests {
  private static let delivered = """
    transaction_id | original_transaction_id | product_id | purchased_at
    1              | 1                       | book       | 2026-11-01 10:00
    3              | 1                       | book       | 2026-11-15 10:00
    """

  @Test(
    "the latest attempt of a transaction and device is found if unfinished after its grace period")
  func latestAttempt() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(Self.delivered)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | status    | device_id
      1              | book       | 2026-11-01 10:01    | delivered | first
      1              | book       | 2026-11-19 03:00:00 | failed    | at-grace-end
      1              | book       | 2026-11-19 03:00:01 | failed    | in-grace
      1              | book       | 2026-11-10 10:00    | failed    | retried
      1              | book       | 2026-11-10 10:01    | delivered | retried
      1              | book       | 2026-11-10 10:00    | delivered | again
      1              | book       | 2026-11-10 10:01    | pending   | again
      1              | book       | 2026-11-10 10:00    | failed    | same-second
      1              | book       | 2026-11-10 10:00    | delivered | same-second
      1              | book       | 2026-11-10 10:00    | failed    |
      3              | book       | 2026-11-15 10:01    | failed    | first
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "unfinished_delivery",
      finds: """
        level   | subject        | reason
        warning | 1              |
        warning | 1 again        |
        warning | 1 at-grace-end |
        warning | 3 first        |
        """)
    try night.expect("missing_delivery", finds: "subject")
  }

  @Test("the grace period is that of the product that the attempt names")
  func graceOfProduct() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | grace_hours
      book       | 48
      extra      | 1
      """)
    try night.transactions(Self.delivered)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | status    | device_id
      1              | book       | 2026-11-01 10:01    | delivered | a
      1              | book       | 2026-11-18 03:00:00 | failed    | b
      1              | book       | 2026-11-18 03:00:01 | failed    | c
      1              | extra      | 2026-11-20 02:00:00 | failed    | d
      1              | extra      | 2026-11-20 02:00:01 | failed    | e
      1              | unlisted   | 2026-11-19 03:00:00 | failed    | f
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unfinished_delivery", finds: "subject\n1 b\n1 d\n1 f")
  }

  @Test("neither a missing delivery nor an attempt for an unknown purchase is found")
  func missingAlready() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery
      book       | non_consumable | server
      news       | auto_renewable | server
      game       | non_consumable | built_in
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      1              | 1                       | book       | 2026-11-10 10:00 |
      2              | 1                       | book       | 2026-11-12 10:00 |
      10             | 10                      | news       | 2026-11-01 10:00 | 100
      11             | 10                      | news       | 2026-11-08 10:00 | 101
      20             | 20                      | game       | 2026-11-08 10:00 |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      2              | book       | 2026-11-12 10:01 | failed
      11             | news       | 2026-11-08 10:01 | pending
      20             | game       | 2026-11-08 10:01 | failed
      99             | book       | 2026-11-08 10:01 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject\n1 book\n10 news")
    try night.expect("unfinished_delivery", finds: "subject\n20")
  }

  @Test("a purchase before the books begin owes no delivery, but its failed delivery is found")
  func beforeBooks() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(Self.delivered)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-10 10:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_delivery", finds: "subject")
    try night.expect("unfinished_delivery", finds: "subject\n1")
  }

  @Test("an unfinished delivery of a purchase that was refunded by as-of is not found")
  func refunded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-01 10:00 | 2026-11-20 03:00:00
      2              | book       | 2026-11-01 10:00 | 2026-11-20 03:00:01
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status    | device_id
      1              | book       | 2026-11-01 10:01 | delivered | a
      1              | book       | 2026-11-02 10:01 | failed    | b
      2              | book       | 2026-11-01 10:01 | delivered | a
      2              | book       | 2026-11-02 10:01 | failed    | b
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unfinished_delivery", finds: "subject\n2 b")
  }
}
