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
      let count = try night.database.connect().run(
        """
        select sum(result::bigint)
        from unnest(array['lone_evidence', 'merged_transaction', 'stored_delivery']) as part (name)
        cross join lateral run_command_on_shards(
            'tieout.' || name, $$select pg_stat_get_analyze_count('%s'::regclass)$$
        )
        """, step: "test")
      return try #require(count.first.flatMap { Int($0) })
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
}
