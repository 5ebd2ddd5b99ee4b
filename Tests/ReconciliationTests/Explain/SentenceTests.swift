import Explain
import ReconciliationTestSupport
import Testing

@Suite("Sentences of an explanation") struct SentenceTests {
  private static func sentence(_ name: String, in night: TestNight) throws -> String {
    let things = try Inquiry(about: name, database: night.database.connectionString)
      .explanation.things
    return try #require(things.first?.sentence)
  }

  @Test("a family without its purchase was restored, not bought")
  func restored() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      2              | 1                       | book       | 2026-11-10 10:00
      """)
    try night.deliver("2", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.sentence("2", in: night)
        == "Restored on 2026-11-10T10:00:00Z and delivered on 2026-11-10T10:05:00Z (delivery D-2).")
  }
}
