import Explain
import ReconciliationTestSupport
import Testing

@Suite("Spellings of a name that is explained")
struct NameSpellingTests {
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      2              | book       | 2026-11-10 10:00 | =eq
      3              | book       | 2026-11-10 10:00 | anna
      5              | book       | 2026-11-10 10:00 | +5
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("spaces around a name and the apostrophe of reports are left out if nothing else is known")
  func spellings() throws {
    let night = try Self.night()
    let database = night.database.connectionString
    for (name, known) in [
      (" anna", "anna"), ("anna \t", "anna"), ("'=eq", "=eq"), ("\u{20}'+5 ", "+5"), ("=eq", "=eq"),
    ] {
      let explanation = try Inquiry(about: name, database: database).explanation
      #expect(explanation.name == known, "\(name)")
      #expect(explanation.things.count == 1, "\(name)")
    }
    for name in ["'anna", "an na", "'", "' ", "'="] {
      #expect(try Inquiry(about: name, database: database).explanation.isEmpty, "\(name)")
    }
    let answers = try DeliveryStatusInquiry(about: [" 2", "3", "99 "], database: database).answers
    #expect(answers.map(\.transactionId) == ["2", "3", "99 "])
    #expect(answers.map(\.isKnown) == [true, true, false])
    withExtendedLifetime(night) {}
  }

  @Test("another spelling is looked up only if the name itself is unknown")
  func others() throws {
    let night = try Self.night()
    let database = night.database.connectionString
    let unknown = try Inquiry(about: "file", or: ["anna", "=eq"], database: database)
    #expect(unknown.explanation.name == "anna")
    let known = try Inquiry(about: "=eq", or: ["anna"], database: database)
    #expect(known.explanation.name == "=eq")
    withExtendedLifetime(night) {}
  }
}
