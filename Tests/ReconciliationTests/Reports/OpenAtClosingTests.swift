import Configuration
import Findings
import Foundation
import ReconciliationTestSupport
import Reports
import Testing

@Suite("What was open when a period was closed")
struct OpenAtClosingTests {
  /// Findings with the same rule, level, reason, currency and status.
  private struct Group: Equatable {
    var findings = 0
    /// The sum of the known amounts; nil if none is known.
    var amount: Decimal?
  }

  private static func key(_ row: [String: String]) -> [String] {
    ["rule", "level", "reason", "currency", "status"].map { row[$0] ?? "" }
  }

  private static func decimal(_ text: String?) -> Decimal? {
    text.flatMap { Decimal(string: $0) }
  }

  @Test("open.csv has the number and the amount of the findings of findings.csv")
  func sums() throws {
    let night = try TestNight.october()
    try night.transactions(
      TestNight.sales + """
        3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |
        4 | map  | 2026-10-12 10:00 | 8.10 | USD | 2026-10-12 10:00 |
        5 | bok  | 2026-10-12 10:00 | 9.00 | USD | 2026-10-12 10:00 |
        """)
    try night.run(asOf: "2026-11-03 03:00")
    _ = try night.acts().acknowledge(
      [try night.name(of: "1 book")], because: "known", until: nil)
    try night.run(asOf: "2026-11-04 03:00")
    var groups: [[String]: Group] = [:]
    for row in try night.table("findings.csv").records {
      var group = groups[Self.key(row)] ?? Group()
      group.findings += 1
      if let amount = Self.decimal(row["amount"]) { group.amount = (group.amount ?? 0) + amount }
      groups[Self.key(row)] = group
    }
    // One group has several findings, one has no amount, and one is acknowledged.
    #expect(groups.values.contains(Group(findings: 2, amount: Decimal(string: "12.10"))))
    #expect(groups.values.contains { $0.amount == nil })
    #expect(groups.keys.contains { $0.last == "acknowledged" })

    let folder = try ClosingActs.of(night).close(Period("2026-10")).folder
    let file = try String(contentsOfFile: "\(folder)/open.csv", encoding: .utf8)
    let rows = DrawnTable(csv: file).records
    #expect(rows.count == groups.count)
    for row in rows {
      let listed = Group(
        findings: Int(row["findings"] ?? "") ?? 0, amount: Self.decimal(row["amount"]))
      #expect(groups[Self.key(row)] == listed, "\(row)")
    }
  }
}
