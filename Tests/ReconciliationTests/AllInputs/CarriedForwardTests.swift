import DamageTestSupport
import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Judging in part gives the same as judging everything")
struct CarriedForwardTests {
  /// Compares the findings, without their ids.
  private static let lives = """
    select
        rule, environment, subject, level, reason, detail, status, first_flagged_on,
        (
            select string_agg(
                concat_ws(' ', finding_event.run_id, event, cause, record, file, line), ', ' order by run_id
            )
            from finding_event
            where finding_event.finding_id = finding.finding_id
        ) as life
    from finding
    order by rule, environment, subject
    """

  @Test(
    "random nights, forwards and backwards in time, give the same as judging everything",
    arguments: RandomCases.seeds(1))
  func overNights(seed: UInt64) throws {
    var random = Dice(seed &* 7919)
    let input = RandomNight(seed: seed &+ 500, accounts: 30).input
    let carrying = try TestNight()
    let judging = try TestNight()
    let parts = input.nights(7, seed: seed)
    var asOf = input.asOf - 12 * 86_400
    // This night goes back in time in any case.
    let past = Int(1 + seed % 5)
    var filled: Set<String> = []
    for (number, part) in parts.enumerated() {
      var part = part
      // As-of moves on by nothing, seconds, hours, days or weeks, and sometimes back.
      asOf += random.pick(0, 1, 3600, 86_400, 86_400, 3 * 86_400, 14 * 86_400)
      let isPast = number == past || (number < parts.count - 1 && random.chance(15))
      part.asOf = isPast ? asOf - random.number(1...20) * 86_400 : asOf
      if number == 2 {
        // From here on there is something to hold against a report of Apple.
        let day = String(Instant(seconds: input.asOf - 20 * 86_400).rfc3339.prefix(10))
        let report = AppleReports.sales(day, ["book.emma US 1 0.70 USD 0.99 USD"])
        for night in [carrying, judging] { try night.put(report, at: "apple/1.txt") }
      }
      try carrying.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      // Nothing is carried forward, so this night judges everything. Before the first night there
      // are no tables.
      if number > 0 { _ = try judging.database.draw("delete from judged returning true") }
      try judging.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      #expect(try Self.nightsInPart(judging) == 0, "seed \(seed), night \(number)")
      filled.formUnion(
        try expectSame(
          carrying, judging, "seed \(seed), night \(number) as of \(part.asOfText)"))
    }
    try carrying.expectFilled(filled, "seed \(seed)")
    let again = try carrying.recompute()
    #expect(again.corrections == 0, "seed \(seed)")
    #expect(again.correctedSums == 0, "seed \(seed)")
    try expectSame(carrying, judging, "seed \(seed), recomputed", comparingRuns: false)
  }

  @Test("nights after the first judge only the affected records")
  func inPart() throws {
    let night = try TestNight()
    let input = RandomNight(seed: 77, accounts: 20).input
    try night.run(input, files: 1, seed: 1)
    for number in 1...3 {
      var part = input.nights(3, seed: UInt64(number))[0]
      part.asOf = input.asOf + number * 86_400
      try night.run(part, files: 1, seed: UInt64(100 + number))
    }
    #expect(try Self.nightsInPart(night) == 3)
  }

  @Test("a night with an affected chain of hundreds of names judges everything")
  func longChain() throws {
    let night = try TestNight()
    let names = (1...400).map { "\(1000 + $0) | \(1001 + $0) | book.emma | 2026-11-14 10:00" }
    try night.transactions(
      (["transaction_id | original_transaction_id | product_id | purchased_at"] + names)
        .joined(separator: "\n"))
    try night.run(asOf: "2026-11-20 03:00")
    for (day, name) in [(21, "1001"), (22, "1401")] {
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at
        D\(name)    | \(name)        | book.emma  | 2026-11-19 10:00
        """)
      try night.run(asOf: "2026-11-\(day) 03:00")
      #expect(try Self.nightsInPart(night) == 0)
      #expect(try night.recompute().corrections == 0)
    }
  }

  /// The number of nights that judged only the affected records.
  private static func nightsInPart(_ night: TestNight) throws -> Int {
    let count = try night.database.connect().run(
      "select count(*) from tieout.run_step where step = 'judge before load'", step: "test")
    return try #require(count.first.flatMap { Int($0) })
  }

  /// Compares what the nights carry forward, and how published months changed.
  ///
  /// - Returns: The tables with a row.
  @discardableResult
  private func expectSame(
    _ carrying: TestNight, _ judging: TestNight, _ what: String, comparingRuns: Bool = true
  ) throws -> Set<String> {
    try Statements(carrying, blanking: []).expectSame(
      as: Statements(judging, blanking: []), what)
    for name in ["control_totals.csv", "rejected_records.csv", "index.html"] {
      // How many transactions were judged in which way is the only difference.
      let texts = try [carrying, judging].map { night in
        try night.report(name).split(separator: "\r\n").filter { !$0.hasPrefix("judged,") }
      }
      #expect(texts[0] == texts[1] || !comparingRuns, "\(what): \(name)")
    }
    let workbooks = try [carrying, judging].map { night in
      try Data(contentsOf: night.reports.appending(path: "latest/reconciliation.xlsx"))
    }
    #expect(workbooks[0] == workbooks[1], "\(what): reconciliation.xlsx")
    // Sorted by all columns.
    let tables = try carrying.carriedTables() + ["restated_entry"]
    let queries = tables.map { "select * from \($0) order by \($0)::text" }
    let mine = try carrying.database.draw(each: queries)
    let others = try judging.database.draw(each: queries)
    for (place, table) in tables.enumerated() {
      #expect(mine[place] == others[place], "\(what): \(table)")
    }
    if comparingRuns {
      let mine = try carrying.database.draw(Self.lives)
      let other = try judging.database.draw(Self.lives)
      #expect(mine == other, "\(what): the life of each finding")
    }
    return Set(zip(tables, mine).filter { $1.contains("\n") }.map(\.0))
  }
}
