import NightRun
import ReconciliationTestSupport
import Testing

@Suite("A transaction is merged from all its evidence")
struct MergedEvidenceTests {
  @Test("the value of the oldest evidence is used")
  func oldest() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | quantity | purchased_at     | told_at          | expires_at       | web_order_line_item_id | price | currency
      5              | 5                       | young      | 9        | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-12-01 10:00 | 50                     | 1.00  | EUR
      5              | 4                       | old        | 12       | 2026-11-01 10:00 | 2026-11-02 10:00 | 2026-12-05 10:00 | 60                     | 2.00  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select original_transaction_id, product_id, quantity, csv_instant(expires_at) as expires_at,
            web_order_line_item_id, price, currency
        from store_transaction
        """,
      gives: """
        original_transaction_id | product_id | quantity | expires_at           | web_order_line_item_id | price | currency
        4                       | old        | 12       | 2026-12-05T10:00:00Z | 60                     | 2.00  | USD
        """)
  }

  @Test("of equally old evidence the smaller value is used; ids are compared as numbers")
  func ties() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | quantity | purchased_at     | told_at          | expires_at       | web_order_line_item_id
      5              | 10                      | a          | 10       | 2026-11-01 10:00 | 2026-11-02 10:00 | 2026-12-01 10:00 | 100
      5              | 9                       | b          | 9        | 2026-11-01 10:00 | 2026-11-02 10:00 | 2026-12-05 10:00 | 99
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select original_transaction_id, product_id, quantity, csv_instant(expires_at) as expires_at,
            web_order_line_item_id
        from store_transaction
        """,
      gives: """
        original_transaction_id | product_id | quantity | expires_at           | web_order_line_item_id
        9                       | a          | 9        | 2026-12-01T10:00:00Z | 99
        """)
  }

  @Test(
    "a value that the oldest evidence lacks comes from the next oldest; a line item 0 is lacking")
  func missing() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at          | quantity | web_order_line_item_id | price | currency | storefront
      5              | book       | 2026-11-01 10:00 | 2026-11-02 10:00 |          | 0                      |       |          | USA
      5              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 3        | 70                     | 4.00  | USD      | DEU
      5              | book       | 2026-11-01 10:00 | 2026-11-04 10:00 | 3        | 60                     | 3.00  | USD      |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query:
        "select quantity, web_order_line_item_id, price, currency, storefront from store_transaction",
      gives: """
        quantity | web_order_line_item_id | price | currency | storefront
        3        | 70                     | 4.00  | USD      | DEU
        """)
  }

  @Test("a flag is set if any evidence sets it")
  func flags() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at          | trial | introductory | promotional | family_shared | upgraded
      5              | news       | 2026-11-01 10:00 | 2026-11-02 10:00 |       |              |             |               |
      5              | news       | 2026-11-01 10:00 | 2026-11-03 10:00 | yes   |              |             |               |
      5              | news       | 2026-11-01 10:00 | 2026-11-04 10:00 |       | yes          |             |               |
      5              | news       | 2026-11-01 10:00 | 2026-11-05 10:00 |       |              | yes         |               |
      5              | news       | 2026-11-01 10:00 | 2026-11-06 10:00 |       |              |             | yes           |
      5              | news       | 2026-11-01 10:00 | 2026-11-07 10:00 |       |              |             |               | yes
      6              | news       | 2026-11-01 10:00 | 2026-11-02 10:00 |       |              |             |               |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, is_trial, is_introductory_offer, is_promotional_offer,
            is_family_shared, is_upgraded
        from store_transaction order by 1
        """,
      gives: """
        transaction_id | is_trial | is_introductory_offer | is_promotional_offer | is_family_shared | is_upgraded
        5              | t        | t                     | t                    | t                | t
        6              | f        | f                     | f                    | f                | f
        """)
  }

  @Test("the earliest cancellation is used, whatever later receipts contain")
  func cancellation() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at          | cancelled_at
      5              | book       | 2026-11-01 10:00 | 2026-11-05 10:00 | 2026-11-04 10:00
      5              | book       | 2026-11-01 10:00 | 2026-11-06 10:00 | 2026-11-03 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at          | cancelled_at
      5              | book       | 2026-11-01 10:00 | 2026-11-02 10:00 |
      5              | book       | 2026-11-01 10:00 | 2026-11-21 10:00 |
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      query: "select csv_instant(cancelled_at) as cancelled_at from store_transaction",
      gives: "cancelled_at\n2026-11-03T10:00:00Z")
  }

  @Test(
    "the order, the nights and the repetition of evidence do not matter",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0, 1]])
  func order(of parts: [Int]) throws {
    let header = """
      transaction_id | original_transaction_id | product_id | purchased_at     | told_at          | cancelled_at     | price | currency | account_id | device_id
      """
    let rows = [
      "5 | 4 | book  | 2026-11-03 10:00 | 2026-11-04 10:00 |                  | 1 | USD | a | x",
      "5 | 4 | comic | 2026-11-01 10:00 | 2026-11-05 10:00 | 2026-11-09 10:00 | 2 | USD | b | y",
      "5 | 3 | book  | 2026-11-02 10:00 | 2026-11-05 10:00 | 2026-11-08 10:00 |   |     | a | z",
    ]
    let night = try TestNight()
    for part in parts {
      try night.transactions(header + "\n" + rows[part])
      try night.run(asOf: "2026-11-20 03:00")
    }
    try night.expect(
      query: """
        select original_transaction_id as original, product_id,
            csv_instant(first_purchased_at) as bought, csv_instant(cancelled_at) as cancelled, price,
            account_ids, device_ids, is_conflicting,
            (select count(*) from evidence) as statements
        from store_transaction
        """,
      gives: """
        original | product_id | bought               | cancelled            | price | account_ids | device_ids | is_conflicting | statements
        4        | book       | 2026-11-01T10:00:00Z | 2026-11-08T10:00:00Z | 1     | {a,b}       | {x,y,z}    | t              | 3
        """)
  }

  @Test("a refreshed receipt without new data adds no evidence and no transaction")
  func refreshed() throws {
    let night = try TestNight()
    for day in 2...6 {
      try night.transactions(
        """
        transaction_id | product_id | purchased_at     | told_at
        5              | book       | 2026-11-01 10:00 | 2026-11-0\(day) 10:00
        """)
    }
    let summary = try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: "select count(*) as statements, csv_instant(min(evidence_at)) as oldest from evidence",
      gives: "statements | oldest\n1 | 2026-11-02T10:00:00Z")
    let line = try #require(summary.lines.first { $0.kind == "transactions" })
    #expect([line.read, line.new, line.alreadyKnown, line.rejected] == [5, 1, 4, 0])
  }
}
