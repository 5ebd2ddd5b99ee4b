import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining purchases whose delivery records were rejected") struct RejectedRecordTests {
  private static let header = "delivery_id,transaction_id,product_id,status,occurred_at\n"

  private static func status(
    _ name: String, in night: TestNight
  ) throws -> DeliveryStatusInquiry.Answer {
    let answers = try DeliveryStatusInquiry(
      about: [name], database: night.database.connectionString
    ).answers
    return try #require(answers.first)
  }

  @Test("a truncated record is no reason any more when its file has grown")
  func truncated() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      10             | book       | 2026-11-10 09:00
      101            | book       | 2026-11-10 09:00
      """)
    let first = Self.header + "D-1,9,book,delivered,2026-11-10T09:01:00Z\n"
    try night.put(first + "D-2,10", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    func rejections() throws -> [String] {
      try Inquiry(about: "10", database: night.database.connectionString)
        .explanation.rejections.map(\.reason)
    }
    #expect(try rejections() == ["truncated"])
    let before = try Self.status("10", in: night)
    #expect(before.consumptionRequest == nil)
    #expect(before.because.contains(" was rejected (deliveries/a.csv:3): "), "\(before.because)")

    try night.put(
      first + "D-2,101,book,delivered,2026-11-10T09:01:00Z\n", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try rejections() == [])
    #expect(
      try Self.status("10", in: night).consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
    #expect(try Self.status("101", in: night).consumptionRequest?.deliveryStatus == "DELIVERED")
  }
}
