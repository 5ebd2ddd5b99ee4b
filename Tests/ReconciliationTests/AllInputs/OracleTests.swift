import DamageTestSupport
import Foundation
import NightRun
import Oracle
import ReconciliationTestSupport
import Rules
import Testing

@Suite("Statements compared with an independent oracle")
struct OracleTests {
  /// The number of companies that are compared by default.
  private static let few = 5

  /// A random company.
  ///
  /// Of some settings, the first seeds would draw only the usual values. So the seed decides.
  private static func company(_ seed: UInt64) -> NightInput {
    var input = RandomNight(seed: seed, accounts: 100).input
    switch seed % 5 {
    case 0: input.settings.accountsAllowed = 2
    case 2: input.settings.environments = ["Production", "Sandbox"]
    case 3:
      let day = Instant(seconds: input.asOf - 40 * 86_400).rfc3339.prefix(10)
      input.settings.revenueSince = String(day)
    default: break
    }
    input.drawCatalogueAnswers(seed: seed)
    return input
  }

  /// The content of the companies that are compared by default.
  private struct Planted {
    let seed: UInt64
    let settings: OracleSettings
    let obligations: Set<String>
    /// The rules and reasons of the findings.
    let causes: Set<String>
    let ambiguous: [String]
    let liabilities: String
    let statements: Statements

    init(seed: UInt64) {
      let company = OracleTests.company(seed)
      let oracle = Oracle(company)
      let reports = oracle.reports()
      let lines = (reports["obligation"] ?? "").split(whereSeparator: \.isNewline)
      self.seed = seed
      settings = company.settings
      obligations = Set(
        lines.filter { !$0.hasSuffix(",0") }.map { line in "\(line.prefix { $0 != "," })" })
      causes = Set(
        DrawnTable(csv: reports["findings.csv"] ?? "").rows.flatMap { [$0[0], $0[3]] })
      ambiguous = oracle.ambiguousFindings()
      liabilities = reports["liabilities.csv"] ?? ""
      statements = Statements(ofOracle: reports)
    }
  }

  private static let planted = (1...UInt64(few)).map { Planted(seed: $0) }

  @Test(
    "all statements agree with the oracle on random accounts with planted faults",
    arguments: RandomCases.seeds(few))
  func agrees(seed: UInt64) throws {
    let input = Self.company(seed)
    let night = try TestNight()
    try night.run(input, files: 5, seed: seed)
    let expected =
      seed <= Self.few ? Self.planted[Int(seed) - 1].statements : Statements(Oracle(input))
    try Statements(night, blanking: ["detail"])
      .expectSame(
        as: expected,
        "seed \(seed), program against oracle; again: scripts/torture --only 'random night: \(seed)'"
      )
    #expect(try PublishedReports(night.reports).fault() == nil, "seed \(seed)")
  }

  @Test(
    "all statements of a past day agree with the oracle of that day",
    arguments: RandomCases.seeds(1))
  func pastDay(seed: UInt64) throws {
    var input = RandomNight(seed: seed &+ 700, accounts: 60).input
    // A run of a past day can show a refund that had been reversed by then (docs/meaning.md).
    input.signed = []
    let night = try TestNight()
    try night.run(input, files: 3, seed: seed)
    input.asOf -= Int(1 + seed % 9) * 86_400
    let folder = try night.run(asOf: Instant(seconds: input.asOf).rfc3339).folder
    let day = URL(filePath: try #require(folder)).lastPathComponent
    let blanked: Set = ["detail", "first_flagged_on", "status"]
    try Statements(night, blanking: blanked, day: day).expectSame(
      as: Statements(Oracle(input), blanking: blanked), "seed \(seed) as of \(input.asOfText)")
  }

  @Test("catalogues that no longer answer are planted, beside ones that do")
  func plantsSilentCatalogues() {
    let counts = (1...8 as ClosedRange<UInt64>).map { seed in
      var input = RandomNight(seed: seed, accounts: 2).input
      input.drawCatalogueAnswers(seed: seed)
      let findings = DrawnTable(csv: Oracle(input).reports()["findings.csv"] ?? "")
      return findings.rows.filter { $0.contains { $0.hasPrefix("http://") } }.count
    }
    #expect(counts.reduce(0, +) > 2 && counts.contains { $0 < 4 }, "\(counts)")
  }

  @Test("the compared nights plant an obligation of every class")
  func plantsEveryClass() {
    let all: Set = [
      "due", "delivered", "missing", "uncertain", "before_books", "not_due", "refunded",
      "not_listed", "other_delivery", "on_demand",
    ]
    let planted = Self.planted.reduce(into: Set<String>()) { $0.formUnion($1.obligations) }
    #expect(planted == all)
  }

  @Test("the compared nights plant something for every rule")
  func plantsEveryRule() {
    var planted = Self.planted.reduce(into: Set<String>()) { $0.formUnion($1.causes) }
    // The oracle's inputs have no reports of Apple, and nobody closes a period in them. TieOutTests and
    // ClosingTests have their own random nights.
    planted.formUnion(["unexplained_difference", "certificate_withdrawn"])
    let missing = Set(Rule.all.map(\.name) + ["reported_by_app"]).subtracting(planted)
    #expect(missing.isEmpty)
  }

  @Test("the compared nights plant owed deliveries of every age")
  func plantsEveryAge() {
    for age in ["to 30 days", "31 to 60 days", "61 to 90 days", "over 90 days"] {
      #expect(Self.planted.contains { $0.liabilities.contains(age) }, "\(age)")
    }
  }

  @Test("the compared nights have other settings than the usual ones")
  func plantsSettings() {
    let settings = Self.planted.map(\.settings)
    #expect(settings.contains { $0.environments != ["Production"] })
    #expect(settings.contains { $0.revenueSince != nil })
    #expect(settings.contains { $0.accountsAllowed > 1 })
  }

  @Test("in the compared nights no two findings have the same rule, environment and subject")
  func identifiesFindings() {
    for company in Self.planted {
      #expect(company.ambiguous.isEmpty, "seed \(company.seed): \(company.ambiguous)")
    }
  }

  @Test("all statements agree with the oracle on a company of many accounts")
  func agreesOnMany() throws {
    // It has two environments, and a first day of revenue.
    var input = RandomNight(seed: 1_000_003, accounts: 300).input
    input.settings.accountsAllowed = 2
    #expect(input.settings.environments.count == 2 && input.settings.revenueSince != nil)
    let night = try TestNight()
    try night.run(input, files: 20, seed: 7)
    try Statements(night, blanking: ["detail"])
      .expectSame(as: Statements(Oracle(input)), "program against oracle")
  }
}
