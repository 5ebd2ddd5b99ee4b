import Explain
import ReconciliationTestSupport
import Testing

@Suite("The words about possible matches")
struct MatchWordsTests {
  private static func matches(_ name: String, in night: TestNight) throws -> [String: String] {
    let things = try Inquiry(about: name, database: night.database.connectionString)
      .explanation.things
    let misses = things.first?.possibleMatches ?? []
    return Dictionary(misses.map { ($0.deliveryId, $0.words) }, uniquingKeysWith: { one, _ in one })
  }

  @Test("a delivery that already serves another purchase, or was made before, says so")
  func served() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\ncoins | consumable\nbook |\nmonthly | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | web_order_line_item_id
      1              |                         | coins      | 2026-11-10 09:00 | anna       |
      2              |                         | coins      | 2026-11-10 10:00 | anna       |
      3              |                         | book       | 2026-11-10 09:00 | anna       |
      4              |                         | monthly    | 2026-10-10 10:00 | carl       | 94
      5              |                         | monthly    | 2026-11-10 10:00 | carl       | 95
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | web_order_line_item_id
      D1          | 1              | coins      | 2026-11-10 09:05 | anna       |
      D3          | 3              | coins      | 2026-11-10 10:30 | anna       |
      D8          | 8              | coins      | 2026-11-10 09:30 | anna       |
      D4          | 9004           | monthly    | 2026-11-10 10:30 | carl       | 94
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let coins = try Self.matches("2", in: night)
    #expect(
      coins["D1"]
        == "the same product to the same account, but it already serves another purchase, "
        + "transaction 1 (weaker); it was made before this purchase")
    #expect(
      coins["D3"] == "the same product to the same account, but with transaction 3, a purchase of "
        + "another product (weaker)")
    #expect(
      coins["D8"] == "the right product to the same account, but with transaction 8, which no "
        + "evidence contains; it was made before this purchase")
    #expect(
      try Self.matches("5", in: night)["D4"]
        == "the right product to the same account, but with transaction 9004, which no evidence "
        + "contains; by its line item it already serves another purchase, transaction 4 (weaker)")
  }
}
