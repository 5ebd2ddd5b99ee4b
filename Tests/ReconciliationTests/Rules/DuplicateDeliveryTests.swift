import ReconciliationTestSupport
import Testing

@Suite("duplicate_delivery")
struct DuplicateDeliveryTests {
  @Test("a product that was delivered twice for one transaction to one device is found")
  func twice() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status    | device_id
      1              | book       | 2026-11-10 10:00 | delivered | phone
      1              | book       | 2026-11-11 10:00 | delivered | phone
      2              | book       | 2026-11-10 10:00 | delivered | phone
      2              | book       | 2026-11-11 10:00 | delivered | tablet
      2              | book       | 2026-11-11 10:00 | delivered |
      3              | book       | 2026-11-10 10:00 | delivered | phone
      3              | comic      | 2026-11-11 10:00 | delivered | phone
      4              | book       | 2026-11-10 10:00 | delivered |
      4              | book       | 2026-11-11 10:00 | delivered |
      5              | book       | 2026-11-10 10:00 | failed    | phone
      5              | book       | 2026-11-11 10:00 | delivered | phone
      6              | book       | 2026-11-10 10:00 | delivered | phone
      7              | book       | 2026-11-10 10:00 | delivered | phone
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "duplicate_delivery",
      finds: """
        level | subject | reason
        info  | 1       |
        info  | 4       |
        """)
  }

  @Test("duplicate deliveries of several products or to several devices are one finding")
  func oneFinding() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | device_id
      1              | book       | 2026-11-10 10:00 | phone
      1              | book       | 2026-11-11 10:00 | phone
      1              | book       | 2026-11-10 10:00 | tablet
      1              | book       | 2026-11-11 10:00 | tablet
      1              | comic      | 2026-11-10 10:00 | phone
      1              | comic      | 2026-11-11 10:00 | phone
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("duplicate_delivery", finds: "subject\n1")
  }

  @Test("an attempt with two records counts once; attempts after as-of do not count")
  func oneAttempt() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      told-twice  | 1              | book       | 2026-11-10 10:00
      told-twice  | 1              | book       | 2026-11-11 10:00
      first       | 2              | book       | 2026-11-10 10:00
      at-as-of    | 2              | book       | 2026-11-20 03:00:00
      one         | 3              | book       | 2026-11-10 10:00
      later       | 3              | book       | 2026-11-20 03:00:01
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | environment
      test-1      | 4              | book       | 2026-11-10 10:00 | Sandbox
      test-2      | 4              | book       | 2026-11-11 10:00 | Sandbox
      live-1      | 5              | book       | 2026-11-10 10:00 | Production
      test-3      | 5              | book       | 2026-11-11 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("duplicate_delivery", finds: "subject\n2")
  }
}
