import Configuration
import DamageTestSupport
import Explain
import Foundation
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Explanation of what is owed") struct OwedTests {
  /// One purchase, or the chain of one, and what becomes of its obligation.
  private struct Purchase {
    /// Its account, or else one of its transactions.
    let name: String
    let environment: String
    let members: Set<String>
    let state: String?
  }

  /// The purchases of a night, with the classes of judge_obligation.sql.
  private static func purchases(of night: TestNight) throws -> [Purchase] {
    try night.database.connect().run(
      """
      select
          coalesce(min(member.account_ids[1]), min(member.transaction_id)) as name,
          member.environment,
          string_agg(distinct member.transaction_id, ' ') as members,
          max(obligation.class) as class
      from tieout.member
      left join tieout.obligation using (environment, obligation_key)
      group by member.environment, member.obligation_key
      """, step: "test"
    ).records.map { row in
      Purchase(
        name: row.text("name"), environment: row.text("environment"),
        members: Set(row.text("members").split(separator: " ").map { String($0) }),
        state: row["class"])
    }
  }

  /// Expects due dates and obligations exactly where the night judged that a delivery is owed.
  private static func check(_ night: TestNight, _ what: String = "") throws {
    let purchases = try purchases(of: night)
    try #require(purchases.count > 20, "\(what)")
    var things: [String: [Explanation.Thing]] = [:]
    for name in Set(purchases.map(\.name)) {
      things[name] = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things
    }
    for purchase in purchases {
      let thing = try #require(
        things[purchase.name]?.first { thing in
          thing.environment == purchase.environment
            && !purchase.members.isDisjoint(with: thing.members.map(\.transactionId))
        }, "\(purchase)")
      let isOwed = ["delivered", "not_due", "undelivered"].contains(purchase.state)
      let isDelivered = thing.cause == "delivered"
      let about = "\(what) \(purchase): \(thing.sentence)"
      #expect(thing.timeline.contains { $0.event == "due" } == isOwed, "\(about)")
      #expect((thing.owes != nil) == (isOwed && !isDelivered), "\(about)")
      if !isOwed {
        #expect(!thing.sentence.contains(" due "), "\(about)")
        #expect(
          isDelivered || thing.sentence.contains(/nothing is owed|no delivery is owed/)
            || thing.cause == "not_asked", "\(about)")
      } else {
        #expect(!thing.sentence.contains(/nothing is owed|no delivery is owed/), "\(about)")
      }
    }
  }

  @Test("the sample night shows a due date only where a delivery is owed")
  func sample() throws {
    let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sample")
    let night = try TestNight()
    try FileManager.default.removeItem(at: night.inbox)
    try FileManager.default.copyItem(at: sample.appending(path: "inbox"), to: night.inbox)
    night.settings = try Settings.load(
      file: sample.appending(path: "tieout.yaml").path, explicitFile: true, environment: [:])
    night.settings.inbox = night.inbox.path
    night.settings.reports = night.reports.path
    try night.run(asOf: "2026-11-20 03:00")
    // Every class of judge_obligation.sql occurs.
    #expect(Set(try Self.purchases(of: night).compactMap(\.state)).count == 6)
    try Self.check(night)
  }

  @Test(
    "a random night shows a due date only where a delivery is owed", arguments: RandomCases.seeds(1)
  )
  func random(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: seed &+ 900, accounts: 15).input, files: 1, seed: 1)
    try Self.check(night, "seed \(seed)")
  }

  @Test("without any delivery in the log, no purchase owes one")
  func noBooks() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let thing = try #require(
      try Inquiry(about: "1", database: night.database.connectionString).explanation.things.first)
    #expect(
      thing.sentence == """
        Bought on 2026-11-10T10:00:00Z. The delivery log has no delivery and books_begin is not set, \
        so nothing is owed.
        """)
    #expect(thing.owes == nil)
    #expect(!thing.timeline.contains { $0.event == "due" })
    #expect(
      try Self.because("1", night)
        == "the delivery log has no delivery and books_begin is not set: no answer is possible")
  }

  @Test("without any catalogue, no catalogue is said to lack the product")
  func noCatalogue() throws {
    let night = try TestNight()
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nd | 9 | book | 2026-11-10 09:00")
    try night.run(asOf: "2026-11-20 03:00")
    func sentence(_ name: String) throws -> String? {
      try Inquiry(about: name, database: night.database.connectionString).explanation.things.first?
        .sentence
    }
    #expect(
      try sentence("1")
        == "Seen on 2026-11-10T10:00:00Z: there is no catalogue, so nothing is owed for it.")
    #expect(
      try sentence("d") == """
        Delivery d: book delivered on 2026-11-10T09:00:00Z for transaction 9, which no evidence \
        contains; there is no catalogue.
        """)
    #expect(
      try Self.because("1", night)
        == "there is no catalogue: no answer is possible until one lists its product")
  }

  private static func because(_ name: String, _ night: TestNight) throws -> String? {
    try DeliveryStatusInquiry(about: [name], database: night.database.connectionString)
      .answers.first?.because
  }
}
