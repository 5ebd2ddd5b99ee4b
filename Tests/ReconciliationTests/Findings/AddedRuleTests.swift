import Explain
import Findings
import NightRun
import ReconciliationSQL
import ReconciliationTestSupport
import Rules
import Testing

/// Each command takes what it needs from the header of a rule.
@Suite("A rule that is only a file")
struct AddedRuleTests {
  /// A rule that finds each missing delivery again, with another key and another line `Resolved`.
  private static func rule(_ name: String, key: [String], resolved: String) throws -> Rule {
    let columns = key.map { "member.\($0)" }.joined(separator: ", ")
    let names = key.joined(separator: ", ")
    let text = """
      -- Returns one finding for each missing delivery.
      --
      -- Finds      all missing deliveries.
      --
      -- Levels     info
      -- Judges     purchases
      -- Exception  match_service.sql
      -- Time       carried_due.sql
      -- Reads      member, undelivered
      -- Gives      level, environment, reason, detail, family_key
      -- Key        \(names)
      -- Resolved   \(resolved)
      -- Sentence   Found by an added rule
      -- Otherwise  the added rule found nothing
      select
          'info' as level,
          undelivered.environment,
          \(columns),
          null as reason,
          'added' as detail,
          undelivered.family_key
      from undelivered
      inner join member using (environment, family_key)
      """
    return try #require(Rule(SQLFile("rule_\(name)", text)))
  }

  private static let purchase = ["original_transaction_id", "product_id"]

  /// Two missing deliveries; one of them is made before the second night.
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      11             | book       | 2026-11-10 10:00 | PERSON-1
      12             | book       | 2026-11-10 10:00 | PERSON-2
      """)
    return night
  }

  private static func runSecond(_ night: TestNight) throws {
    try night.deliver("11", at: "2026-11-20 10:00")
    try night.catalogue("product_id | type\nbook | non_consumable")
    try night.run(asOf: "2026-11-21 03:00")
  }

  private static func subjects(
    _ night: TestNight, rule: String, product: String, status: String = "open"
  ) throws -> [String] {
    var filter = FindingList.Filter()
    filter.rules = [rule]
    filter.products = [product]
    filter.statuses = [status]
    return try FindingList(database: night.database.connectionString).rows(filter).rows
      .map(\.subject)
  }

  /// What `tieout explain` says about a rule and a transaction: `found` or `not found`, and why.
  private static func verdicts(
    _ night: TestNight, of rule: String, about transaction: String
  ) throws -> [String] {
    try Inquiry(about: transaction, database: night.database.connectionString).explanation.things
      .flatMap(\.verdicts).filter { $0.rule == rule }.map { "\($0.verdict): \($0.words)" }
  }

  @Test("the night, explain, the list of findings and the page have its findings")
  func everywhere() throws {
    let added = try Self.rule("late_book", key: Self.purchase, resolved: "records")
    try Rule.$additional.withValue([added]) {
      let night = try Self.night()
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect("late_book", finds: "level | subject\ninfo | 11 book\ninfo | 12 book")
      #expect(
        try Self.subjects(night, rule: "late_book", product: "book") == ["11 book", "12 book"])
      #expect(try Self.subjects(night, rule: "late_book", product: "film") == [])
      #expect(try Self.verdicts(night, of: "late_book", about: "11") == ["found: added"])
      let section = "aria-label=\"late_book, level info\""
      #expect(try night.report("index.html").contains(section))

      try Self.runSecond(night)
      try night.expect("late_book", finds: "level | subject\ninfo | 12 book")
      #expect(
        try Self.subjects(night, rule: "late_book", product: "book", status: "resolved")
          == ["11 book"])
      #expect(
        try Self.verdicts(night, of: "late_book", about: "11")
          == ["not found: the added rule found nothing"])
      #expect(try Self.verdicts(night, of: "late_book", about: "12") == ["found: added"])
      #expect(try night.report("index.html").contains(section))

      #expect(try night.recompute().corrections == 0)
      try night.expect("late_book", finds: "level | subject\ninfo | 12 book")
    }
    // Without the rule its findings would not exist.
    #expect(Rule.named("late_book") == nil)
  }

  @Test("the first cause of its line Resolved that occurred is the cause of a resolved finding")
  func causes() throws {
    let causes = [
      "records, catalogue": "log_arrived", "catalogue, records": "catalogue_changed",
      "prices, records": "log_arrived", "prices, lists": "no_longer_holds",
      "prices, time": "window_ended", "none": "no_longer_holds",
    ]
    let names = causes.keys.sorted().enumerated().map { ("late_\($0)", $1) }
    let rules = try names.map { try Self.rule($0.0, key: Self.purchase, resolved: $0.1) }
    try Rule.$additional.withValue(rules) {
      let night = try Self.night()
      try night.run(asOf: "2026-11-20 03:00")
      try Self.runSecond(night)
      let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
      for (name, resolved) in names {
        let found = changes.rows(where: "rule", is: name).columns(["subject", "cause"]).rows
        #expect(found == [["11 book", causes[resolved] ?? ""]], "\(resolved)")
      }
    }
  }

  @Test("forget renames a finding whose key names the account, and the finding stays open")
  func forgotten() throws {
    let added = try Self.rule("late_reader", key: ["account_ids"], resolved: "records")
    try Rule.$additional.withValue([added]) {
      let night = try Self.night()
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect("late_reader", finds: "level | subject\ninfo | PERSON-1\ninfo | PERSON-2")
      try Self.runSecond(night)
      try night.forget("PERSON-2")
      let left = try night.table("findings.csv").rows(where: "rule", is: "late_reader")
      #expect(
        left.columns(["status", "first_flagged_on"]).rows == [["open", "2026-11-20"]],
        "\(left.text)")
      #expect(left.columns(["subject"]).rows != [["PERSON-2"]])
      #expect(try night.recompute().corrections == 0)
      let named = "select count(*) from finding where rule = 'late_reader' and subject = 'PERSON-2'"
      #expect(try night.database.draw(named) == "count\n0")
    }
  }
}
