import NightRun
import ReconciliationTestSupport
import Testing

@Suite("conflicting_delivery")
struct ConflictingDeliveryTests {
  @Test("records of one revision and instant that name different things are found")
  func different() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status    | account_id | device_id | error
      both        | 1              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      both        | 2              | comic      | 2026-11-10 10:00    | delivered | ben        | tablet    |
      product     | 3              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      product     | 3              | comic      | 2026-11-10 10:00    | failed    | anna       | phone     |
      named       | 4              | book       | 2026-11-10 10:00    | delivered |            | phone     |
      named       | 4              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      status      | 5              | book       | 2026-11-10 10:00    | pending   | anna       | phone     |
      status      | 5              | book       | 2026-11-10 10:00    | failed    | anna       | phone     | full
      second      | 6              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      second      | 7              | book       | 2026-11-10 10:00:01 | delivered | anna       | phone     |
      same        | 8              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      same        | 8              | book       | 2026-11-10 10:00    | delivered | anna       | phone     |
      earlier     | 9              | book       | 2026-11-10 10:00    | pending   | anna       | phone     |
      earlier     | 10             | book       | 2026-11-10 10:00    | pending   | anna       | phone     |
      earlier     | 9              | book       | 2026-11-10 10:02    | delivered | anna       | phone     |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_delivery",
      finds: """
        level   | subject | reason | detail
        warning | both    |        | 2 records of 2026-11-10T10:00:00Z differ in transaction_id, product_id, account_id, device_id: send the right one again with revision 1
        warning | earlier |        | 2 records of 2026-11-10T10:00:00Z differ in transaction_id: send the right one again with revision 1
        warning | named   |        | 2 records of 2026-11-10T10:00:00Z differ in account_id: send the right one again with revision 1
        warning | product |        | 2 records of 2026-11-10T10:00:00Z differ in product_id: send the right one again with revision 1
        """)
  }

  @Test("only the highest revision by as-of is compared, and only configured environments")
  func highest() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | revision   | environment
      corrected   | 1              | book       | 2026-11-10 10:00    |            |
      corrected   | 2              | book       | 2026-11-10 10:00    | 0          |
      corrected   | 2              | book       | 2026-11-10 10:00    | 1          |
      twice       | 3              | book       | 2026-11-10 10:00    | 4          |
      twice       | 4              | book       | 2026-11-10 10:00    | 4          |
      twice       | 4              | book       | 2026-11-10 10:00    | 3          |
      later       | 5              | book       | 2026-11-20 03:00:01 | 2147483647 |
      later       | 6              | book       | 2026-11-20 03:00:01 | 2147483647 |
      later       | 6              | book       | 2026-11-20 03:00    | 1          |
      sandbox     | 7              | book       | 2026-11-10 10:00    |            | Sandbox
      sandbox     | 8              | book       | 2026-11-10 10:00    |            | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "conflicting_delivery",
      finds: """
        subject | detail
        twice   | 2 records of 2026-11-10T10:00:00Z differ in transaction_id: send the right one again with revision 5
        """)
    try night.run(asOf: "2026-11-20 03:00:01")
    try night.expect(
      "conflicting_delivery",
      finds: """
        subject | detail
        later   | 2 records of 2026-11-20T03:00:01Z differ in transaction_id: send the right one again with another delivery_id, because no revision is higher
        twice   | 2 records of 2026-11-10T10:00:00Z differ in transaction_id: send the right one again with revision 5
        """)
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "a correction with a higher revision counts, also with an earlier instant, and resolves the finding"
  )
  func correction() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 09:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | account_id
      d           | 1              | book       | 2026-11-10 10:00 | failed | anna
      d           | 1              | comic      | 2026-11-10 10:00 | failed | anna
      """)
    try night.run(asOf: "2026-11-18 03:00")
    try night.expect("conflicting_delivery", finds: "subject\nd")
    try night.expect("missing_delivery", finds: "subject | reason\n1 book | failed")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | revision
      d           | 1              | book       | 2026-11-10 09:30 | delivered | 1
      """)
    try night.run(asOf: "2026-11-19 03:00")
    try night.expect("conflicting_delivery", finds: "subject")
    try night.expect("missing_delivery", finds: "subject")
    #expect(try night.recompute().corrections == 0)
    // A past day has the correction too, because its instant is earlier.
    try night.run(asOf: "2026-11-18 03:00")
    try night.expect("missing_delivery", finds: "subject")
    // Before the correction's instant, no record of the delivery is known.
    try night.run(asOf: "2026-11-10 09:29")
    try night.expect("conflicting_delivery", finds: "subject")
  }
}
