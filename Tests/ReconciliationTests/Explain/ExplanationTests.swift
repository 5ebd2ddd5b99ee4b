import Explain
import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Rules
import Runs
import Testing

@Suite("Explanation of one name")
struct ExplanationTests {
  private static func explain(_ name: String) throws -> Explanation {
    try Inquiry(about: name, database: PlantedCauses.night.get().database.connectionString)
      .explanation
  }

  @Test("the explanation gives the planted cause", arguments: PlantedCauses.cases.indices)
  func plantedCause(_ index: Int) throws {
    let planted = PlantedCauses.cases[index]
    let explanation = try Self.explain(planted.name)
    let thing = try #require(explanation.things.first, "\(planted.name)")
    // Other matches of the name are in other environments.
    #expect(Set(explanation.things.map(\.environment)).count == explanation.things.count)
    #expect(thing.cause == planted.cause)
    #expect(thing.sentence == planted.sentence)
    // These owe nothing, or nothing any more.
    if ["delivered", "refunded", "before_books", "not_asked"].contains(thing.cause) {
      #expect(thing.owes == nil)
    }
    #expect(explanation.rejections.isEmpty)
  }

  @Test("each event has its file and line, and events are sorted by time")
  func timeline() throws {
    let thing = try #require(try Self.explain("1105").things.first)
    #expect(
      thing.timeline.map(\.event)
        == ["bought", "seen", "failed", "failed", "due", "found", "found"])
    #expect(thing.timeline.map(\.at) == thing.timeline.map(\.at).sorted())
    let failed = thing.timeline[3]
    #expect(
      failed.words
        == "delivery D1105b failed: book for transaction 1105, account eva, server eu-2, error: disk full"
    )
    #expect(failed.file == "deliveries/3.csv")
    #expect(failed.line == 6)
    #expect(thing.timeline[0].file == "receipts/2.ndjson")
    #expect(thing.timeline[0].line == 5)
    #expect(
      thing.timeline.contains { $0.words.hasSuffix("opened: missing_delivery") })
    #expect(thing.owes?.dueAt == "2026-11-16T10:00:00Z")
    #expect(thing.owes?.attempts == 2)
  }

  @Test("tells where in a document the evidence was found, until its account is forgotten")
  func pointer() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    let answer =
      #"{"status":0,"environment":"Production","receipt":{"in_app":[{"transaction_id":"1","#
      + #""product_id":"book","quantity":"1","purchase_date_ms":"1763542800000"}]}}"#
    try night.put(
      #"web-1 INFO {"users":{"anna":{"account_id":"anna","answer":\#(answer)}}}"# + "\n",
      at: "receipts/web.log")
    try night.run(asOf: "2026-11-20 03:00")
    let explanation = try Inquiry(about: "1", database: night.database.connectionString)
      .explanation
    let bought = try #require(explanation.things.first?.timeline.first)
    #expect(bought.file == "receipts/web.log" && bought.line == 1)
    #expect(bought.pointer == "/users/anna/answer")
    try night.forget("anna")
    #expect(try night.database.draw("select count(pointer) from evidence") == "count\n0")
  }

  @Test("a delivery whose transaction is known in another environment names it")
  func otherEnvironment() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-10 10:00 | Sandbox
      2              | book       | 2026-11-19 20:00 | Sandbox
      3              | book       | 2026-11-10 10:00 | Production
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | environment
      D1          | 1              | book       | failed    | 2026-11-10 10:05 | Production
      D2          | 2              | book       | delivered | 2026-11-19 20:05 | Production
      D3          | 3              | book       | delivered | 2026-11-10 10:05 | Sandbox
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      ("D1", "which is known only in Sandbox; nothing was delivered."),
      (
        "D2",
        "which is known only in Sandbox; evidence of Production may come until 2026-11-20T20:05:00Z."
      ),
      (
        "D3",
        "in Sandbox, which is not among the configured environments; the transaction is known in Production."
      ),
    ] {
      let things = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things
      let sentence = try #require(things.first?.sentence)
      #expect(sentence.contains(words), "\(sentence)")
    }
  }

  @Test("a delivery to another account, or before the purchase, says so")
  func otherAccount() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-10 10:00 | anna
      3              | book       | 2026-11-10 10:00 |
      4              | book       | 2026-11-10 10:00 | anna
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      D4          | 4              | book       | 2026-11-10 10:05 | ben
      D5          | 4              | book       | 2026-11-10 10:06 | anna
      D1          | 1              | book       | 2026-11-10 10:05 | ben
      D2          | 2              | book       | 2026-11-10 09:55 | anna
      D3          | 3              | book       | 2026-11-10 10:05 | ben
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func sentence(_ name: String) throws -> String? {
      try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things.first?.sentence
    }
    let bought = "Bought on 2026-11-10T10:00:00Z and delivered on 2026-11-10T"
    let shared = "info shared_purchase."
    #expect(
      try sentence("1")
        == "\(bought)10:05:00Z (delivery D1), to account ben, not anna, which bought it. "
        + "1 finding: \(shared)")
    // Its account got it later.
    #expect(
      try sentence("4")
        == "\(bought)10:05:00Z (delivery D4). 2 findings: info duplicate_delivery, \(shared)")
    #expect(try sentence("2") == "\(bought)09:55:00Z (delivery D2), before the purchase.")
    #expect(try sentence("3") == "\(bought)10:05:00Z (delivery D3).")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "3", "4"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map(\.because) == [
        "it was delivered (delivery D1), to account ben, not anna, which bought it",
        "it was delivered (delivery D3)", "it was delivered (delivery D4)",
      ])
  }

  @Test("several unfinished deliveries are told with their devices and errors")
  func unfinished() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | device_id | error
      D1          | 1              | book       | delivered | 2026-11-10 10:05 | phone     |
      D2          | 1              | book       | failed    | 2026-11-10 10:06 | tablet    | disk full
      D3          | 1              | book       | pending   | 2026-11-10 10:07 | watch     |
      D4          | 1              | book       | failed    | 2026-11-10 10:08 |           | timeout
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let sentence = try #require(
      try Inquiry(about: "1", database: night.database.connectionString)
        .explanation.things.first?.sentence)
    #expect(sentence.hasPrefix("Not finished on 3 devices: "), "\(sentence)")
    for words in [
      "tablet (latest attempt D2 failed at 2026-11-10T10:06:00Z: disk full)",
      "watch (latest attempt D3 begun at 2026-11-10T10:07:00Z, not ended)",
      "a device without a name (latest attempt D4 failed at 2026-11-10T10:08:00Z: timeout)",
    ] {
      #expect(sentence.contains(words), "\(sentence)")
    }
    // The sentence about one of these findings is about its device alone.
    let name = try #require(
      try night.table("findings.csv").rows(where: "subject", is: "1 tablet")
        .columns(["finding"]).rows.first?.first)
    let asked = try #require(
      try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things.first?.sentence)
    #expect(
      asked.hasPrefix(
        """
        Not finished on one device: tablet (latest attempt D2 failed at 2026-11-10T10:06:00Z: disk full). \
        Bought
        """), "\(asked)")
  }

  @Test("every rule has a verdict, and a finding is the same as in findings.csv")
  func verdicts() throws {
    let night = try PlantedCauses.night.get()
    let reported = try night.table("findings.csv")
    for name in ["1101", "1105", "1114", "1116", "D1119", "1122"] {
      let thing = try #require(try Self.explain(name).things.first)
      let rules = Set(thing.verdicts.map(\.rule))
      #expect(rules == Set(Rule.all.map(\.name)), "\(name)")
      for verdict in thing.verdicts where verdict.verdict == "found" {
        // The words of a finding that is about more than the purchase begin with its subject.
        let detail = verdict.words.replacing("\(verdict.subject): ", with: "")
        let rows = reported.rows(where: "rule", is: verdict.rule)
          .rows(where: "detail", is: detail).rows(where: "level", is: verdict.level ?? "")
        // Products may lack a price in the same words; other details name one purchase.
        let isOfProduct = verdict.rule == "unpriced_product"
        #expect(rows.rows.count == 1 || isOfProduct && !rows.rows.isEmpty, "\(name): \(verdict)")
        #expect(verdict.status == "open")
      }
    }
    func found(_ name: String) throws -> [String] {
      // The catalogue of this night has no prices.
      try Self.explain(name).things.flatMap(\.verdicts)
        .filter { $0.verdict == "found" && $0.rule != "unpriced_product" }
        .map { [$0.rule, $0.reason].compactMap { $0 }.joined(separator: " ") }
    }
    #expect(try found("1101") == [])
    #expect(try found("1105") == ["missing_delivery failed"])
    #expect(try found("1114") == ["invalid_product_id unknown"])
    #expect(try found("1116") == ["missing_original"])
    #expect(try found("D1119") == ["delivery_without_purchase unknown_transaction"])
    #expect(try found("1122") == ["purchase_without_receipt"])
  }

  @Test("a delivery or claim without a purchase has the catalogue's verdicts about its product")
  func withoutPurchase() throws {
    for name in ["D1119", "1122"] {
      let thing = try #require(try Self.explain(name).things.first)
      let words = Dictionary(
        thing.verdicts.map { ($0.rule, $0.words) }, uniquingKeysWith: { first, _ in first })
      #expect(words["invalid_product_id"] == "the catalogue lists its product", "\(name)")
      #expect(words["unrestorable_restore"] == "product type: non_consumable", "\(name)")
      #expect(words["conflicting_transaction"] == "no evidence", "\(name)")
    }
  }

  @Test("a finding is explained by its name or its beginning, and leads to its purchase")
  func findings() throws {
    let night = try PlantedCauses.night.get()
    let names = try night.database.connect().run(
      "select name, rule, subject from tieout.finding order by finding_id", step: "test"
    ).values
    #expect(names.count > 10)
    for row in names {
      let row = row.map { $0 ?? "" }
      for name in [row[0], String(row[0].lowercased().prefix(10))] {
        let things = try Self.explain(name).things
        let isTold = things.contains { thing in
          thing.verdicts.contains { $0.finding == row[0] }
            || thing.sentence.hasPrefix("Finding \(row[0])")
        }
        #expect(isTold, "\(name) \(row[1]) \(row[2])")
      }
    }
  }

  @Test("a rejected record with the name is reported with its file and line")
  func rejected() throws {
    let lacking = try Self.explain("1121")
    #expect(lacking.things.isEmpty)
    #expect(!lacking.isEmpty)
    #expect(lacking.rejections.map(\.file) == ["receipts/lacking.ndjson"])
    #expect(lacking.rejections.map(\.reason) == ["missing_field"])
    #expect(lacking.rejections[0].line == 1)
    #expect(try Self.explain("D1130").rejections.map(\.reason) == ["bad_status"])
    // A part of a longer word does not match.
    #expect(try Self.explain("113").isEmpty)
    #expect(try Self.explain("D113").isEmpty)
    #expect(try Self.explain("11-15").isEmpty)
  }

  @Test("an uncertain delivery has the rejected record that contains its transaction")
  func rejectedUncertain() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      2              | book       | 2026-11-10 10:00
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1,1,book,ok,2026-11-10T10:05:00Z

      """, at: "deliveries/bad.csv")
    try night.run(asOf: "2026-11-20 03:00")
    func thing(_ name: String) throws -> Explanation.Thing {
      try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first)
    }
    let (rejected, other) = try (thing("1"), thing("2"))
    #expect([rejected.cause, other.cause] == ["no_records", "no_records"])
    #expect(
      rejected.sentence.hasPrefix(
        "Bought on 2026-11-10T10:00:00Z, and no attempt is known: a delivery record with the ID was "
          + "rejected (deliveries/bad.csv:2)."), "\(rejected.sentence)")
    #expect(other.sentence.contains("perhaps the log is missing"), "\(other.sentence)")
  }

  @Test("a product that is not listed because its entry was rejected has the place of the entry")
  func rejectedEntry() throws {
    let night = try TestNight.withOpenBooks()
    try night.put(
      #"{"version":2,"products":[{"product_id":"book"},{"product_id":"film","type":"reel"}]}"#,
      at: "catalog/films.json")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | film       | 2026-11-10 10:00
      2              | films      | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D9          | 9              | film       | 2026-11-10 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func sentence(_ name: String) throws -> String {
      try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first?.sentence)
    }
    let words = "its entry was rejected (catalog/films.json, entry 2)"
    let bought = try sentence("1")
    #expect(
      bought.contains(": the catalogue does not list film: \(words), so nothing is owed for it."),
      "\(bought)")
    let delivered = try sentence("D9")
    #expect(delivered.contains("does not list the product: \(words)."), "\(delivered)")
    let finding = try sentence(night.name(of: "film"))
    #expect(finding.contains(" The catalogue does not list this product: \(words)."), "\(finding)")
    #expect(try !sentence("2").contains("was rejected"))
  }

  @Test("an account is explained by its purchases and deliveries")
  func account() throws {
    let things = try Self.explain("will").things
    #expect(things.map(\.cause) == ["never_attempted", "delivered"])
    #expect(try Self.explain("xaver").things.map(\.cause) == ["unknown_transaction"])
  }

  @Test(
    "an unknown name has no explanation, whatever characters it contains",
    arguments: [
      "nobody", "", " ", "'", "'; drop table tieout.finding; --", "\\", "\\'", "$1", "%s",
      "\u{1b}[31m",
      "a\nb", "\u{202e}", String(repeating: "9", count: 100_000), "99999999999999999999", "F-0000",
    ])
  func attacks(_ name: String) throws {
    #expect(try Self.explain(name).isEmpty)
  }

  @Test("an explanation takes no lock and leaves nothing behind, even during a run")
  func noLock() throws {
    let night = try PlantedCauses.night.get()
    let database = try night.database.connect()
    try database.run(
      """
      begin;
      select pg_advisory_xact_lock(127996022191476);
      lock table tieout.staging_evidence, tieout.staging_delivery in access exclusive mode;
      lock table tieout.delivery_record, tieout.finding, tieout.evidence in exclusive mode
      """, step: "as a run does")
    #expect(try Self.explain("1105").things.count == 1)
    try database.run("rollback", step: "test")
    #expect(
      try night.database.draw(
        "select count(*) as left_behind from pg_class where relpersistence = 't'")
        == "left_behind\n0")
  }

  @Test("before the first night an explanation is an error")
  func noNight() throws {
    let night = try TestNight()
    #expect(throws: ReconciliationError.self) {
      try Inquiry(about: "1", database: night.database.connectionString)
    }
  }
}
