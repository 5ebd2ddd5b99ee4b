import ReconciliationTestSupport
import Testing

@Suite("missing_original")
struct MissingOriginalTests {
  @Test("a family that is not a subscription and lacks its completed purchase is found")
  func lacking() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id
      2              | 1                       | book       | 2026-11-02 10:00 |                  |
      3              | 1                       | book       | 2026-11-03 10:00 |                  |
      10             | 10                      | book       | 2026-11-02 10:00 |                  |
      11             | 10                      | book       | 2026-11-03 10:00 |                  |
      21             | 20                      | news       | 2026-11-03 10:00 | 2026-12-03 10:00 |
      31             | 30                      | news       | 2026-11-03 10:00 |                  | 300
      40             | 40                      | book       | 2026-11-03 10:00 |                  |
      41             | 40                      | comic      | 2026-11-03 10:00 |                  |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_original",
      finds: """
        level | subject  | reason
        info  | 1 book   |
        info  | 40 comic |
        """)
  }

  @Test("a completed purchase after as-of does not count")
  func asOf() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-20 03:00:00
      2              | 1                       | book       | 2026-11-19 10:00
      3              | 3                       | book       | 2026-11-20 03:00:01
      4              | 3                       | book       | 2026-11-19 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_original", finds: "subject\n3 book")
    try night.run(asOf: "2026-11-20 03:00:01")
    try night.expect("missing_original", finds: "subject")
  }

  @Test("a completed purchase in another environment does not count")
  func environments() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | environment
      1              | 1                       | book       | 2026-11-02 10:00 | Sandbox
      2              | 1                       | book       | 2026-11-03 10:00 | Production
      12             | 11                      | book       | 2026-11-03 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("missing_original", finds: "subject\n1 book")
  }
}
