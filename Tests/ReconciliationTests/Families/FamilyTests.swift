import ReconciliationTestSupport
import Testing

@Suite("Families and their completed purchases")
struct FamilyTests {
  private static let members = """
    select transaction_id, is_completed_purchase as completed, family_key
    from member order by length(transaction_id), transaction_id
    """

  @Test("a product that is no subscription has one family per original and product")
  func nonSubscription() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | environment
      1              | 1                       | book       | 2026-11-01 10:00 | Production
      2              | 1                       | book       | 2026-11-02 10:00 | Production
      3              | 1                       | comic      | 2026-11-02 10:00 | Production
      4              | 1                       | book       | 2026-11-02 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: Self.members,
      gives: """
        transaction_id | completed | family_key
        1              | t         | o 1 book
        2              | f         | o 1 book
        3              | f         | o 1 comic
        4              | f         | o 1 book
        """)
    try night.expect(
      query: "select count(*) as families from family", gives: "families\n3")
  }

  @Test("a subscription has one family per line item; a transaction without one joins by date")
  func subscription() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | web_order_line_item_id
      10             | 10                      | news       | 2026-11-01 10:00    | 100
      11             | 10                      | news       | 2026-11-01 10:00    |
      12             | 10                      | news       | 2026-11-08 10:00    | 101
      13             | 10                      | news       | 2026-11-08 10:00:01 |
      14             | 10                      | news       | 2026-11-08 10:00:01 |
      15             | 10                      | news       | 2026-11-09 10:00    | 100
      16             | 20                      | news       | 2026-11-01 10:00    |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: Self.members,
      gives: """
        transaction_id | completed | family_key
        10             | t         | w 100
        11             | f         | w 100
        12             | t         | w 101
        13             | t         | d 10 news 2026-11-08T10:00:01Z
        14             | f         | d 10 news 2026-11-08T10:00:01Z
        15             | f         | w 100
        16             | t         | d 20 news 2026-11-01T10:00:00Z
        """)
  }

  @Test(
    "the completed purchase is its own original, or for subscriptions the earliest, then lowest")
  func completedPurchase() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      30             | 30                      | news       | 2026-11-05 10:00 | 300
      29             | 30                      | news       | 2026-11-01 10:00 | 300
      42             | 40                      | news       | 2026-11-01 10:00 | 400
      41             | 40                      | news       | 2026-11-05 10:00 | 400
      100            | 50                      | news       | 2026-11-01 10:00 | 500
      99             | 50                      | news       | 2026-11-01 10:00 | 500
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, family_key from member where is_completed_purchase
        order by length(transaction_id), transaction_id
        """,
      gives: """
        transaction_id | family_key
        30             | w 300
        42             | w 400
        99             | w 500
        """)
  }

  @Test("a restore that keeps its id is dated by its earliest purchase or original purchase date")
  func redatedRestore() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | type
      news       | auto_renewable
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | original_purchased_at | told_at
      1              | 1                       | book       | 2026-11-15 10:00 | 2026-11-01 10:00      | 2026-11-15 10:00
      2              | 2                       | book       | 2026-11-15 10:00 |                       | 2026-11-15 10:00
      2              | 2                       | book       | 2026-11-16 10:00 | 2026-11-02 10:00      | 2026-11-16 10:00
      4              | 3                       | book       | 2026-11-15 10:00 | 2026-11-01 10:00      | 2026-11-15 10:00
      4              | 3                       | book       | 2026-11-14 10:00 | 2026-11-01 10:00      | 2026-11-16 10:00
      5              | 5                       | news       | 2026-11-15 10:00 | 2026-11-01 10:00      | 2026-11-15 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, csv_instant(purchased_at) as purchased_at from member order by 1
        """,
      gives: """
        transaction_id | purchased_at
        1              | 2026-11-01T10:00:00Z
        2              | 2026-11-02T10:00:00Z
        4              | 2026-11-14T10:00:00Z
        5              | 2026-11-15T10:00:00Z
        """)
  }

  @Test("a family is refunded at its earliest refund, which alone can mark it as an upgrade")
  func refund() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | cancelled_at     | upgraded
      1              | 1                       | book       | 2026-11-01 10:00 | 2026-11-09 10:00 | yes
      2              | 1                       | book       | 2026-11-02 10:00 | 2026-11-08 10:00 |
      3              | 3                       | book       | 2026-11-01 10:00 | 2026-11-09 10:00 |
      4              | 3                       | book       | 2026-11-02 10:00 | 2026-11-08 10:00 | yes
      5              | 5                       | book       | 2026-11-02 10:00 |                  | yes
      6              | 6                       | book       | 2026-11-02 10:00 | 2026-11-20 03:00:01 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select original_transaction_id as original, csv_instant(refunded_at) as refunded_at, is_upgrade
        from family order by 1
        """,
      gives: """
        original | refunded_at          | is_upgrade
        1        | 2026-11-08T10:00:00Z | f
        3        | 2026-11-08T10:00:00Z | t
        5        |                      | f
        6        |                      | f
        """)
  }
}
