import PostgreSQL
import ReconciliationSQL
import Reports
import Runs

extension Summary {
  /// A period of hours in which a server that usually logs deliveries logged none.
  package struct Silence: Sendable, Equatable {
    /// The server.
    package let server: String
    /// When the first silent hour began, RFC 3339 in UTC.
    package let begin: String
    /// When the last one ended.
    package let end: String
  }

  /// Reads the number of uncertain missing deliveries, and what the others have in common.
  mutating func readMissing(from database: Connection) throws {
    let numbers = try database.run(SQLFile.summaryUncertain).records.first
    uncertain = try numbers?.count("uncertain") ?? 0
    uncovered = try numbers?.count("uncovered") ?? 0
    if uncertain > 0 { silences = try Self.silences(in: database) }
    cause = try Cause.strongest(in: database)
  }

  /// The silent periods that make missing deliveries uncertain, the newest first.
  private static func silences(in database: Connection) throws -> [Silence] {
    try database.run(SQLFile.summarySilence).records.map { row in
      Silence(
        server: row.text("server"), begin: row.text("begins_at"), end: row.text("ends_at"))
    }
  }
}
