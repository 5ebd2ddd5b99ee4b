import Configuration
import DamageTestSupport
import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Runs
import Testing
@testable import Rules

@Suite("Judging in bulk gives the same as judging every chain by the rules")
struct MatchingTests {
  /// A night that judges in bulk, whatever its size.
  private func bulkNight() throws -> TestNight {
    let night = try TestNight()
    night.judgesInBulk = true
    return night
  }

  /// The number of transactions that the last night matched, judged by the rules, or sampled.
  private func counts(of night: TestNight) throws -> [String: Int] {
    let rows = try night.table("control_totals.csv").rows(where: "section", is: "judged").rows
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[1], Int($0[2]) ?? -1) })
  }

  /// The number of transactions that the last run matched, also if it published nothing.
  private func matchedByLastRun(of night: TestNight) throws -> Int? {
    try night.database.connect().run(
      """
      select value from tieout.run_count
      where section = 'judged' and measure = 'matched' order by run_id desc limit 1
      """, step: "test"
    ).first.flatMap { Int($0) }
  }

  @Test(
    "random accounts with planted faults give the oracle's statements, and recompute corrects nothing",
    arguments: RandomCases.seeds(2))
  func agrees(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 3000, accounts: 60).input
    let night = try bulkNight()
    try night.run(input, files: 3, seed: seed)
    try Statements(night, blanking: ["detail"])
      .expectSame(as: Statements(Oracle(input)), "seed \(seed), program against oracle")
    let counts = try counts(of: night)
    #expect(counts["matched"] ?? 0 > 0, "seed \(seed): \(counts)")
    #expect(counts["sampled_chains"] ?? 0 > 0, "seed \(seed): \(counts)")
    #expect(try night.recompute().corrections == 0, "seed \(seed)")
    #expect(try matchedByLastRun(of: night) == 0, "seed \(seed)")
    #expect(try night.recompute(inBulk: true).corrections == 0, "seed \(seed), in bulk")
    #expect(try matchedByLastRun(of: night) == counts["matched"], "seed \(seed), in bulk")
  }

  @Test(
    "a night that judges in part continues one that judged in bulk", arguments: RandomCases.seeds(1)
  )
  func continued(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 3500, accounts: 30).input
    let night = try bulkNight()
    for (number, part) in input.nights(4, seed: seed).enumerated() {
      var part = part
      part.asOf = input.asOf + number * 86_400
      if number == 2 {
        // The settings of this night change, so it judges everything.
        part.settings.graceHours += 1
      }
      try night.run(part, files: 2, seed: seed &+ UInt64(number))
      guard number > 1 else { continue }
      #expect(try night.recompute().corrections == 0, "seed \(seed), night \(number)")
    }
  }

  @Test("purchases that are served in time are matched")
  func plain() throws {
    let night = try bulkNight()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try night.catalogue(
      """
      product_id  | type           | delivery_per
      book.emma   | non_consumable | purchase
      plus.month  | auto_renewable | purchase
      pro.month   | auto_renewable | period
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | account_id
      1              | 1                       | book.emma  | 2026-11-10 10:00 |                        | a-1
      2              | 1                       | book.emma  | 2026-11-12 10:00 |                        | a-1
      3              | 3                       | plus.month | 2026-11-10 10:00 | 31                     | a-2
      4              | 3                       | plus.month | 2026-11-15 10:00 | 32                     | a-2
      5              | 5                       | pro.month  | 2026-11-10 10:00 | 51                     | a-3
      6              | 5                       | pro.month  | 2026-11-15 10:00 | 52                     | a-3
      7              | 7                       | book.emma  | 2026-11-10 10:00 |                        | a-4
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id
      1              | book.emma  | 2026-11-10 10:05 | a-1
      3              | plus.month | 2026-11-10 10:05 | a-2
      5              | pro.month  | 2026-11-10 10:05 | a-3
      6              | pro.month  | 2026-11-15 10:05 |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let counts = try counts(of: night)
    // Purchase 7 was not delivered.
    #expect((counts["matched"] ?? 0) + (counts["by_rules"] ?? 0) == 7)
    let missing = try night.table("missing_deliveries.csv").rows.map { $0[0] }
    #expect(missing == ["7"])
    let exceptions = try #require(counts["by_rules"]) - (counts["sampled_chains"] == 0 ? 0 : 2)
    #expect(exceptions <= 3, "\(counts)")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a purchase that names an original of another chain does not stand for the chain")
  func otherChain() throws {
    let night = try bulkNight()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try night.catalogue("product_id | type\nplus.month | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      101            | 100                     | plus.month | 2026-11-02 10:00 | 901
      102            | 101                     | plus.month | 2026-11-03 10:00 | 902
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      101            | plus.month | 2026-11-02 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try night.table("missing_deliveries.csv").rows.map { $0[0] } == ["102"])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("restores of a restore do not make the chain of the purchase differ from the rules")
  func restoresOfRestores() throws {
    let night = try bulkNight()
    try night.catalogue("product_id | type\nbook.emma | non_consumable")
    let rows = (1...9).flatMap { chain in
      [
        "\(chain)0 | \(chain)0 | book.emma | 2026-11-15 10:00",
        "\(chain)1 | \(chain)0 | book.emma | 2026-11-15 11:00",
      ]
        + (2...4).map { "\(chain)\($0) | \(chain)1 | book.emma | 2026-11-15 12:0\($0)" }
    }
    try night.transactions(
      (["transaction_id | original_transaction_id | product_id | purchased_at"] + rows)
        .joined(separator: "\n"))
    try night.deliveries(
      (["transaction_id | product_id | occurred_at"]
        + (1...9).map { "\($0)0 | book.emma | 2026-11-15 10:05" }).joined(separator: "\n"))
    try night.run(asOf: "2026-11-20 03:00")
    let counts = try counts(of: night)
    // Of nine chains, the rules judge three as a sample.
    #expect(counts["sampled_chains"] == 3, "\(counts)")
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a chain whose transactions have two types of product is judged by the rules")
  func twoTypes() throws {
    let night = try bulkNight()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    // The catalogue names no type, so the other fields of each transaction suggest it.
    try night.catalogue("product_id\nplus.month")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      900            | 900                     | plus.month | 2026-11-02 10:00 |
      901            | 900                     | plus.month | 2026-11-05 10:00 | 77
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      900            | plus.month | 2026-11-02 10:05
      901            | plus.month | 2026-11-05 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let totals = try night.table("control_totals.csv")
    let due = totals.rows.filter { $0[0] == "obligation" && $0[1] == "due" }.map { $0[2] }
    #expect(due == ["1"])
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "a transaction of another environment that is dated later shares no delivery with a matched one",
    arguments: ["Production", "Sandbox"])
  func laterInOtherEnvironment(delivered: String) throws {
    let night = try bulkNight()
    try night.catalogue("product_id\nbook.emma\nplus.month")
    let other = delivered == "Production" ? "Sandbox" : "Production"
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | environment
      1              | 1                       | book.emma  | 2026-11-10 10:00 |                        | Production
      900            | 900                     | book.emma  | 2026-11-03 10:00 |                        | \(delivered)
      900            | 899                     | plus.month | 2026-11-21 10:00 | 5                      | \(other)
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book.emma  | 2026-11-10 10:05
      900            | book.emma  | 2026-11-03 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let rules = try night.table("findings.csv").rows.map { $0[0] }
    #expect(!rules.contains("delivery_without_purchase") && !rules.contains("missing_delivery"))
    #expect(try night.recompute().corrections == 0)
  }

  @Test(
    "ids of one line item count by what each states in an environment that is not configured",
    arguments: ["yes | | |", "| 4.99 | USD |", "| | | USA"])
  func otherEnvironment(stated: String) throws {
    let night = try bulkNight()
    try night.catalogue("product_id | type\nplus.month | auto_renewable")
    let header =
      "transaction_id | original_transaction_id | product_id | purchased_at | "
      + "web_order_line_item_id | environment | trial | price | currency | storefront\n"
    let rows = (1...24).flatMap { number -> [String] in
      let rest = "7\(number)0 | plus.month | 2026-11-10 10:00 | 8\(number) | Sandbox"
      return ["7\(number)0 | \(rest) | | | |", "7\(number)1 | \(rest) | \(stated)"]
    }
    try night.transactions(header + rows.joined(separator: "\n"))
    // What is counted for each country is compared with Apple's report.
    let report = AppleReports.sales("11/10/2026", ["plus.month US 1 0.70 USD 0.99 USD"])
    try night.put(report, at: "apple/1.txt")
    try night.run(asOf: "2026-11-20 03:00")
    let counts = try counts(of: night)
    #expect(counts["matched"] ?? 0 > 0 && counts["sampled_chains"] ?? 0 > 0, "\(counts)")
    #expect(try night.recompute().corrections == 0)
  }

  /// Changes of what was paired, or of what was judged, and the difference that each of them makes.
  private static let differences = [
    ("update sampled set quantity = quantity + 1 where transaction_number = 1", "member"),
    ("update sampled set disposition = 'free' where transaction_number = 1", "member"),
    ("delete from sampled where transaction_number = 2", "member"),
    ("insert into matched select * from sampled where transaction_number = 1", "shared delivery"),
    ("update sampled set delivered_at = null where transaction_number = 1", "attempt"),
    ("update sampled set server = 'another' where transaction_number = 1", "attempt"),
    (
      "update sampled set due_at = due_at + interval '1 hour' where transaction_number = 1",
      "obligation"
    ),
    ("update sampled set is_served_by_chain = true where transaction_number = 1", "obligation"),
    ("insert into carried_due (transaction_id, at) values ('1', now())", "due"),
    (
      """
      insert into carried_shared_family (environment, family_key, namespace, names, accounts)
      select environment, family_key, '', '{a,b}', 2 from member where transaction_id = '1'
      """, "shared_purchase"
    ),
    (
      """
      insert into found (rule, level, environment, key, subject, detail, family_key)
      select
          'suspicious_receipt', 'warning', environment, jsonb_populate_record(null::finding_key, '{}'), '1', '',
          family_key
      from member
      where transaction_id = '1'
      """, "suspicious_receipt"
    ),
  ]

  /// A transaction in which two chains that match are paired with their deliveries.
  private static func paired() throws -> (night: TestNight, connection: Connection) {
    let night = try TestNight()
    try night.catalogue("product_id | type\nbook.emma | non_consumable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book.emma  | 2026-11-10 10:00
      2              | 1                       | book.emma  | 2026-11-12 10:00
      3              | 3                       | book.emma  | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | server
      1              | book.emma  | 2026-11-10 10:05 | content-1
      3              | book.emma  | 2026-11-10 10:05 | content-1
      """)
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try night.run(asOf: "2026-11-20 03:00")
    let connection = try night.database.connect()
    try connection.run("begin", step: "test")
    try connection.run(Schema.transactionSettings, step: "test")
    for file in SQLFile.judgedRelations.prefix(while: { $0 != .judgeConsideredTransaction }) {
      try connection.run(
        "create temporary table \(file.subject) as \(file.text)", step: file.name)
    }
    for file in SQLFile.matchExceptions { try connection.run(file.text, step: file.name) }
    try connection.run(SQLFile.nightFound)
    return (night, connection)
  }

  @Test("a sample has at least one chain, if any matches and a sample is wanted")
  func smallSample() throws {
    let (night, connection) = try Self.paired()
    defer { withExtendedLifetime(night) {} }
    try connection.run("savepoint paired", step: "test")
    func sampled(oneOf chains: String) throws -> [Int?] {
      try connection.run("set tieout.chains_per_sample = '\(chains)'", step: "test")
      let row = try connection.run(SQLFile.matchLedger).records.first
      let counts = [row?.number("sampled_chains"), row?.number("matched")]
      try connection.run("rollback to paired", step: "test")
      return counts
    }
    #expect(try sampled(oneOf: "1") == [2, 0])
    // The hash of neither chain is a multiple of this number.
    let least = try sampled(oneOf: "9223372036854775807")
    // One chain has two transactions, the other one has one.
    #expect(least == [1, 1] || least == [1, 2], "\(least)")
    #expect(try sampled(oneOf: "") == [0, 3])
    try connection.run("insert into exception_hint (chain_number) values (1)", step: "test")
    try connection.run("savepoint paired", step: "test")
    #expect(try sampled(oneOf: "9223372036854775807") == [1, 0])
    try connection.run("insert into exception_hint (chain_number) values (3)", step: "test")
    try connection.run("savepoint paired", step: "test")
    #expect(try sampled(oneOf: "9223372036854775807") == [0, 0])
  }

  @Test("a sampled chain that the rules judge otherwise is named")
  func sampled() throws {
    let (night, connection) = try Self.paired()
    defer { withExtendedLifetime(night) {} }
    try connection.run("set tieout.chains_per_sample = '1'", step: "test")
    try connection.run(SQLFile.matchLedger.text, step: "test")
    #expect(try connection.run(SQLFile.matchSample.text, step: "test").values.isEmpty)
    try connection.run("savepoint matched", step: "test")
    for (change, difference) in Self.differences {
      try connection.run(change, step: "test")
      let differing = try connection.run(SQLFile.matchSample.text, step: "test").values
      #expect(
        differing.contains(["1", difference]) && differing.allSatisfy { $0[0] == "1" },
        "\(change): \(differing)")
      try connection.run("rollback to matched", step: "test")
    }
  }
}
