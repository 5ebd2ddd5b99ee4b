import ReconciliationTestSupport

extension ResolvingCauseTests {
  static let purchase = """
    transaction_id | product_id | purchased_at
    1              | book       | 2026-11-10 10:00
    """

  static let missingBook: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(purchase)
  }

  static let refund: @Sendable (TestNight) throws -> Void = {
    try $0.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-10 10:00 | 2026-11-20 11:00
      """)
  }

  /// The purchase was delivered; a restore on another device failed.
  static let failedRestore: @Sendable (TestNight) throws -> Void = {
    try missingBook($0)
    try $0.deliver("1", at: "2026-11-10 10:05")
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | device_id
      E1          | 1              | book       | 2026-11-12 10:05 | failed | phone
      """)
  }

  /// A subscription that is delivered once, of which the first period was refunded and the second is owed.
  static let refundedPeriod: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id | type\na b | auto_renewable")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
      7              | 7                       | a b        | 2026-11-10 10:00 | 97                     | 2026-11-11 10:00
      71             | 7                       | a b        | 2026-11-12 10:00 | 971                    |
      """)
  }
}
