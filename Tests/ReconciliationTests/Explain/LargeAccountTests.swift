import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining an account with many purchases")
struct LargeAccountTests {
  /// An account with 130 purchases on two devices, all delivered but the oldest.
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    var sales = "transaction_id | product_id | purchased_at | account_id | device_id"
    var log = "delivery_id | transaction_id | product_id | occurred_at | account_id"
    for number in 100..<230 {
      let at = "2026-11-\(10 + number / 50) 10:\(10 + number % 50)"
      for device in ["phone", "tablet"] {
        sales += "\n\(number) | book | \(at) | anna | \(device)"
      }
      if number > 100 { log += "\nd-\(number) | \(number) | book | \(at):30 | anna" }
    }
    sales += "\n300 | book | 2026-11-12 10:00 | ben |"
    log += "\nd-300 | 300 | book | 2026-11-12 10:05 | ben"
    try night.transactions(sales)
    try night.deliveries(log)
    try night.run(asOf: "2026-11-20 03:00")
    return night
  }

  @Test("the newest hundred transactions are shown, an older missing delivery first")
  func newest() throws {
    let night = try Self.night()
    func explain(_ name: String, as kind: Explanation.NameKind? = nil) throws -> Explanation {
      try Inquiry(about: name, as: kind, database: night.database.connectionString).explanation
    }
    for explanation in [try explain("anna"), try explain("phone", as: .device)] {
      #expect(explanation.things.count == 101)
      #expect(explanation.things.first?.cause == "never_attempted")
      #expect(explanation.things.first?.members.map(\.transactionId) == ["100"])
      #expect(
        explanation.things.dropFirst().first?.members.map(\.transactionId) == ["130"])
      let shown = try #require(explanation.shown)
      #expect(shown.transactions == 130 && shown.shownTransactions == 101)
    }
    #expect(try explain("anna").shown?.deliveries == 129)
    #expect(try explain("anna").shown?.shownDeliveries == 100)
    #expect(try explain("ben").shown == nil)
    #expect(try explain("150").shown == nil)
  }
}
