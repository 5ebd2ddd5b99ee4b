import Configuration
import ReconciliationTestSupport
import Testing

extension ResolvingCauseTests {
  static let purchase = """
    transaction_id | product_id | purchased_at
    1              | book       | 2026-11-10 10:00
    """

  static let missingBook = Scene("a missing book") {
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
  static let failedRestore = Scene("a failed restore") {
    try missingBook($0)
    try $0.deliver("1", at: "2026-11-10 10:05")
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | device_id
      E1          | 1              | book       | 2026-11-12 10:05 | failed | phone
      """)
  }

  /// A subscription that is delivered once, of which the first period was refunded and the second is owed.
  static let refundedPeriod = Scene("a refunded period") {
    try $0.catalogue("product_id | type\na b | auto_renewable")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
      7              | 7                       | a b        | 2026-11-10 10:00 | 97                     | 2026-11-11 10:00
      71             | 7                       | a b        | 2026-11-12 10:00 | 971                    |
      """)
  }

  /// One purchase, of which Apple reports two units.
  static let soldOnce = Scene("a unit that only Apple reports") {
    try $0.catalogue("product_id | delivery\ncoin | built_in")
    try $0.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      """)
    try reported($0, 2, at: "apple/10.txt")
  }

  static func reported(_ night: TestNight, _ units: Int, at path: String) throws {
    try night.put(
      AppleReports.sales("11/10/2026", ["coin US \(units) 0.70 USD 0.99 USD"]), at: path)
  }

  /// A purchase and three restores of it, without devices.
  static let restoredThrice = Scene("three restores") {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-10 10:00
      2              | 1                       | book       | 2026-11-11 10:00
      3              | 1                       | book       | 2026-11-12 10:00
      4              | 1                       | book       | 2026-11-13 10:00
      """)
    try $0.deliver("1", at: "2026-11-10 10:05")
  }

  /// A purchase with two restores, one of them by another account.
  static let restoredTwice = Scene("two restores") {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | told_at          | account_id
      1              | 1                       | book       | 2026-11-10 10:00 | 2026-11-15 10:00 | ann
      2              | 1                       | book       | 2026-11-11 10:00 | 2026-11-15 10:00 | ben
      3              | 1                       | book       | 2026-11-12 10:00 | 2026-11-15 10:00 | ann
      """)
    try $0.deliver("1", at: "2026-11-10 10:05")
  }

  /// An older receipt, whose values count, says that a transaction restores another purchase.
  static let otherOriginal: @Sendable (TestNight) throws -> Void = {
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | told_at
      2              | 9                       | book       | 2026-11-11 10:00 | 2026-11-14 10:00
      """)
  }

  static let restoredLongAgo = Scene("three restores, and a restore window of a week") {
    $0.settings.restoreWindowDays = 7
    try restoredThrice($0)
  }

  /// A delivery without a purchase.
  static let deliveredBook = Scene("a delivered book") {
    try $0.catalogue("product_id\nbook")
    try $0.deliver("1", at: "2026-11-10 10:05")
  }

  /// Two records of one delivery that differ, and two deliveries to one device.
  static let wrongRecords = Scene("wrong records") {
    try $0.catalogue("product_id\nbook")
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id
      A           | 1              | book       | 2026-11-10 10:00 | phone
      A           | 1              | book       | 2026-11-10 10:00 | tablet
      B           | 2              | book       | 2026-11-10 10:00 | phone
      C           | 2              | book       | 2026-11-10 10:00 | phone
      """)
  }

  /// The right records, and something new about the product.
  static let correctedWithCatalogue: @Sendable (TestNight) throws -> Void = {
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id | revision
      A           | 1              | book       | 2026-11-10 10:00 | phone     | 1
      C           | 2              | book       | 2026-11-10 10:00 | tablet    | 1
      """)
    try $0.catalogue("product_id | grace_hours\nbook | 48")
  }

  /// A sale of October whose price nobody knows.
  static let unpricedCoin = Scene("a sale without a price") {
    try $0.catalogue("product_id | delivery\ncoin | built_in")
    try $0.transactions(
      "transaction_id | product_id | purchased_at\n1 | coin | 2026-10-10 10:00")
  }

  @Test("a catalogue entry of another product, of which the purchase has an attempt, is no cause")
  func anotherProduct() throws {
    let night = try TestNight.withOpenBooks()
    try Self.missingBook(night)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      F           | 1              | video      | 2026-11-10 10:04 | failed
      K           | 100            | book       | 2026-11-10 10:05 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.catalogue("product_id\nvideo")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      100            | 1                       | book       | 2026-11-12 10:00
      """)
    try night.run(asOf: "2026-11-21 03:00")
    let changes = try night.table("changes.csv").rows(where: "rule", is: "missing_delivery")
    #expect(
      changes.columns(["change", "cause", "record"]).rows
        == [["resolved", "evidence_arrived", "transaction 100"]], "\(changes.text)")
  }

  @Test("a line without a line end is the cause only for a finding about what it named")
  func lineReplaced() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\nbook | server\ncoin | built_in")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | coin | 2026-09-10 10:00")
    let log =
      "occurred_at,transaction_id,product_id,status,delivery_id\n"
      + "2026-10-20T10:00:00Z,9,book,delivered,d1"
    try night.put(log, at: "deliveries/log.csv")
    try night.run(asOf: "2026-10-31 03:00")
    try night.put(log + "2\n", at: "deliveries/log.csv")
    try night.run(asOf: "2026-11-01 03:00")
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "subject", "cause", "file", "line"]).rows == [
        ["delivery_without_purchase", "d1", "line_replaced", "deliveries/log.csv", "2"],
        ["unpriced_product", "coin", "window_ended", "", ""],
      ], "\(changes.text)")
  }
}
