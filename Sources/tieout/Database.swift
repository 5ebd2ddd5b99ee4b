import Configuration
import Logging
import PostgreSQL
import PrivateServer
import Runs

/// The database in use.
///
/// It is the one in the settings, or else the one in libpq's environment, or else the private
/// server.
enum Database {
  /// The environment variables that name a server (libpq, "Environment Variables").
  private static let libpqVariables = [
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE", "PGSERVICEFILE",
  ]

  /// Calls `body` with a libpq connection string.
  ///
  /// The private server runs until `body` returns.
  static func use<Result>(
    _ settings: Settings, logger: Logger, _ body: (String) throws -> Result
  ) throws -> Result {
    try useWithPrograms(settings, logger: logger) { database, _ in try body(database) }
  }

  /// Calls `body` as ``use(_:logger:_:)`` does, and also with the folder of the private server's
  /// programs; nil for another server.
  static func useWithPrograms<Result>(
    _ settings: Settings, logger: Logger,
    _ body: (_ database: String, _ programs: String?) throws -> Result
  ) throws -> Result {
    try StopSignals.whileAtWork {
      let environment = ProgramEnvironment.variables
      // The program removes the password from its environment, so libpq does not find it.
      let password = environment[ProgramEnvironment.passwordVariable]
      if let database = settings.database {
        let text = try text(of: database, isOption: settings.onCommandLine.contains("database"))
        return try named(text.text(orPassword: password)) { try body($0, nil) }
      }
      if libpqVariables.contains(where: { environment[$0]?.isEmpty == false }) {
        return try named(ConnectionText("").text(orPassword: password)) { try body($0, nil) }
      }
      let server = try PrivateServer.open(
        stateDirectory: settings.stateDirectory, programs: settings.postgresPrograms,
        report: ServerReport(
          info: { logger.info("\($0)") }, notice: { logger.notice("\($0)") }))
      defer { server.close() }
      return try named(server.connectionString) { try body($0, server.programs) }
    }
  }

  /// Calls `body` as ``use(_:logger:_:)`` does, with the database of the nights.
  ///
  /// If `body` does not find what a person names, and the database has no night, the error says so:
  /// it is probably another database than that of the nights.
  static func useOfNights<Result>(
    _ settings: Settings, logger: Logger, _ body: (String) throws -> Result
  ) throws -> Result {
    try use(settings, logger: logger) { database in
      do { return try body(database) } catch let error as ReconciliationError
        where error.code == .unknown
      {
        let words = try? RunHistory(database: database).wordsIfBeforeFirstNight()
        guard let words else { throw error }
        throw ReconciliationError(.unknown, "\(error.message) \(words)")
      }
    }
  }

  /// The setting `database` as libpq reads it.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if libpq cannot read it, with `unknown` if
  ///   an option gave it.
  private static func text(of database: String, isOption: Bool) throws -> ConnectionText {
    do { return try ConnectionText(database) } catch {
      throw ReconciliationError(
        isOption ? .unknown : .configuration,
        "\(isOption ? "--database" : "database"): \(error.message)")
    }
  }

  /// Calls `body`; if another session held a lock for too long, the error names that session.
  private static func named<Result>(
    _ database: String, _ body: (String) throws -> Result
  ) throws -> Result {
    do { return try body(database) } catch let error as PostgreSQLError
      where error.sqlState == LockHolders.timedOut
    {
      throw LockHolders.error(after: error, in: database)
    }
  }
}
