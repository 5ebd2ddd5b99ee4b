import ReconciliationTestSupport
import Testing

@Suite("unrestorable_restore")
struct UnrestorableRestoreTests {
  @Test("a consumable or non-renewing transaction under another id than its original is found")
  func types() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      coins      | consumable
      season     | non_renewing
      book       | non_consumable
      news       | auto_renewable
      untyped    |
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | coins      | 2026-11-02 10:00
      2              | 1                       | coins      | 2026-11-03 10:00
      4              | 3                       | season     | 2026-11-03 10:00
      5              | 5                       | season     | 2026-11-03 10:00
      7              | 6                       | book       | 2026-11-03 10:00
      9              | 8                       | news       | 2026-11-03 10:00
      11             | 10                      | untyped    | 2026-11-03 10:00
      13             | 12                      | unlisted   | 2026-11-03 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "unrestorable_restore",
      finds: """
        level   | subject | reason
        warning | 2       |
        warning | 4       |
        """)
  }

  @Test("transactions after as-of or in another environment are not found")
  func leftAlone() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      coins      | consumable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | environment
      2              | 1                       | coins      | 2026-11-20 03:00:00 | Production
      4              | 3                       | coins      | 2026-11-20 03:00:01 | Production
      6              | 5                       | coins      | 2026-11-19 10:00    | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("unrestorable_restore", finds: "subject\n2")
  }
}
