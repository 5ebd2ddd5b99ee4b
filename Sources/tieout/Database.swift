import Configuration
import Foundation
import Logging
import PrivateServer

/// Which database is used: the one that settings or libpq's environment name, else the private one.
enum Database {
  /// What in the environment says that there is a server of the user's own (libpq, "Environment
  /// Variables").
  private static let libpqVariables = [
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE", "PGSERVICEFILE",
  ]

  /// Calls `body` with a libpq connection string; the private server runs as long as it needs it.
  static func use<Result>(
    _ settings: Settings, logger: Logger, _ body: (String) throws -> Result
  ) throws -> Result {
    if let database = settings.database { return try body(database) }
    let environment = ProcessInfo.processInfo.environment
    if libpqVariables.contains(where: { environment[$0]?.isEmpty == false }) { return try body("") }
    let server = try PrivateServer.open(
      stateDirectory: settings.stateDirectory, programs: settings.postgresPrograms
    ) { logger.info("\($0)") }
    defer { server.close() }
    return try body(server.connectionString)
  }
}
