import Foundation
import PostgreSQL
import Testing

extension LinearCostTests {
  /// The largest number of rows that a part of the plan returns or filters out.
  ///
  /// PostgreSQL prints both numbers for one loop, and the number of loops only in the first line of
  /// a part.
  static func largest(of plan: [String]) -> Int {
    var most = 0
    var loops = 1.0
    for line in plan {
      loops = number(#/ loops=(\d+)/#, line) ?? loops
      // PostgreSQL 18 gives two decimal places.
      let rows = number(#/ rows=(\d+(?:\.\d+)?) loops=/#, line) ?? 0
      let removed = number(#/Rows Removed by [A-Za-z ]+: (\d+(?:\.\d+)?)/#, line) ?? 0
      most = max(most, Int((max(rows, removed) * loops).rounded()))
    }
    return most
  }

  static func lines(of query: String, _ database: Connection) throws -> [String] {
    try database.run("explain (analyze, timing off) \(query)", step: "explain")
      .values.compactMap { $0[0] }
  }

  private static func number(_ pattern: Regex<(Substring, Substring)>, _ line: String) -> Double? {
    line.firstMatch(of: pattern).flatMap { Double($0.1) }
  }

  @Test(
    "rows that a part of a plan returns or filters out are counted in each of its loops",
    arguments: [
      ("actual rows=1 loops=1000", "Rows Removed by Filter: 999", 999_000),
      ("actual rows=1 loops=1000", "Rows Removed by Join Filter: 999", 999_000),
      ("actual rows=1 loops=1000", "Rows Removed by Index Recheck: 999", 999_000),
      ("actual rows=400 loops=1000", "Rows Removed by Filter: 3", 400_000),
      ("actual rows=2.50 loops=1000", "Filter: (line = $1)", 2500),
      ("never executed", "Filter: (line = $1)", 1000),
    ])
  func loops(actual: String, detail: String, most: Int) {
    let plan = """
      Nested Loop  (cost=0.00..17.50 rows=500000 width=4) (actual rows=1000 loops=1)
        ->  Seq Scan on price  (cost=0.00..15.00 rows=1000 width=4) (actual rows=1000 loops=1)
        ->  Seq Scan on sale  (cost=0.00..15.00 rows=1000 width=4) (\(actual))
              \(detail)
      Execution Time: 7.125 ms
      """
    #expect(Self.largest(of: plan.components(separatedBy: "\n")) == most)
  }
}
