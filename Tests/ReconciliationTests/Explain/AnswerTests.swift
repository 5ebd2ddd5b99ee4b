import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("First answers of an explanation") struct AnswerTests {
  private static func things(_ name: String, in night: TestNight) throws -> [Explanation.Thing] {
    try Inquiry(about: name, database: night.database.connectionString).explanation.things
  }

  private static func sentence(_ name: String, in night: TestNight) throws -> String {
    try #require(try things(name, in: night).first?.sentence)
  }

  @Test("a delivery before the purchase is named only if none came afterwards")
  func early() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      D1          | 1              | book       | 2026-11-09 10:05 | ben
      D2          | 1              | book       | 2026-11-10 10:05 | carl
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let account = ", to account carl, not anna, which bought it"
    let sentence = try Self.sentence("1", in: night)
    #expect(
      sentence.hasPrefix(
        "Bought on 2026-11-10T10:00:00Z and delivered on 2026-11-10T10:05:00Z (delivery D2)\(account)."
      ), "\(sentence)")
    let answers = try DeliveryStatusInquiry(
      about: ["1"], database: night.database.connectionString
    ).answers
    #expect(answers.map(\.because) == ["it was delivered (delivery D2)\(account)"])
  }
}
