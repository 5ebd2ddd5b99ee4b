import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("Numbers of findings and purchases in an explanation")
struct FindingCountTests {
  private static func explain(_ name: String, in night: TestNight) throws -> Explanation {
    try Inquiry(about: name, database: night.database.connectionString).explanation
  }

  /// Anna has six purchases, among them one that is shared with ben and was delivered twice.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    night.settings.booksBegin = "2026-11-05T00:00:00Z"
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | account_id | price | currency
      1              | book       | 2026-11-10 10:00 |                  | anna       | 1.00  | USD
      1              | book       | 2026-11-10 10:00 |                  | ben        | 1.00  | USD
      2              | book       | 2026-11-10 11:00 | 2026-11-12 10:00 | anna       | 1.00  | USD
      3              | book       | 2026-11-10 12:00 |                  | anna       | 1.00  | USD
      4              | book       | 2026-11-10 13:00 | 2026-11-10 14:00 | anna       | 1.00  | USD
      5              | book       | 2026-11-19 20:00 |                  | anna       | 1.00  | USD
      6              | book       | 2026-11-01 10:00 |                  | anna       | 1.00  | USD
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | device_id | status
      D1          | 1              | book       | 2026-11-10 10:05 | anna       | phone     | delivered
      D2          | 1              | book       | 2026-11-10 10:06 | anna       | phone     | delivered
      D3          | 1              | book       | 2026-11-10 10:07 | anna       | tablet    | failed
      D4          | 2              | book       | 2026-11-10 11:05 | anna       | phone     | delivered
      D5          | 3              | book       | 2026-11-10 12:05 | anna       | phone     | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("the first sentence about a purchase ends with the findings that it is not about")
  func more() throws {
    let night = try Self.night()
    func sentence(_ name: String) throws -> String {
      try #require(try Self.explain(name, in: night).things.first?.sentence)
    }
    let first = try sentence("1")
    #expect(first.hasPrefix("Not finished on one device: tablet "), "\(first)")
    #expect(
      first.hasSuffix(" 2 more findings: info duplicate_delivery, info shared_purchase."),
      "\(first)")
    // The sentence about a missing delivery is about its finding.
    #expect(try !sentence("3").contains("finding"))
    #expect(try !sentence("2").contains("finding"))
  }

  @Test("findings are counted although the sentence is about none of them")
  func onlyInfos() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id | price | currency
      1              | book       | 2026-11-10 10:00 | anna       | 1.00  | USD
      1              | book       | 2026-11-10 10:00 | ben        | 1.00  | USD
      """)
    try night.deliver("1", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    let sentence = try #require(try Self.explain("1", in: night).things.first?.sentence)
    #expect(sentence.hasSuffix("(delivery D-1). 1 finding: info shared_purchase."), "\(sentence)")
    // The finding itself is what the sentence is about.
    let name = try #require(try night.table("findings.csv").records.first?["finding"])
    let asked = try #require(try Self.explain(name, in: night).things.first?.sentence)
    #expect(!asked.contains("1 finding") && !asked.contains("more finding"), "\(asked)")
  }

  @Test("an account has the numbers of its purchases and findings")
  func account() throws {
    let night = try Self.night()
    let account = try #require(try Self.explain("anna", in: night).account)
    #expect(
      account.words == """
        6 purchases: 2 delivered (1 of them refunded), 1 missing, 1 refunded and not delivered, 1 not due yet, \
        1 that owes no delivery. 4 findings: error missing_delivery, warning unfinished_delivery, \
        info duplicate_delivery, info shared_purchase.
        """)
    #expect(account.uncertain == 0)
    let ben = try #require(try Self.explain("ben", in: night).account)
    #expect(ben.purchases == 1 && ben.delivered == 1 && ben.deliveredAndRefunded == 0)
    // A transaction is no account.
    #expect(try Self.explain("1", in: night).account == nil)
  }
}
