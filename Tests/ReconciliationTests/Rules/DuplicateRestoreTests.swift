import Configuration
import ReconciliationTestSupport
import Testing

@Suite("duplicate_restore")
struct DuplicateRestoreTests {
  @Test("more than one restored transaction is found if there are more of them than devices")
  func allowed() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | device_id
      1              | 1                       | book       | 2026-11-01 10:00 |
      2              | 1                       | book       | 2026-11-02 10:00 |
      3              | 1                       | book       | 2026-11-03 10:00 |
      10             | 10                      | book       | 2026-11-01 10:00 |
      11             | 10                      | book       | 2026-11-02 10:00 |
      20             | 20                      | book       | 2026-11-01 10:00 | phone
      21             | 20                      | book       | 2026-11-02 10:00 | tablet
      22             | 20                      | book       | 2026-11-03 10:00 | phone
      30             | 30                      | book       | 2026-11-01 10:00 | phone
      31             | 30                      | book       | 2026-11-02 10:00 | phone
      32             | 30                      | book       | 2026-11-03 10:00 | phone
      33             | 30                      | book       | 2026-11-04 10:00 | phone
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | device_id | status
      31             | book       | 2026-11-02 10:01 | tablet    | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // Purchase 20 has two restored transactions and two devices. Purchase 30 has three and two
    // devices: one named in a receipt, one in a delivery.
    try night.expect(
      "duplicate_restore",
      finds: """
        level   | subject | reason
        warning | 1 book  |
        warning | 30 book |
        """)
    try night.expect(
      report: "duplicate_restores.csv",
      shows: """
        original_transaction_id | restored_transactions | surplus_transactions | devices
        1                       | 2                     | 1                    | 0
        30                      | 3                     | 1                    | 2
        """)
  }

  @Test(
    "restores_allowed sets how many restored transactions are not found", arguments: [0, 1, 2, 3])
  func restoresAllowed(allowed: Int) throws {
    let night = try TestNight()
    night.settings.restoresAllowed = allowed
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-01 10:00
      2              | 1                       | book       | 2026-11-02 10:00
      10             | 10                      | book       | 2026-11-01 10:00
      11             | 10                      | book       | 2026-11-02 10:00
      12             | 10                      | book       | 2026-11-02 10:00
      20             | 20                      | book       | 2026-11-01 10:00
      21             | 20                      | book       | 2026-11-02 10:00
      22             | 20                      | book       | 2026-11-02 10:00
      23             | 20                      | book       | 2026-11-02 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let subjects = ["1 book", "10 book", "20 book"].dropFirst(allowed)
    try night.expect(
      "duplicate_restore", finds: (["subject"] + subjects).joined(separator: "\n"))
  }

  @Test("it is found until its last restore is older than the restore window")
  func window() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-10-01 10:00
      2              | 1                       | book       | 2026-10-02 10:00
      3              | 1                       | book       | 2026-10-21 03:00:00
      10             | 10                      | book       | 2026-10-01 10:00
      11             | 10                      | book       | 2026-10-02 10:00
      12             | 10                      | book       | 2026-10-21 02:59:59
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("duplicate_restore", finds: "subject\n1 book")
    night.settings.restoreWindowDays = 31
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("duplicate_restore", finds: "subject\n1 book\n10 book")
    night.settings.restoreWindowDays = 0
    try night.run(asOf: "2036-11-20 03:00")
    try night.expect("duplicate_restore", finds: "subject\n1 book\n10 book")
  }

  @Test("restores count without their purchase; restores after as-of do not count")
  func withoutPurchase() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | environment
      2              | 1                       | book       | 2026-11-02 10:00    |
      3              | 1                       | book       | 2026-11-20 03:00:00 |
      11             | 10                      | book       | 2026-11-02 10:00    |
      12             | 10                      | book       | 2026-11-20 03:00:01 |
      21             | 20                      | book       | 2026-11-02 10:00    | Sandbox
      22             | 20                      | book       | 2026-11-02 10:00    | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("duplicate_restore", finds: "subject\n1 book")
  }

  @Test("a renewal is not a restore, but a renewal can be restored")
  func renewals() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      10             | 10                      | news       | 2026-11-01 10:00 | 100
      11             | 10                      | news       | 2026-11-08 10:00 | 101
      12             | 10                      | news       | 2026-11-15 10:00 | 102
      13             | 10                      | news       | 2026-11-15 10:00 | 102
      14             | 10                      | news       | 2026-11-15 10:00 | 102
      15             | 10                      | news       | 2026-11-16 10:00 |
      16             | 10                      | news       | 2026-11-16 10:00 |
      17             | 10                      | news       | 2026-11-16 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "duplicate_restore", finds: "subject\n10 news 102\n10 news 2026-11-16T10:00:00Z")
  }
}
