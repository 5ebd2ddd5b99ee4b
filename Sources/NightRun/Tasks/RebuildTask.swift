import Configuration
import Inbox
import Intake
import Ledger
import PostgreSQL
import Runs

/// Builds the ledger again from all loaded files that are not withdrawn.
struct RebuildTask: NightTask {
  let work: NightWork
  /// The folders that are searched for files that the inbox no longer has.
  let archives: [String]

  /// Reads all files that count into the staging tables, under their existing numbers.
  ///
  /// - Throws: ``MissingFiles``; ``ReconciliationError`` with `stopped` if a file changed while it
  ///   was read.
  func read() throws -> [Staging.Result] {
    let keeping = try NameKeeping(work.settings, in: work.database, mayChange: true)
    work.names = keeping
    let intake = IntakeSettings(
      work.settings, trusting: work.roots, naming: keeping.pseudonyms)
    let counted = try CountedFile.all(in: work.database)
    let found = try work.steps.measure("find files") {
      var search = try FileSearch(
        inboxOf: work.settings, archives: archives, stop: work.night.stop)
      return try search.find(counted)
    }
    try work.steps.measure("empty staging") { try Staging.empty(work.database) }
    let staging = Staging(
      database: work.night.database, settings: intake,
      connections: work.settings.loadConnections, stop: work.night.stop)
    let numbers = found.map { $0.0.fileID }
    let results = try work.steps.measure("read", size: StepSize.init(of:)) {
      try staging.fill(found.map { $0.1 }, fileID: { numbers[$0] }) {
        work.steps.advance(to: $0, of: $1)
      }
    }
    let hashes = Dictionary(uniqueKeysWithValues: counted.map { ($0.fileID, $0.sha256) })
    for result in results where result.sha256 != hashes[result.fileID] {
      throw ReconciliationError(
        .stopped,
        """
        \(result.file.location) changed while it was read; nothing was rebuilt. Run it again when no \
        program writes there.
        """)
    }
    return results
  }

  /// Empties the ledger and fills it from the staged rows.
  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    let rebuilt = try ledger.rebuild(from: read, steps: work.steps)
    work.summary.rejectedForTheFirstTime = rebuilt.newlyRejected
    return Loaded(new: [], counts: rebuilt.counts)
  }
}
