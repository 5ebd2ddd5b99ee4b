import DamageTestSupport
import Oracle
import Reconciliation
import ReconciliationTestSupport
import Testing

@Suite("Statements compared with an independent oracle")
struct OracleTests {
  @Test(
    "all statements agree with the oracle on random accounts with planted faults",
    arguments: RandomCases.seeds(12))
  func agrees(seed: UInt64) throws {
    let input = RandomNight(seed: seed, accounts: 100).input
    let night = try TestNight()
    try night.run(input, files: 5, seed: seed)
    try Statements(night, blanking: ["detail"])
      .expectSame(
        as: Statements(Oracle(input)),
        "seed \(seed), program against oracle; again: scripts/torture --only 'random night: \(seed)'"
      )
  }

  @Test("the random nights plant something for every rule")
  func plantsEveryRule() {
    var planted: Set<String> = []
    for seed in 1...8 as ClosedRange<UInt64> {
      let findings = Oracle(RandomNight(seed: seed, accounts: 60).input).reports()["findings.csv"]
      for row in DrawnTable(csv: findings ?? "").rows { planted.formUnion([row[0], row[3]]) }
    }
    let missing = Set(Rule.all.map(\.name) + ["reported_by_app"]).subtracting(planted)
    #expect(missing.isEmpty)
  }

  @Test("all statements agree with the oracle on a company of many accounts")
  func agreesOnMany() throws {
    let input = RandomNight(seed: 1_000_003, accounts: 2500).input
    let night = try TestNight()
    try night.run(input, files: 20, seed: 7)
    try Statements(night, blanking: ["detail"])
      .expectSame(as: Statements(Oracle(input)), "program against oracle")
  }
}
