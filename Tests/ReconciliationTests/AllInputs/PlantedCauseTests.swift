import DamageTestSupport
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("Planted causes")
struct PlantedCauseTests {
  @Test("a planted cause comes first in causes.csv in 99 of 100 random nights")
  func first() throws {
    var missed: [String] = []
    let all = RandomCases.seeds(20)
    for seed in all {
      let planted = PlantedCause(seed: seed)
      let night = try TestNight()
      try night.run(planted.input, files: 1, seed: seed)
      let names = ["dimension", "value", "second_dimension", "second_value"]
      let rows = try night.table("causes.csv").columns(names).rows
      if rows.first != planted.names {
        missed.append("\(seed): \(planted.names), not \(rows.first ?? [])")
      }
      if seed <= 3 {
        try Statements(night, blanking: ["detail"])
          .expectSame(as: Statements(Oracle(planted.input)), "seed \(seed), program against oracle")
      }
    }
    #expect(missed.count * 100 <= all.count, "\(missed)")
  }
}
