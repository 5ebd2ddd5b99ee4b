import DamageTestSupport
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("One silent hour of one of three servers, planted in a random night")
struct PlantedSilenceTests {
  @Test(
    "the silent hour is one finding, its deliveries are uncertain, and the late log resolves both",
    arguments: RandomCases.seeds(1))
  func silence(seed: UInt64) throws {
    let planted = PlantedSilence(seed: seed)
    let whole = try TestNight()
    try whole.run(planted.whole, files: 2, seed: seed)
    let night = try TestNight()
    try night.run(planted.silenced, files: 2, seed: seed)

    // Findings of the whole log are also found without that hour. The silent source and the
    // uncertain deliveries are added.
    let known = try Set(found(whole))
    let added = try found(night).filter { !known.contains($0) }
    let silent = added.filter { $0[0] == "silent_source" }
    #expect(
      silent == [["silent_source", "error", "\(planted.source) \(planted.begin.rfc3339)", ""]])
    let unknown = added.filter { $0[0] == "missing_delivery" }
    #expect(unknown.allSatisfy { $0[1] == "warning" && $0[3] == "no_records" }, "seed \(seed)")
    #expect(
      Set(unknown.map { String($0[2].prefix { $0 != " " }) }) == planted.transactions,
      "seed \(seed)")
    #expect(added.count == silent.count + unknown.count, "seed \(seed): \(added)")

    // The log arrives with the next night, or after others.
    var next = planted.whole
    next.asOf += Int(seed % 3) * 86_400
    try night.run(next, files: 3, seed: seed &+ 1)
    let later = try TestNight()
    try later.run(next, files: 1, seed: seed)
    try Statements(night, blanking: ["first_flagged_on", "status"]).expectSame(
      as: Statements(later, blanking: ["first_flagged_on", "status"]), "seed \(seed), arrived")
    let left = try found(night).map { $0[2] }
    #expect(!left.contains("\(planted.source) \(planted.begin.rfc3339)"))
  }

  private func found(_ night: TestNight) throws -> [[String]] {
    try night.table("findings.csv").columns(["rule", "level", "subject", "reason"]).rows
  }
}
