import ReconciliationTestSupport
import Testing

@Suite("Restores that only apps claim")
struct ClaimedRestoreTests {
  private static let members = """
    select transaction_id, family_key, place, disposition, product_state, quantity, is_claimed
    from member order by environment, length(transaction_id), transaction_id
    """

  @Test("a claimed restore of a known original joins its family, whatever its date")
  func joins() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook | non_consumable\nnews | auto_renewable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | quantity | price | currency | web_order_line_item_id | family_shared
      1              | book       | 2026-11-05 10:00 | 3        | 9     | USD      |                        |
      2              | news       | 2026-11-05 10:00 |          |       |          | 77                     |
      3              | book       | 2026-11-05 10:00 |          |       |          |                        | yes
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date
      11             | 1                       | book       | restored | 2026-11-06 10:00
      12             | 1                       | book       | restored | 2026-11-04 10:00
      21             | 2                       | news       | restored | 2026-11-06 10:00
      31             | 3                       | book       | restored | 2026-11-06 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: Self.members,
      gives: """
        transaction_id | family_key | place | disposition   | product_state | quantity | is_claimed
        1              | o 1 book   | 1     | purchase      | valid         | 3        | f
        2              | w 77       | 1     | purchase      | valid         | 1        | f
        3              | o 3 book   | 1     | family_shared | valid         | 1        | f
        11             | o 1 book   | 3     | restored      | valid         | 1        | t
        12             | o 1 book   | 2     | restored      | valid         | 1        | t
        21             | w 77       | 2     | restored      | valid         | 1        | t
        31             | o 3 book   | 2     | family_shared | valid         | 1        | t
        """)
    let units = try night.table("revenue.csv").columns(["product_id", "units_sold", "gross"]).text
    #expect(
      units
        == "product_id | units_sold | gross\nbook       | 3          | 9.00\nnews       | 1          |"
    )
  }

  @Test(
    "claims without a known original, with another product or with a known id are ignored"
  )
  func ignored() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at        | environment
      1              | 1                       | book       | 2026-11-05 10:00    | Production
      2              | 1                       | book       | 2026-11-06 10:00    | Production
      4              | 3                       | book       | 2026-11-06 10:00    | Production
      5              | 5                       | book       | 2026-11-20 03:00:01 | Production
      6              | 6                       | book       | 2026-11-05 10:00    | Sandbox
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state     | transaction_date    | environment
      10             |                         | book       | restored  | 2026-11-07 10:00    |
      1              | 1                       | book       | restored  | 2026-11-07 10:00    |
      2              | 1                       | book       | restored  | 2026-11-07 10:00    |
      11             | 1                       | other      | restored  | 2026-11-07 10:00    |
      12             | 1                       | book       | restored  | 2026-11-20 03:00:01 |
      13             | 1                       | book       | purchased | 2026-11-07 10:00    |
      14             | 3                       | book       | restored  | 2026-11-07 10:00    |
      15             | 5                       | book       | restored  | 2026-11-07 10:00    |
      16             | 6                       | book       | restored  | 2026-11-07 10:00    | Production
      17             | 11                      | book       | restored  | 2026-11-07 10:00    |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(query: "select count(*) from member where is_claimed", gives: "count\n0")
  }

  @Test("a claim without an environment is in the environment of its original")
  func environments() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-05 10:00 | Sandbox
      2              | book       | 2026-11-05 10:00 | Sandbox
      2              | book       | 2026-11-05 10:00 | Production
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date | environment
      11             | 1                       | book       | restored | 2026-11-07 10:00 |
      12             | 2                       | book       | restored | 2026-11-07 10:00 |
      13             | 2                       | book       | restored | 2026-11-07 10:00 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, environment, disposition from member where is_claimed
        order by transaction_id
        """,
      gives: """
        transaction_id | environment | disposition
        11             | Sandbox     | other_environment
        12             | Production  | restored
        13             | Sandbox     | other_environment
        """)
  }

  @Test("several claims of a restore are one, dated by the earliest, with all accounts and devices")
  func severalClaims() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-05 10:00
      2              | book       | 2026-11-05 10:00
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date | account_id | device_id
      11             | 9                       | book       | restored | 2026-11-06 10:00 | never      | never
      11             | 2                       | book       | restored | 2026-11-07 10:00 | u2         | d2
      11             | 1                       | book       | restored | 2026-11-07 10:00 | u1         | d1
      11             | 1                       | book       | restored | 2026-11-08 10:00 | u1         |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select family_key, csv_instant(purchased_at) as purchased_at,
            (select string_agg(distinct name, ' ' order by name) from unnest(account_ids) as name)
                as accounts,
            (select string_agg(distinct name, ' ' order by name) from unnest(device_ids) as name)
                as devices
        from member where is_claimed
        """,
      gives: """
        family_key | purchased_at         | accounts | devices
        o 1 book   | 2026-11-07T10:00:00Z | u1 u2    | d1 d2
        """)
    try night.expect("shared_purchase", finds: "subject\nu1 u2")
  }

  @Test("a claim's product state follows from its date and from the date of its original")
  func productState() throws {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id | valid_from       | valid_to
      gone       |                  | 2026-11-06 00:00
      new        | 2026-11-04 00:00 |
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | gone       | 2026-11-05 10:00
      2              | gone       | 2026-11-06 00:00
      3              | new        | 2026-11-05 10:00
      4              | lost       | 2026-11-05 10:00
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date
      11             | 1                       | gone       | restored | 2026-11-08 10:00
      12             | 2                       | gone       | restored | 2026-11-08 10:00
      13             | 3                       | new        | restored | 2026-11-03 10:00
      14             | 4                       | lost       | restored | 2026-11-08 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: """
        select transaction_id, product_state from member where is_claimed order by transaction_id
        """,
      gives: """
        transaction_id | product_state
        11             | valid
        12             | expired
        13             | not_yet_valid
        14             | unknown
        """)
  }

  @Test("claimed restores and their devices count, also after their receipts arrive")
  func duplicateRestore() throws {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-05 10:00
      2              | two        | 2026-11-05 10:00
      """)
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date | device_id
      11             | 1                       | book       | restored | 2026-11-08 10:00 | a
      12             | 1                       | book       | restored | 2026-11-09 10:00 | a
      21             | 2                       | two        | restored | 2026-11-08 10:00 | a
      22             | 2                       | two        | restored | 2026-11-09 10:00 | b
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      report: "duplicate_restores.csv",
      shows: """
        original_transaction_id | surplus_transactions | devices | restored_transaction_ids
        1                       | 1                    | 1       | 11 12
        """)
    // Receipts that name no device remove no device of the claims.
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      21             | 2                       | two        | 2026-11-08 10:00
      22             | 2                       | two        | 2026-11-09 10:00
      """)
    try night.run(asOf: "2026-11-21 03:00")
    try night.expect("duplicate_restore", finds: "subject\n1 book")
  }

  @Test("a delivery for a claimed restore belongs to its family")
  func delivery() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-05 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      11             | book       | 2026-11-06 10:01
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("delivery_without_purchase", finds: "reason\nunknown_transaction")
    try night.clientLog(
      """
      transaction_id | original_transaction_id | product_id | state    | transaction_date
      11             | 1                       | book       | restored | 2026-11-06 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect("delivery_without_purchase", finds: "reason")
    try night.expect("missing_delivery", finds: "reason")
  }
}
