import NightRun
import Oracle
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Runs
import Testing

/// What a run says about a worker that it cannot use.
extension ClusterTests {
  @Test("a run does not start while a worker does not answer, and names the worker")
  func closedPort() throws {
    let night = try Self.night(on: .workers)
    let parts = RandomNight(seed: 937, accounts: 5).input.nights(2, seed: 5)
    try night.run(parts[0], files: 1, seed: 1)
    let node = try Node(.worker, of: night)
    let place = "\(node.host):1"
    try node.whileAtPort("1", night.database.connect()) {
      #expect { try night.run(parts[1], files: 1, seed: 2) } throws: { error in
        let error = error as? ReconciliationError
        return error?.code == .schema
          && error?.message.contains("\(place) does not answer") == true
      }
    }
    try night.run(parts[1], files: 1, seed: 2)
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a run that loses its session on a worker names the worker, and the next run is right")
  func lostSession() throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .workers)
    let parts = RandomNight(seed: 929, accounts: 25).input.nights(2, seed: 5)
    for night in [single, clustered] { try night.run(parts[0], files: 2, seed: 1) }
    let node = try Node(.worker, of: clustered)
    clustered.whileRunning = { progress in
      if progress.step == SQLFile.loadMerge.name { try? node.endSessions() }
    }
    #expect { try clustered.run(parts[1], files: 2, seed: 2) } throws: { error in
      error is PostgreSQLError && "\(error)".contains(node.name)
    }
    clustered.whileRunning = { _ in }
    for night in [single, clustered] { try night.run(parts[1], files: 2, seed: 2) }
    try expectSameReports(single, clustered, "after a lost session")
  }

  @Test("only a night that brings more than a tenth of the ledger analyzes it on the workers")
  func statistics() throws {
    let night = try Self.night(on: .workers)
    func countOfAnalyzed() throws -> Int {
      try Self.sumOfShards("select pg_stat_get_analyze_count('%s'::regclass)", of: night)
    }
    let input = RandomNight(seed: 983, accounts: 25).input
    let before = try countOfAnalyzed()
    try night.run(input, files: 2, seed: 1)
    let first = try countOfAnalyzed()
    #expect(first > before)
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n1 | book.emma | 2026-11-18 10:00")
    try night.run(asOf: "2030-01-01 03:00")
    #expect(try countOfAnalyzed() == first)
  }

  @Test("a large first night builds the indexes of the shards at its end, and none is missing")
  func indexes() throws {
    let night = try Self.night(on: .workers)
    func ofIndexes(_ value: String) throws -> Int {
      let query = "select coalesce(\(value), 0) from pg_index where indrelid = '%s'::regclass"
      return try Self.sumOfShards(query, of: night)
    }
    let (count, numbers) = try (ofIndexes("count(*)"), ofIndexes("sum(indexrelid::bigint)"))
    #expect(count > 0)
    let lines = (1...15_000).map { number in
      """
      {"delivery_id":"D\(number)","transaction_id":"\(number)","product_id":"book.emma","status":"delivered",\
      "occurred_at":"2026-11-18T10:00:00Z"}\n
      """
    }
    try night.put(lines.joined(), at: "deliveries/many.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try ofIndexes("count(*)") == count)
    // New indexes have other numbers.
    #expect(try ofIndexes("sum(indexrelid::bigint)") != numbers)
    #expect(try night.recompute().corrections == 0)
  }

  /// The sum of a number that a query gives on each shard; `%s` in it is the shard.
  private static func sumOfShards(_ query: String, of night: TestNight) throws -> Int {
    let sum = try night.database.connect().run(
      """
      select sum(result::bigint)
      from unnest(array['lone_evidence', 'merged_transaction', 'stored_delivery']) as part (name)
      cross join lateral run_command_on_shards('tieout.' || name, $1)
      """, [query], step: "test")
    return try #require(sum.first.flatMap { Int($0) })
  }
}
