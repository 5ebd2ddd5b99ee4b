import Explain
import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Rules
import Testing

@Suite("Explaining a finding")
struct FindingEvidenceTests {
  private static func explain(
    _ name: String, as kind: Explanation.NameKind? = nil, in night: TestNight
  ) throws -> Explanation {
    try Inquiry(about: name, as: kind, database: night.database.connectionString).explanation
  }

  /// Expects that the records behind the findings of a rule are shown with their file, by the name
  /// of the finding and by its subject.
  static func expectEvidence(_ rule: String, in night: TestNight) throws {
    let rows = try night.table("findings.csv").rows(where: "rule", is: rule).records
    try #require(!rows.isEmpty)
    for row in rows {
      let finding = try #require(row["finding"])
      for name in [finding, row["subject"] ?? ""] {
        let explanation = try explain(name, in: night)
        let files =
          explanation.things.flatMap { $0.timeline.compactMap(\.file) }
          + (explanation.overview?.facts.compactMap(\.file) ?? [])
        #expect(!files.isEmpty, "\(name)")
        let names =
          explanation.things.flatMap { $0.verdicts.compactMap(\.finding) + [$0.sentence] }
          + (explanation.overview?.facts.flatMap { [$0.name, $0.words ?? ""] } ?? [])
        let isTold =
          names.contains { $0.contains(finding) }
          || [.cell, .month, .period].contains(explanation.overview?.kind)
        #expect(isTold, "\(name): \(names)")
      }
    }
  }

