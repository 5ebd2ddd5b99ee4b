import Configuration
import DamageTestSupport
import Explain
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("Explaining a row of tie_out.csv")
struct TieOutCellTests {
  private static func explain(
    _ name: String, as kind: Explanation.NameKind? = nil, in night: TestNight
  ) throws -> Explanation {
    try Inquiry(about: name, as: kind, database: night.database.connectionString).explanation
  }

  /// The name of a row, as findings have it.
  private static func name(_ row: [String: String]) -> String {
    let (begin, end) = (row["period_begin"] ?? "", row["period_end"] ?? "")
    let period = begin == end ? begin : "\(begin)..\(end)"
    return [row["product_id"], row["report"], period, row["country"], row["currency"]]
      .compactMap { $0 }.joined(separator: " ")
  }

  @Test("the transactions and Apple's rows of each row give its units, and the causes its columns")
  func planted() throws {
    let store = PlantedStore(seed: 5, sales: 100)
    let night = try store.nightWithReceipts()
    // The last two days are pending.
    for day in 0..<PlantedStore.days - 2 {
      let day = PlantedStore.firstDay + day
      try night.put(store.report(day), at: "apple/\(PlantedStore.text(day)).txt")
    }
    try night.run(asOf: "2026-11-06 09:00")
    var random = Dice(5)
    let rows = try night.table("tie_out.csv").records
    var states: Set<String> = []
    for row in rows.shuffled(using: &random).prefix(40) {
      let name = Self.name(row)
      let overview = try #require(try Self.explain(name, in: night).overview, "\(name)")
      #expect(overview.kind == .cell && overview.name == name)
      let facts = overview.facts
      let isCompared = row["state"] == "compared"
      states.insert(row["state"] ?? "")
      var (ours, theirs) = (0, 0)
      for fact in facts where fact.section == "ours" {
        let words = (fact.words ?? "").split(whereSeparator: { " ,:".contains($0) })
        let units = try #require(Int(words[1]), "\(words)")
        let isBack = ["refunded", "upgraded"].contains(words[0])
        let isElsewhere = fact.words?.hasSuffix("the books count it in another period") == true
        guard words[0] != "upgraded", !isElsewhere else { continue }
        ours += isBack ? -units : units
      }
      for fact in facts where fact.section == "apple" {
        theirs += Int(fact.words?.split(separator: " ").first ?? "") ?? 0
        #expect(fact.file?.hasPrefix("apple/") == true && (fact.line ?? 0) > 1)
      }
      #expect("\(ours)" == row["ours_units"], "\(name): \(facts)")
      #expect(!isCompared || "\(theirs)" == row["apple_units"], "\(name): \(facts)")
      let causes = facts.filter { $0.section == "bridge" }.map(\.name)
      let expected = [
        "cut_off", "refund_cut_off", "restored", "free", "family_shared", "other_environment",
        "upgrades", "invalid_identifier", "only_here", "only_apple", "not_yet_processed",
        "estimated", "unpriced", "price", "unexplained",
      ].filter { cause in
        ["units", "amount"].contains { kind in
          row["\(cause)_\(kind)"]?.contains { ("1"..."9").contains($0) } == true
        }
      }
      #expect(causes == expected, "\(name)")
    }
    #expect(states == ["compared", "pending"])
  }

  @Test("the name of the finding explains its row, and with --as record its life")
  func finding() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\ncoin | built_in\nmap | built_in")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      2              | map        | 2026-11-10 12:00 | 0     | USD      | USA
      """)
    try night.put(
      AppleReports.sales(
        "11/10/2026",
        [
          "coin US 2 0.70 USD 0.99 USD", "gem US 1 0.70 USD 0.99 USD", "map:IA3 US 2 0 USD 0 USD",
        ]),
      at: "apple/10.txt")
    try night.run(asOf: "2026-11-20 03:00")
    let subject = "coin sales_summary 2026-11-10 US USD"
    let name = try night.name(of: subject)
    let explanation = try Self.explain(String(name.prefix(8)), in: night)
    let overview = try #require(explanation.overview)
    #expect(overview.name == subject && explanation.alsoKnownAs == [.record])
    #expect(
      overview.sentence.hasSuffix(
        "Apple reports 2 units, USD 1.98; we have 1 unit, USD 0.99. Unexplained: 1 unit, USD 0.99."
      ), "\(overview.sentence)")
    #expect(overview.facts.map(\.section) == ["finding", "bridge", "apple", "ours"])
    #expect(overview.facts.last?.name == "1")
    for spelling in [
      "coin  sales_summary\t2026-11-10 US USD", "coin sales_summary 2026-11-10 us usd",
    ] {
      #expect(try Self.explain(spelling, in: night).overview?.name == subject, "\(spelling)")
    }
    let other = try #require(
      try Self.explain("gem sales_summary 2026-11-10 US USD", in: night).overview)
    #expect(
      other.sentence.hasSuffix("We have no sale or refund in this row, by the day in California."))
    // Apple reports only restores of this product.
    let map = try #require(try Self.explain("map sales_summary 2026-11-10 US", in: night).overview)
    #expect(
      map.sentence.hasSuffix(
        "Apple reports 2 units; we have 1 unit. Apple reports no sale or refund in this row."
      ), "\(map.sentence)")
    // Only Apple's report contains this product.
    let gem = try #require(try Self.explain("gem", in: night).overview)
    #expect(gem.kind == .product && gem.name == "gem")
    #expect(gem.sentence.contains("No delivery of gem is missing."), "\(gem.sentence)")
    #expect(try Self.explain("ge", in: night).isEmpty)
    #expect(try Self.explain(name, as: .record, in: night).things.first?.kind == "finding")
    #expect(try Self.explain("coin sales_summary 2026-11-09 US USD", in: night).isEmpty)

    // When the report is corrected, the finding is resolved, and its row ties.
    try night.put(
      AppleReports.sales("11/10/2026", ["coin US 1 0.70 USD 0.99 USD"]), at: "apple/10b.txt")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try Self.explain(name, in: night).overview == nil)
    let tied = try #require(try Self.explain(subject, in: night).overview)
    #expect(tied.sentence.hasSuffix("Apple reports what we have, 1 unit, USD 0.99."))
  }

  @Test("a long list says that it is cut")
  func long() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\ncoin | built_in")
    let rows = (1...205).map { "\($0) | coin | 2026-11-10 12:00 | 0.99 | USD | USA" }
    let header = "transaction_id | product_id | purchased_at | price | currency | storefront"
    try night.transactions(([header] + rows).joined(separator: "\n"))
    try night.put(
      AppleReports.sales("11/10/2026", ["coin US 205 0.70 USD 0.99 USD"]), at: "apple/10.txt")
    try night.run(asOf: "2026-11-20 03:00")
    let overview = try #require(
      try Self.explain("coin sales_summary 2026-11-10 US USD", in: night).overview)
    #expect(overview.sentence.hasSuffix("Apple reports what we have, 205 units, USD 202.95."))
    let ours = overview.facts.filter { $0.section == "ours" }
    #expect(ours.count == 200)
    #expect(overview.leftOut.map(\.section) == ["ours"] && overview.leftOut.map(\.facts) == [5])
  }
}
