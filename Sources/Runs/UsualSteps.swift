package import PostgreSQL
import ReconciliationSQL

/// The duration of each step of the last finished run: the only estimate for the next run.
package struct UsualSteps {
  private var steps: [(name: String, seconds: Double)] = []
  /// The index of the first step that is still to come.
  private var next = 0

  /// Creates an empty list, for a database without an earlier run.
  package init() {}

  /// Reads the steps of the newest finished run that was no rebuild: of a past day, or of the
  /// newest one.
  package init(of database: Connection, isOfPastDay: Bool) throws(PostgreSQLError) {
    let rows = try database.run(SQLFile.runUsualStep, [isOfPastDay ? "true" : "false"])
    self.init(
      try rows.records.map { row throws(PostgreSQLError) in
        (
          name: try row.required("step") { $0 },
          milliseconds: try row.required("milliseconds") { Int64($0) }
        )
      })
  }

  /// Takes the steps in their order.
  init(_ steps: [(name: String, milliseconds: Int64)]) {
    self.steps = steps.map { ($0.name, Double($0.milliseconds) / 1000) }
  }

  /// Moves to a step; the steps before it have ended, or are left out tonight.
  mutating func enter(_ name: String) -> RunProgress.Usual? {
    guard !steps.isEmpty else { return nil }
    let place = steps[next...].firstIndex { $0.name == name }
    if let place { next = place + 1 }
    return RunProgress.Usual(
      step: place.map { steps[$0].seconds },
      later: steps[next...].reduce(0) { $0 + $1.seconds })
  }
}
