import Configuration
import NightRun
import Oracle
import ReconciliationTestSupport
import Runs
import Testing

/// What comes to the coordinator is bounded and reported.
extension ClusterTests {
  @Test("a run refuses to judge more rows on the coordinator than the setting allows")
  func bound() throws {
    let single = try TestNight()
    let clustered = try Self.night(on: .workers)
    let parts = RandomNight(seed: 931, accounts: 25).input.nights(2, seed: 5)
    clustered.settings.maxCoordinatorRows = 1
    #expect { try clustered.run(parts[0], files: 2, seed: 1) } throws: {
      Self.isOfBound($0, remedy: "This run judges everything")
    }
    clustered.settings.maxCoordinatorRows = 1_000_000
    for night in [single, clustered] { try night.run(parts[0], files: 2, seed: 1) }
    clustered.settings.maxCoordinatorRows = 1
    #expect { try clustered.run(parts[1], files: 2, seed: 2) } throws: {
      Self.isOfBound($0, remedy: "Load fewer new files")
    }
    #expect { try clustered.recompute() } throws: {
      Self.isOfBound($0, remedy: "This run judges everything")
    }
    clustered.settings.maxCoordinatorRows = 0
    for night in [single, clustered] { try night.run(parts[1], files: 2, seed: 2) }
    try expectSameReports(single, clustered, "after a refused night")
  }

  /// Whether an error is about the setting, with numbers and a remedy.
  private static func isOfBound(_ error: any Error, remedy: String) -> Bool {
    guard let error = error as? ReconciliationError, error.code == .configuration else {
      return false
    }
    return error.message.contains(/judge \d+ of the ledger's \d+ rows \(\d+ %\)/)
      && error.message.contains("max_coordinator_rows allows 1.")
      && error.message.contains("Nothing was loaded or published. \(remedy)")
  }

  @Test("an edition whose publication failed is not judged again above the setting")
  func boundOfEarlierNight() throws {
    let night = try Self.night(on: .workers)
    let parts = RandomNight(seed: 933, accounts: 5).input.nights(2, seed: 5)
    let node = try Node(.worker, of: night)
    night.whileRunning = { progress in
      if progress.step == "commit" { try? node.prepare("citus_99_1_1_0") }
    }
    #expect(throws: ReconciliationError.self) { try night.run(parts[0], files: 1, seed: 1) }
    night.whileRunning = { _ in }
    try node.end("citus_99_1_1_0")
    night.settings.maxCoordinatorRows = 1
    #expect(throws: ReconciliationError.self) { try night.run(parts[1], files: 1, seed: 2) }
    #expect(try !night.shownNames().contains("latest"))
    night.settings.maxCoordinatorRows = 0
    try night.run(parts[1], files: 1, seed: 2)
    #expect(try night.shownNames().contains("latest"))
  }

  @Test("a very large chain is reported by its name and its number of rows")
  func largeChain() throws {
    let night = try Self.night(on: .workers)
    try night.catalogue("product_id | type\nbook.emma | non_consumable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      77             | book.emma  | 2026-11-14 10:00
      """)
    let lines = (1...10_000).map { number in
      """
      {"delivery_id":"D\(number)","transaction_id":"77","product_id":"book.emma","status":"delivered",\
      "occurred_at":"2026-11-18T10:00:00Z"}\n
      """
    }
    try night.put(lines.joined(), at: "deliveries/many.ndjson")
    let summary = try night.run(asOf: "2026-11-20 03:00")
    let warning = try #require(summary.warnings.first { $0.contains("chain") })
    #expect(warning.contains("77 and book.emma in Production has 10001 transactions"))
  }
}
