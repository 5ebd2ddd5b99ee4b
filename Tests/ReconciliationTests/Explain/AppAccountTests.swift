import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining an account or device that only apps name")
struct AppAccountTests {
  @Test("it is found by what its payment queue says, also about a known purchase")
  func found() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      """)
    try night.deliveries(
      "transaction_id | product_id | occurred_at | account_id\n1 | book | 2026-11-10 10:05 | anna")
    try night.clientLog(
      """
      product_id | state     | transaction_date | transaction_id | original_transaction_id | account_id | device_id
      book       | purchased | 2026-11-10 12:00 | 7              |                         | carl       | phone
      book       | restored  | 2026-11-12 10:00 | 1              | 1                       | dora       | tablet
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func things(_ name: String, as kind: Explanation.NameKind? = nil) throws -> [[String]] {
      try Inquiry(about: name, as: kind, database: night.database.connectionString)
        .explanation.things.map { [$0.namedAs, $0.cause] }
    }
    #expect(try things("carl") == [["account", "purchase_without_receipt"]])
    #expect(try things("dora") == [["account", "delivered"]])
    #expect(try things("phone", as: .device) == [["device", "purchase_without_receipt"]])
    #expect(try things("tablet", as: .device) == [["device", "delivered"]])
    #expect(try things("eric").isEmpty)
  }
}
