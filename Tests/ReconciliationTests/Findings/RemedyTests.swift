import Configuration
import Foundation
import ReconciliationTestSupport
import Rules
import Testing

/// What `docs/findings.md` says to do about a finding is done, and the finding resolves.
@Suite("The documented remedy of each rule")
struct RemedyTests {
  /// A night with a finding, and what the documentation says to do about it.
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    /// The words in the rule's section of docs/findings.md; line ends count as spaces.
    let says: String
    /// The as-of of the next night.
    var next = "2026-11-21 03:00"
    let plant: @Sendable (TestNight) throws -> Void
    let remedy: @Sendable (TestNight) throws -> Void

    var testDescription: String { "\(rule): \(says)" }
  }

  @Test("each rule has a case")
  func complete() {
    #expect(Set(Rule.all.map(\.name)) == Set(Self.cases.map(\.rule)))
  }

  @Test(
    "a finding is explained by its records, and resolves in the night after the remedy, not before",
    arguments: cases)
  func resolves(_ remedy: Case) throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/findings.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n### \(remedy.rule)\n")
    try #require(parts.count == 2)
    let section = (parts[1].components(separatedBy: "\n#").first ?? "")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(section.contains(remedy.says), "docs/findings.md does not say: \(remedy.says)")

    let night = try TestNight.withOpenBooks()
    try remedy.plant(night)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try count(remedy.rule, in: night) > 0)
    try FindingEvidenceTests.expectEvidence(remedy.rule, in: night)
    // Without the remedy the next night finds it again.
    try night.run(asOf: "2026-11-20 04:00")
    #expect(try count(remedy.rule, in: night) > 0)
    try remedy.remedy(night)
    try night.run(asOf: remedy.next)
    #expect(try count(remedy.rule, in: night) == 0)
    #expect(
      try night.database.draw(
        "select distinct status from finding where rule = '\(remedy.rule)'") == "status\nresolved")
  }

  private func count(_ rule: String, in night: TestNight) throws -> Int {
    try night.table("findings.csv").rows(where: "rule", is: rule).rows.count
  }
}

extension TestNight {
  /// Puts the right file into the inbox, and withdraws the wrong one.
  func replace(_ wrong: String, by right: String, at path: String) throws {
    try put(right, at: path)
    try withdraw(wrong)
    try rebuild()
  }
}