  @Test("a resolved finding is found by its subject, and says what resolved it")
  func resolved() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliver("1", at: "2026-11-20 10:00")
    try night.run(asOf: "2026-11-21 03:00")
    let things = try Self.explain("1 book", in: night).things
    #expect(things.map(\.kind) == ["purchase"])
    #expect(
      things[0].timeline.contains { $0.words.contains("resolved (delivered late, delivery D-1,") })
    let name = try #require(
      try night.database.connect().run(
        "select name from tieout.finding where rule = 'missing_delivery'", step: "test"
      ).first)
    let sentence = try #require(try Self.explain(name, in: night).things.first?.sentence)
    #expect(
      sentence.hasPrefix(
        "Finding \(name) (missing_delivery) was resolved on 2026-11-21: delivered late, "
          + "delivery D-1, deliveries/"), "\(sentence)")
    #expect(sentence.contains(". Bought on 2026-11-10T10:00:00Z and delivered on "), "\(sentence)")
    #expect(try Self.explain("1", in: night).things[0].sentence.hasPrefix("Bought on "))
    #expect(try Self.explain("1 boo", in: night).isEmpty)
    #expect(try Self.explain("1 book ", in: night).things.map(\.kind) == ["purchase"])
  }

  @Test("a subject that is also the name of a record is explained as the finding if asked for")
  func nameOfRecord() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nD9 | 9 | book | 2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    let finding = try Self.explain("D9", as: .finding, in: night)
    #expect(finding.things.map(\.namedAs) == ["finding"])
    #expect(finding.alsoKnownAs == [.record])
    let record = try Self.explain("D9", in: night)
    #expect(record.things.map(\.namedAs) == ["delivery"])
    #expect(record.alsoKnownAs.isEmpty)
  }

  @Test("a finding that a catalogue resolved has the entry of the catalogue, which is no line")
  func resolvedByCatalogue() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | film | 2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    try night.put(#"["book","map","film"]"#, at: "catalog/more.json")
    try night.run(asOf: "2026-11-21 03:00")
    let finding = try night.database.connect().run(
      "select name from tieout.finding where rule = 'invalid_product_id'", step: "test"
    ).first
    let things = try Self.explain(#require(finding), in: night).things
    let words = things.flatMap(\.timeline).map(\.words)
    #expect(
      words.contains {
        $0.contains("resolved (catalogue changed, ") && $0.contains(", catalog/more.json, entry 3)")
      }, "\(words)")
  }

  @Test("a finding about purchases with several appAccountTokens shows these purchases")
  func tokens() throws {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook | non_consumable\nweekly | auto_renewable")
    try night.signed(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | token | web_order_line_item_id | signed_at
      1              | 1                       | book       | 2026-11-01 10:00 | t-1   |                        | 2026-11-03 11:00
      2              | 1                       | book       | 2026-11-02 10:00 | t-2   |                        | 2026-11-03 11:00
      5              | 5                       | weekly     | 2026-11-01 10:00 | t-1   | 9                      | 2026-11-03 11:00
      6              | 5                       | weekly     | 2026-11-01 10:00 | t-2   | 9                      | 2026-11-03 11:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let finding = try #require(
      try night.table("findings.csv").rows(where: "rule", is: "shared_purchase").records
        .first?["finding"])
    let things = try Self.explain(finding, in: night).things
    #expect(things.map(\.kind) == ["finding", "purchase", "purchase"])
    #expect(things.flatMap(\.members).map(\.transactionId).sorted() == ["1", "2", "5", "6"])
  }

  @Test("a subject that a report shows with an apostrophe is found in both forms")
  func apostrophe() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | -book | 2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let shown = try #require(
      try night.table("findings.csv").rows(where: "rule", is: "invalid_product_id").records.first)
    #expect(shown["subject"] == "'-book unknown")
    for name in ["'-book unknown", "-book unknown"] {
      #expect(try !Self.explain(name, in: night).things.isEmpty, "\(name)")
    }
  }

  @Test("a resolved finding says when it was flagged first and when it was resolved")
  func resolvedOn() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-10-15 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try #require(
      try night.table("findings.csv").rows(where: "rule", is: "unpriced_product")
        .columns(["finding"]).rows.first?.first)
    func sentence() throws -> String {
      try #require(try Self.explain(name, in: night).things.first?.sentence)
    }
    #expect(try sentence().hasPrefix("Finding \(name), open since 2026-11-20: "))
    // The statement of December begins in November.
    try night.run(asOf: "2026-12-20 03:00")
    #expect(
      try sentence().hasPrefix(
        "Finding \(name), flagged first on 2026-11-20, resolved on 2026-12-20: "))
  }

  @Test("conflicting evidence shows what each piece says about what cannot change")
  func conflict() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    for quantity in [1, 2] {
      try night.transactions(
        """
        transaction_id | original_transaction_id | product_id | purchased_at     | quantity
        7              | 7                       | book       | 2026-11-10 10:00 | \(quantity)
        """)
    }
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | quantity
      8              | 8                       | book       | 2026-11-10 10:00 | 1
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let seen = try Self.explain("7", in: night).things[0].timeline.filter { $0.event == "seen" }
    #expect(seen.count == 2)
    for quantity in ["1", "2"] {
      #expect(
        seen.filter { $0.words.contains("original transaction 7, quantity \(quantity)") }.count == 1
      )
    }
    #expect(Set(seen.compactMap(\.file)).count == 2)
    let plain = try Self.explain("8", in: night).things[0].timeline.filter { $0.event == "seen" }
    #expect(plain.count == 1 && !plain[0].words.contains("quantity"))
  }

  @Test("a device is explained on request, by its purchases, deliveries and claims")
  func device() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | device_id
      1              | book       | 2026-11-10 10:00 | phone
      2              | book       | 2026-11-10 10:00 | tablet
      3              | book       | 2026-11-10 10:00 |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | device_id
      three       | 3              | book       | 2026-11-10 10:05 | delivered | phone
      lone        | 99             | book       | 2026-11-10 10:05 | failed    | phone
      """)
    try night.clientLog(
      """
      product_id | state     | transaction_date | transaction_id | device_id
      book       | purchased | 2026-11-15 10:00 | 55             | phone
      """)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.explain("phone", in: night).isEmpty)
    let things = try Self.explain("phone", as: .device, in: night).things
    #expect(Set(things.map(\.namedAs)) == ["device"])
    #expect(things.map(\.kind).sorted() == ["claim", "delivery", "purchase", "purchase"])
    #expect(
      Set(things.flatMap { $0.members.map(\.transactionId) }) == ["1", "3"], "\(things)")
    #expect(try Self.explain("pho", as: .device, in: night).isEmpty)
    // An account of that name is another thing.
    #expect(try Self.explain("1", as: .device, in: night).isEmpty)
  }

  @Test("punctuation marks are no name of a rejected record")
  func punctuation() throws {
    let night = try TestNight.withOpenBooks()
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1,1,book - ? .,gone,2026-11-15T10:05:00Z

      """, at: "deliveries/bad.csv")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.explain("D1", in: night).rejections.count == 1)
    for marks in ["-", "?", ".", " - ", "- ?", "\u{201c}\u{201d}"] {
      #expect(try Self.explain(marks, in: night).isEmpty, "\(marks)")
    }
  }

  @Test("only differences of the days and the country of a purchase are shown with it")
  func periods() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\ncoin | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency | storefront
      1              | coin       | 2026-11-10 12:00 |                  | 0.99  | USD      | USA
      2              | coin       | 2026-11-12 12:00 |                  | 0.99  | USD      | USA
      3              | coin       | 2026-11-10 12:00 | 2026-11-12 13:00 | 0.99  | USD      | USA
      4              | coin       | 2026-11-10 12:00 |                  | 1.09  | EUR      | DEU
      """)
    for day in ["10", "11", "12"] {
      try night.put(
        AppleReports.sales("11/\(day)/2026", ["coin US 9 0.70 USD 0.99 USD"]),
        at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-11-20 03:00")
    func days(_ name: String) throws -> [String] {
      try Self.explain(name, in: night).things.flatMap(\.verdicts)
        .filter { $0.rule == "unexplained_difference" && $0.verdict == "found" }.map(\.subject)
    }
    let ten = "coin sales_summary 2026-11-10 US USD"
    let twelve = "coin sales_summary 2026-11-12 US USD"
    #expect(try days("1") == [ten])
    #expect(try days("2") == [twelve])
    #expect(try days("3") == [ten, twelve])
    #expect(try days("4") == ["coin sales_summary 2026-11-10 DE EUR"])
  }
}
