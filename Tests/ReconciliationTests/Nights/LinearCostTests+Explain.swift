import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing

extension LinearCostTests {
  @Test("the work is linear in the number of deliveries after as-of to the periods of one chain")
  func later() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try Self.deliveries(
      1000, transaction: "(100000 + number)::text", original: "null", product: "book", database)
    try database.run(
      """
      update stored_delivery
      set occurred_at = '2026-11-21T00:00:00Z', line_item_number = line
      where account_id = 'guest'
      """, step: "later")
    #expect(try Self.rows(of: SQLFile.explainLaterDelivery.text, database) <= 10 * 1000)
  }
}
