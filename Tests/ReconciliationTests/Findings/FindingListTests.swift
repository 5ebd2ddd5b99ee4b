import Configuration
import Findings
import ReconciliationTestSupport
import Testing

@Suite("The list of findings")
struct FindingListTests {
  /// Findings of nearly every kind of subject, over two nights.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery
      book       |                | server
      a b        |                | server
      coin       | consumable     | built_in
      paper      | auto_renewable | built_in
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | web_order_line_item_id
      1              | 1                       | book       | 2026-11-10 10:00 |            |
      2              | 2                       | a b        | 2026-11-10 10:00 |            |
      4              | 3                       | coin       | 2026-11-11 10:00 |            |
      5              | 5                       | bok        | 2026-11-11 10:00 |            |
      6              | 6                       | paper      | 2026-11-11 10:00 | u1         | 60
      6              | 6                       | paper      | 2026-11-11 10:00 | u2         | 60
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      lost one    | 77             | book       | 2026-11-12 10:00 | delivered
      L1          | 78             | book       | 2026-11-10 12:00 | failed
      L2          | 78             | book       | 2026-11-19 12:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n8 | book | 2026-11-19 10:00")
    try night.run(asOf: "2026-11-22 03:00")
    return night.removedAtExit()
  }

  private func subjects(
    _ night: TestNight, _ change: (inout FindingList.Filter) -> Void = { _ in }
  ) throws -> [String] {
    var filter = FindingList.Filter()
    change(&filter)
    let list = FindingList(database: night.database.connectionString)
    return try list.rows(filter).rows.map { "\($0.level) \($0.ageDays) \($0.rule) \($0.subject)" }
  }

  @Test("the list is sorted by level and age; each filter selects its part")
  func filters() throws {
    let night = try Self.night()
    let all = try subjects(night)
    #expect(
      all == [
        "error 2 delivery_without_purchase lost one", "error 2 invalid_product_id bok unknown",
        "error 2 missing_delivery 1 book", "error 2 missing_delivery 2 a b",
        "error 0 missing_delivery 8 book", "warning 2 unpriced_product a b",
        "warning 2 unpriced_product bok", "warning 2 unpriced_product book",
        "warning 2 unpriced_product paper", "warning 2 unrestorable_restore 4",
        "info 2 missing_original 3 coin", "info 2 shared_purchase u1 u2",
      ])
    #expect(
      try subjects(night) { $0.rules = ["missing_original", "shared_purchase"] }
        == Array(all.suffix(2)))
    #expect(try subjects(night) { $0.levels = ["warning", "info"] } == Array(all.suffix(7)))
    #expect(try subjects(night) { $0.olderThanDays = 1 } == all.filter { !$0.contains(" 0 ") })
    #expect(try subjects(night) { $0.olderThanDays = 2 } == [])
    #expect(try subjects(night) { $0.limit = 3 } == Array(all.prefix(3)))
    #expect(try subjects(night) { $0.statuses = ["resolved"] } == [])
    var filter = FindingList.Filter()
    filter.limit = 3
    let list = FindingList(database: night.database.connectionString)
    #expect(try list.rows(filter).all == 12)
  }

  @Test(
    "a product filter finds every finding whose subject is about the product",
    arguments: [
      (
        "book",
        [
          "delivery_without_purchase lost one", "missing_delivery 1 book",
          "missing_delivery 8 book", "unpriced_product book",
        ]
      ),
      ("a b", ["missing_delivery 2 a b", "unpriced_product a b"]),
      ("bok", ["invalid_product_id bok unknown", "unpriced_product bok"]),
      ("coin", ["unrestorable_restore 4", "missing_original 3 coin"]),
      ("paper", ["unpriced_product paper", "shared_purchase u1 u2"]), ("boo", []), ("b", []),
      ("a%", []), ("'", []),
    ])
  func products(product: String, expected: [String]) throws {
    let night = try Self.night()
    #expect(
      try subjects(night) { $0.products = [product] }
        .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == expected)
  }

  @Test("a finding about a transaction is also about a product that was delivered for it instead")
  func deliveredInstead() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type       | delivery
      coin       | consumable | server
      tea        | consumable | server
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      4              | 3                       | coin       | 2026-11-11 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      T1          | 4              | tea        | 2026-11-11 10:05 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let found = "warning 0 unrestorable_restore 4"
    for product in ["coin", "tea"] {
      #expect(try subjects(night) { $0.products = [product] }.contains(found), "\(product)")
    }
    #expect(try !subjects(night) { $0.products = ["te"] }.contains(found))
  }

  @Test(
    "a finding about a shared purchase is about the whole name of its product",
    arguments: ["non_consumable", "auto_renewable"])
  func sharedProduct(type: String) throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      "product_id | type | delivery\ngold pack | \(type) | built_in\ngold | \(type) | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      6              | gold pack  | 2026-11-11 10:00 | u1
      6              | gold pack  | 2026-11-11 10:00 | u2
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let found = "info 0 shared_purchase u1 u2"
    #expect(try subjects(night) { $0.products = ["gold pack"] }.contains(found))
    #expect(try !subjects(night) { $0.products = ["gold"] }.contains(found))
  }

  @Test("an acknowledged finding shows who, when, until when and why; resolved ones need a filter")
  func lives() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    _ = try night.acts().acknowledge(
      [try night.name(of: "1 book")], because: "known", until: "9999-12-31")
    try night.deliver("2", at: "2026-11-20 10:00")
    try night.run(asOf: "2026-11-21 03:00")
    let list = FindingList(database: night.database.connectionString)
    let rows = try list.rows(FindingList.Filter()).rows
    #expect(rows.map(\.status) == ["acknowledged"])
    let acknowledgement = try #require(rows.first?.acknowledgement)
    #expect(acknowledgement.by == "anna" && acknowledgement.because == "known")
    #expect(acknowledgement.until == "9999-12-31")
    #expect(acknowledgement.at.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    let resolved = try subjects(night) { $0.statuses = ["resolved"] }
    #expect(resolved == ["error 1 missing_delivery 2 book"])
  }

  @Test("a subject contains the reason if the key does, not if an identifier ends like it")
  func reasons() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook failed")
    try night.transactions(
      """
      transaction_id | product_id  | purchased_at
      1              | book failed | 2026-11-10 10:00
      2              | bok         | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id  | occurred_at      | status
      1              | book failed | 2026-11-10 11:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    var filter = FindingList.Filter()
    filter.rules = ["invalid_product_id", "missing_delivery"]
    let rows = try FindingList(database: night.database.connectionString).rows(filter).rows
    #expect(rows.map(\.subject) == ["bok unknown", "1 book failed"])
    #expect(rows.map(\.reason) == ["unknown", "failed"])
    #expect(rows.map(\.isReasonInSubject) == [true, false])
  }

  @Test("an empty database has no findings")
  func empty() throws {
    let night = try TestNight()
    #expect(try subjects(night) == [])
  }
}
