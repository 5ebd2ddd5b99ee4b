import Configuration
import Inbox
import Intake
import Ledger
import PostgreSQL
import Runs

extension Night {
  /// Reads all files that count into the staging tables, under their existing numbers.
  ///
  /// - Throws: ``MissingFiles``; ``ReconciliationError`` with `stopped` if a file changed while it
  ///   was read.
  func readCounted(
    in archives: [String], _ intake: IntakeSettings, database: Connection, steps: Steps
  ) throws -> [Staging.Result] {
    let counted = try CountedFile.all(in: database)
    let found = try steps.measure("find files") {
      var search = try FileSearch(folders: [settings.inbox] + archives, stop: stop)
      return try search.find(counted)
    }
    try steps.measure("empty staging") { try Staging.empty(database) }
    let staging = Staging(
      database: self.database, settings: intake, connections: settings.loadConnections, stop: stop)
    let numbers = found.map { $0.0.fileID }
    let results = try steps.measure("read") {
      try staging.fill(found.map { $0.1 }, fileID: { numbers[$0] }) {
        steps.advance(to: $0, of: $1)
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
}
