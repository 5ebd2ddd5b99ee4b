import Configuration
import ReconciliationTestSupport
import Testing

@Suite("delivery_without_purchase")
struct DeliveryWithoutPurchaseTests {
  @Test("a delivery for an unknown transaction is found after its grace period")
  func unknownTransaction() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | grace_hours
      book       |
      comic      | 2
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-01 10:00
      8              | 7                       | book       | 2026-11-01 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status
      at-end      | 91             | book       | 2026-11-19 03:00:00 | delivered
      in-grace    | 91             | book       | 2026-11-19 03:00:01 | delivered
      own-end     | 91             | comic      | 2026-11-20 01:00:00 | delivered
      own-grace   | 91             | comic      | 2026-11-20 01:00:01 | delivered
      failed      | 91             | book       | 2026-11-10 10:00    | failed
      pending     | 91             | book       | 2026-11-10 10:00    | pending
      unlisted    | 91             | bok        | 2026-11-10 10:00    | delivered
      bought      | 1              | book       | 2026-11-10 10:00    | delivered
      other-thing | 1              | comic      | 2026-11-10 10:00    | delivered
      original    | 7              | comic      | 2026-11-10 10:00    | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "delivery_without_purchase",
      finds: """
        level | subject | reason
        error | at-end  | unknown_transaction
        error | own-end | unknown_transaction
        """)
  }

  @Test("another product for a refunded purchase is found although its chain goes on")
  func otherProduct() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery_per
      sub        | auto_renewable | purchase
      coins      | consumable     |
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
      7              | 7                       | sub        | 2026-10-10 10:00 | 97                     |
      71             | 7                       | sub        | 2026-11-10 10:00 | 971                    | 2026-11-11 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      first       | 7              | sub        | 2026-10-10 10:05 | delivered
      again       | 71             | sub        | 2026-11-12 10:00 | delivered
      other       | 71             | coins      | 2026-11-12 10:00 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "delivery_without_purchase",
      finds: """
        level | subject | reason
        error | other   | refunded
        """)
  }

  @Test("a delivery whose transaction is known only in another environment is a warning")
  func otherEnvironment() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-01 10:00 | Sandbox
      2              | book       | 2026-11-01 10:00 | Sandbox
      2              | book       | 2026-11-01 10:00 | Production
      3              | book       | 2026-11-01 10:00 | Xcode
      """)
    // An app's report of a restore is enough if evidence contains its original there.
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date | environment
      11             | 1                       | book       | restored | 2026-11-01 11:00 | Sandbox
      91             | 9                       | book       | restored | 2026-11-01 11:00 | Sandbox
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | environment
      accepted    | 1              | book       | 2026-11-02 10:00 | Production
      claimed     | 11             | book       | 2026-11-02 10:00 | Production
      claimed-9   | 91             | book       | 2026-11-02 10:00 | Production
      unsaid      | 1              | book       | 2026-11-02 10:00 |
      tested      | 1              | book       | 2026-11-02 10:00 | Sandbox
      both        | 2              | book       | 2026-11-02 10:00 | Production
      xcode       | 3              | book       | 2026-11-02 10:00 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "delivery_without_purchase",
      finds: """
        level   | subject   | reason
        warning | accepted  | other_environment
        warning | claimed   | other_environment
        error   | claimed-9 | unknown_transaction
        warning | xcode     | other_environment
        """)
  }

  @Test("a delivery after the refund is found, unless the refund was an upgrade")
  func refunded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at     | upgraded
      1              | 1                       | book       | 2026-11-01 10:00 | 2026-11-10 10:00 |
      2              | 2                       | book       | 2026-11-01 10:00 | 2026-11-10 10:00 | yes
      3              | 3                       | book       | 2026-11-01 10:00 | 2026-11-21 10:00 |
      4              | 4                       | book       | 2026-11-01 10:00 |                  |
      5              | 4                       | book       | 2026-11-05 10:00 | 2026-11-10 10:00 |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      before      | 1              | book       | 2026-11-10 09:59:59
      same-second | 1              | book       | 2026-11-10 10:00:00
      after       | 1              | book       | 2026-11-10 10:00:01
      upgraded    | 2              | book       | 2026-11-11 10:00
      not-yet     | 3              | book       | 2026-11-11 10:00
      by-restore  | 4              | book       | 2026-11-11 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "delivery_without_purchase",
      finds: """
        level | subject    | reason
        error | after      | refunded
        error | by-restore | refunded
        """)
  }

  @Test("a delivery before the books begin is not found")
  func beforeBooks() throws {
    let night = try TestNight()
    night.settings.booksBegin = "2026-11-10T00:00:00Z"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-01 10:00 | 2026-11-02 10:00
      """)
    try night.deliveries(
      """
      delivery_id  | transaction_id | product_id | occurred_at
      before       | 91             | book       | 2026-11-09 23:59:59
      at-begin     | 91             | book       | 2026-11-10 00:00:00
      old-refunded | 1              | book       | 2026-11-09 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("delivery_without_purchase", finds: "subject\nat-begin")
  }

  @Test("purchases and deliveries after as-of do not count")
  func asOf() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | grace_hours
      book       | 0
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-20 03:00:00
      2              | book       | 2026-11-20 03:00:01
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      known       | 1              | book       | 2026-11-20 03:00:00
      unknown     | 2              | book       | 2026-11-20 03:00:00
      later       | 91             | book       | 2026-11-20 03:00:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("delivery_without_purchase", finds: "subject\nunknown")
  }
}
