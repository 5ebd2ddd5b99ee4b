import Configuration
import ReconciliationTestSupport
import Testing

@Suite("shared_purchase")
struct SharedPurchaseTests {
  @Test("the accounts in the receipts and deliveries of a purchase are one finding for each set")
  func sets() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id
      1              | 1                       | book       | 2026-11-01 10:00 | b
      2              | 1                       | book       | 2026-11-02 10:00 | a
      3              | 3                       | book       | 2026-11-01 10:00 | a
      4              | 4                       | book       | 2026-11-01 10:00 | a
      4              | 4                       | book       | 2026-11-01 10:00 | c
      5              | 5                       | book       | 2026-11-01 10:00 | a
      5              | 5                       | book       | 2026-11-01 10:00 |
      6              | 6                       | book       | 2026-11-01 10:00 | b
      6              | 6                       | book       | 2026-11-01 10:00 | B
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id | status
      3              | book       | 2026-11-02 10:00 | b          | failed
      5              | book       | 2026-11-02 10:00 | a          | delivered
      99             | book       | 2026-11-02 10:00 | a          | delivered
      99             | book       | 2026-11-02 10:00 | b          | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "shared_purchase",
      finds: """
        level | subject | reason | detail
        info  | B b     |        | accounts: 2, families: 1
        info  | a b     |        | accounts: 2, families: 2
        info  | a c     |        | accounts: 2, families: 1
        """)
  }

  @Test("a set of five or more accounts is a warning")
  func level() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-01 10:00 | a
      1              | book       | 2026-11-01 10:00 | b
      1              | book       | 2026-11-01 10:00 | c
      1              | book       | 2026-11-01 10:00 | d
      2              | book       | 2026-11-01 10:00 | a
      2              | book       | 2026-11-01 10:00 | b
      2              | book       | 2026-11-01 10:00 | c
      2              | book       | 2026-11-01 10:00 | d
      2              | book       | 2026-11-01 10:00 | e
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "shared_purchase",
      finds: """
        level   | subject
        info    | a b c d
        warning | a b c d e
        """)
    night.settings.accountsAllowed = 4
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("shared_purchase", finds: "subject\na b c d e")
    night.settings.accountsAllowed = 5
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("shared_purchase", finds: "subject")
  }

  @Test("other environments and records after as-of do not count")
  func leftAlone() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | account_id | environment
      1              | 1                       | book       | 2026-11-01 10:00    | a          | Sandbox
      1              | 1                       | book       | 2026-11-01 10:00    | b          | Sandbox
      2              | 2                       | book       | 2026-11-01 10:00    | a          |
      3              | 2                       | book       | 2026-11-20 03:00:01 | b          |
      4              | 4                       | book       | 2026-11-01 10:00    | a          |
      5              | 5                       | book       | 2026-11-01 10:00    | c          |
      6              | 5                       | book       | 2026-11-20 03:00:00 | d          |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at         | account_id
      4              | book       | 2026-11-20 03:00:01 | b
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("shared_purchase", finds: "subject\nc d")
  }
}
