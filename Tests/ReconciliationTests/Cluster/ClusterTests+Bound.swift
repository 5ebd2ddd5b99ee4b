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
    #expect { try clustered.run(parts[0], files: 2, seed: 1) } throws: { Self.isOfBound($0) }
    #expect(try clustered.shownNames() == [])
    clustered.settings.maxCoordinatorRows = 1_000_000
    for night in [single, clustered] { try night.run(parts[0], files: 2, seed: 1) }
    clustered.settings.maxCoordinatorRows = 1
    for attempt in [
      { _ = try clustered.run(parts[1], files: 2, seed: 2) }, { _ = try clustered.recompute() },
    ] {
      #expect { try attempt() } throws: { Self.isOfBound($0) }
    }
    clustered.settings.maxCoordinatorRows = 0
    for night in [single, clustered] { try night.run(parts[1], files: 2, seed: 2) }
    try expectSameReports(single, clustered, "after a refused night")
  }

  /// Whether an error is about the setting, with numbers and a remedy.
  private static func isOfBound(_ error: any Error) -> Bool {
    guard let error = error as? ReconciliationError, error.code == .configuration else {
      return false
    }
    return error.message.contains(/judge \d+ of the ledger's \d+ rows \(\d+ %\)/)
      && error.message.contains("max_coordinator_rows allows 1.")
      && error.message.contains("Nothing was loaded or published. Load fewer")
  }
}
