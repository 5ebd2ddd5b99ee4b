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
      4              | book       | 2026-11-10 10:00 | a "b", c
      5              | book       | 2026-11-10 10:00 | +5
      6              | book       | 2026-11-10 10:00 | ben
      7              | book       | 2026-11-10 10:00 | 'ben
      8              | book       | 2026-11-10 10:00 | a\u{200c}b
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      "D9","3","book","strange",2026-11-10T10:05:00Z

      """, at: "deliveries/rejected.csv")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("what surrounds a name in a list or a sentence is left out if nothing else is known")
  func spellings() throws {
    let night = try Self.night()
    let database = night.database.connectionString
    for (name, known) in [
      (" anna", "anna"), ("anna \t", "anna"), ("'=eq", "=eq"), ("\u{20}'+5 ", "+5"), ("=eq", "=eq"),
      ("'anna", "anna"), ("\"anna\"", "anna"), ("anna,", "anna"), ("“anna”;", "anna"),
      ("\"3\",", "3"), ("\"a \"\"b\"\", c\"", "a \"b\", c"), ("a  \"b\", c", "a \"b\", c"),
      ("Transaction 2", "2"), ("account  anna.", "anna"),
      (#"a\u{200c}b"#, "a\u{200c}b"), ("a⟨U+200C⟩b", "a\u{200c}b"),
    ] {
      let explanation = try Inquiry(about: name, database: database).explanation
      #expect(explanation.name == known, "\(name)")
      #expect(explanation.things.count == 1, "\(name)")
    }
    for name in ["an na", "'", "' ", "'=", "\"\"", "account nobody"] {
      #expect(try Inquiry(about: name, database: database).explanation.isEmpty, "\(name)")
    }
    #expect(NameSpelling.others(of: "2026-10 '+coins KWD").first == "2026-10 +coins KWD")
    #expect(NameSpelling.others(of: "2026-10 'coins KWD").isEmpty)
    #expect(NameSpelling.others(of: "2026-10 “coins ” KWD").contains("2026-10 coins  KWD"))
    #expect(NameSpelling.others(of: #"a\u{0}\u{d800}"#).isEmpty)
    let answers = try DeliveryStatusInquiry(
      about: [" 2", "3", "99 ", "\"2\",", "transaction 3"], database: database
    ).answers
    #expect(answers.map(\.transactionId) == ["2", "3", "99 ", "2", "3"])
    #expect(answers.map(\.isKnown) == [true, true, false, true, true])
    withExtendedLifetime(night) {}
  }

  @Test("another spelling is looked up only if the name itself is unknown")
  func others() throws {
    let night = try Self.night()
    let database = night.database.connectionString
    let unknown = try Inquiry(about: "file", or: ["anna", "=eq"], database: database)
    #expect(unknown.explanation.name == "anna")
    for name in ["=eq", "'ben"] {
      let known = try Inquiry(about: name, or: ["anna"], database: database)
      #expect(known.explanation.name == name)
    }
    // A rejected record contains 3 with these quotation marks.
    let quoted = try Inquiry(about: "\"3\"", database: database)
    #expect(quoted.explanation.name == "3" && quoted.explanation.isKnown)
    withExtendedLifetime(night) {}
  }
}
