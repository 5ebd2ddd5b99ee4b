import DamageTestSupport
import Findings
import Foundation
import NightRun
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("roll_forward.csv")
struct RollForwardTests {
  private static let columns = [
    "opening", "new", "reopened", "reclassified_in", "reclassified_out", "resolved",
    "acknowledged", "returned", "closing",
  ]

  private static func key(_ row: [String: String]) -> [String] {
    ["rule", "reason", "currency"].map { row[$0] ?? "" }
  }

  @Test("each kind of change has its column, in numbers and amounts")
  func planted() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let header =
      "transaction_id | product_id | purchased_at     | price | currency | told_at          | cancelled_at\n"
    try night.transactions(
      header + """
        1 | book | 2026-11-10 10:00 | 1.00  | USD | 2026-11-11 10:00 |
        2 | book | 2026-11-10 10:00 | 2.00  | USD | 2026-11-11 10:00 |
        3 | book | 2026-11-10 10:00 | 4.00  | EUR | 2026-11-11 10:00 |
        """)
    let deliveries =
      "delivery_id | transaction_id | product_id | occurred_at      | status   | revision\n"
    try night.deliveries(
      deliveries + """
        other | 99 | book | 2026-11-10 10:05 | failed |
        """)
    try night.run(asOf: "2026-11-20 03:00")
    func expect(_ rows: String) throws {
      let shown = try night.table("roll_forward.csv").rows(where: "rule", is: "missing_delivery")
        .columns(["reason", "currency"] + Self.columns + ["remeasured_amount", "closing_amount"])
      #expect(shown.text == DrawnTable(rows).text)
    }
    try expect(
      """
      reason          | currency | opening | new | reopened | reclassified_in | reclassified_out | resolved | acknowledged | returned | closing | remeasured_amount | closing_amount
      never_attempted | EUR      | 0       | 1   | 0        | 0               | 0                | 0        | 0            | 0        | 1       |                   | 4.00
      never_attempted | USD      | 0       | 2   | 0        | 0               | 0                | 0        | 0            | 0        | 2       |                   | 3.00
      """)
    // 1 is acknowledged, 2 has an attempt that failed, 3 is delivered.
    _ = try night.acts().acknowledge(
      [try night.name(of: "1 book")], because: "known", until: nil)
    try night.deliveries(
      deliveries + """
        two   | 2 | book | 2026-11-10 10:05 | failed    |
        three | 3 | book | 2026-11-20 10:05 | delivered |
        """)
    try night.run(asOf: "2026-11-21 03:00")
    try expect(
      """
      reason          | currency | opening | new | reopened | reclassified_in | reclassified_out | resolved | acknowledged | returned | closing | remeasured_amount | closing_amount
      failed          | USD      | 0       | 0   | 0        | 1               | 0                | 0        | 0            | 0        | 1       |                   | 2.00
      never_attempted | EUR      | 1       | 0   | 0        | 0               | 0                | 1        | 0            | 0        | 0       |                   |
      never_attempted | USD      | 2       | 0   | 0        | 0               | 1                | 0        | 1            | 0        | 0       |                   |
      """)
    // 1 returns, 2 costs more as older evidence says, and the delivery of 3 is taken back.
    _ = try night.acts().reopen([try night.name(of: "1 book")])
    try night.transactions(
      header + "2 | book | 2026-11-10 10:00 | 2.50 | USD | 2026-11-10 10:00 |")
    try night.deliveries(deliveries + "three | 3 | book | 2026-11-20 10:05 | failed | 1")
    try night.run(asOf: "2026-11-22 03:00")
    try expect(
      """
      reason          | currency | opening | new | reopened | reclassified_in | reclassified_out | resolved | acknowledged | returned | closing | remeasured_amount | closing_amount
      failed          | EUR      | 0       | 0   | 1        | 0               | 0                | 0        | 0            | 0        | 1       |                   | 4.00
      failed          | USD      | 1       | 0   | 0        | 0               | 0                | 0        | 0            | 0        | 1       | 0.50              | 2.50
      never_attempted | USD      | 0       | 0   | 0        | 0               | 0                | 0        | 0            | 1        | 1       |                   | 1.00
      """)
    // A night without news only carries forward; a past day changes no finding.
    try night.run(asOf: "2026-11-23 03:00")
    let quiet = try night.table("roll_forward.csv")
    #expect(quiet.columns(["opening"]).rows == quiet.columns(["closing"]).rows)
    try night.run(asOf: "2026-11-20 04:00")
    let past = try night.table("roll_forward.csv", day: "2026-11-20.2")
    #expect(past.header == quiet.header && past.rows == [])
  }

  @Test(
    "in random nights each opening is the closing before, and the closing is findings.csv",
    arguments: RandomCases.seeds(1))
  func chains(seed: UInt64) throws {
    let night = try TestNight()
    let input = RandomNight(seed: seed &+ 4_700, accounts: 30).input
    var random = Dice(seed)
    var before: [[String]: [String]] = [:]
    var hasAmounts = false
    for (number, part) in input.nights(4, seed: seed).enumerated() {
      var part = part
      part.asOf = input.asOf - (3 - number) * 86_400
      try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      let table = try night.table("roll_forward.csv")
      var closings: [[String]: [String]] = [:]
      for row in table.records {
        let key = Self.key(row)
        #expect(
          [row["opening"] ?? "", row["opening_amount"] ?? ""] == before[key] ?? ["0", ""],
          "\(key)")
        if row["closing"] != "0" {
          closings[key] = [row["closing"] ?? "", row["closing_amount"] ?? ""]
        }
      }
      #expect(Set(before.keys).isSubset(of: table.records.map(Self.key)))
      let open = try night.table("findings.csv").records.filter { $0["status"] != "acknowledged" }
      let counts = Dictionary(grouping: open, by: Self.key).mapValues { "\($0.count)" }
      #expect(closings.mapValues { $0[0] } == counts)
      for (key, closing) in closings {
        let findings = open.filter { Self.key($0) == key }
        let amounts = findings.compactMap { $0["amount"].flatMap { Decimal(string: $0) } }
        let sum = amounts.isEmpty ? nil : amounts.reduce(0, +)
        #expect((closing[1].isEmpty ? nil : Decimal(string: closing[1])) == sum, "\(key)")
        hasAmounts = hasAmounts || sum != nil
      }
      before = closings
      // Somebody acknowledges some of them.
      let names = open.compactMap { $0["finding"] }.filter { _ in random.chance(20) }
      if !names.isEmpty {
        _ = try night.acts().acknowledge(names, because: "known", until: nil)
      }
    }
    #expect(hasAmounts)
  }
}
