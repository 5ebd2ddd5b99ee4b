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
    let carl = try #require(
      try Inquiry(about: "carl", database: night.database.connectionString)
        .explanation.things.first)
    #expect(
      carl.sentence
        == "An app saw transaction 7, book, on 2026-11-10T12:00:00Z, and no receipt contains it.")
    #expect(
      carl.timeline.first?.words
        == "an app's payment queue said purchased: book, device phone, transaction 7")
    #expect(try things("dora") == [["account", "delivered"]])
    #expect(try things("phone", as: .device) == [["device", "purchase_without_receipt"]])
    #expect(try things("tablet", as: .device) == [["device", "delivered"]])
    #expect(try things("eric").isEmpty)
  }

  @Test("an account or device that has only purchases which failed or were deferred is known")
  func withoutTransaction() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      """)
    try night.clientLog(
      """
      product_id | state    | transaction_date | account_id | device_id
      book       | failed   | 2026-11-10 12:00 | carl       | phone
      book       | deferred | 2026-11-12 10:00 | carl       | tablet
      book       | failed   | 2026-11-11 10:00 | anna       |
      book       | failed   | 2026-11-21 10:00 | dora       | phone
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func explain(
      _ name: String, as kind: Explanation.NameKind? = nil
    ) throws -> [Explanation.Thing] {
      try Inquiry(about: name, as: kind, database: night.database.connectionString)
        .explanation.things
    }
    let carl = try explain("carl")
    #expect(
      carl.map(\.sentence) == [
        "An app reported purchases that did not succeed: 1 failed and 1 deferred, the last on "
          + "2026-11-12T10:00:00Z (deferred). They name no transaction."
      ])
    #expect(carl.map(\.kind) == ["queue"])
    #expect(
      carl[0].timeline.map(\.words) == [
        "an app's payment queue said failed: book, account carl, device phone",
        "an app's payment queue said deferred: book, account carl, device tablet",
      ])
    #expect(carl[0].timeline.map(\.line) == [2, 3])
    #expect(try explain("phone", as: .device).map(\.timeline.count) == [1, 1])
    #expect(try explain("anna").map(\.kind) == ["purchase", "queue"])
    let dora = try explain("dora")
    #expect(
      dora.map(\.sentence) == [
        "An app reported entries of its payment queue: 1 failed, the last on "
          + "2026-11-21T10:00:00Z (failed), after as-of: not considered yet."
      ])
    #expect(
      dora[0].timeline.map(\.words) == [
        "an app's payment queue said failed: book, account dora, device phone "
          + "(after as-of: not considered yet)"
      ])
    #expect(try explain("1").map(\.kind) == ["purchase"])
  }

  @Test("what apps report after as-of, and who reports an invalid identifier, is known")
  func laterAndInvalid() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      """)
    try night.clientLog(
      """
      product_id | state     | transaction_date | transaction_id | original_transaction_id | account_id | device_id
      book       | purchased | 2026-11-21 12:00 | 7              |                         | carl       | phone
      book       | restored  | 2026-11-22 10:00 | 8              | 1                       | dora       | tablet
      """)
    try night.clientLog(
      """
      product_id | reported_at      | account_id | device_id
      book.ema   | 2026-11-12 10:00 | eric       | watch
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func sentences(_ name: String, as kind: Explanation.NameKind? = nil) throws -> [String] {
      try Inquiry(about: name, as: kind, database: night.database.connectionString)
        .explanation.things.map(\.sentence)
    }
    let queue = "An app reported entries of its payment queue: "
    let bought =
      queue + "1 purchased, the last on 2026-11-21T12:00:00Z (purchased), "
      + "after as-of: not considered yet."
    let restored =
      queue + "1 restored, the last on 2026-11-22T10:00:00Z (restored), "
      + "after as-of: not considered yet."
    #expect(try sentences("carl") == [bought])
    #expect(try sentences("7") == [bought])
    #expect(try sentences("phone", as: .device) == [bought])
    #expect(try sentences("dora") == [restored])
    #expect(try sentences("8") == [restored])
    // Evidence contains it, so the answer is about its purchase only.
    #expect(try sentences("1").count == 1)
    let invalid =
      "An app reported product identifiers that the App Store called invalid: 1, the last "
      + "on 2026-11-12T10:00:00Z (book.ema)."
    #expect(try sentences("eric") == [invalid])
    #expect(try sentences("watch", as: .device) == [invalid])
  }
}
