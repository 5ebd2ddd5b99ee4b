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

  /// Reads the number of uncertain missing deliveries, the silent periods that make them uncertain,
  /// the newest first, and what the others have in common.
  mutating func readMissing(from database: Connection) throws {
    let rows = try database.run(SQLFile.summaryUncertain).records
    uncertain = try rows.first?.count("uncertain") ?? 0
    uncovered = try rows.first?.count("uncovered") ?? 0
    silences = rows.compactMap { row in
      row["server"].map {
        Silence(server: $0, begin: row.text("begins_at"), end: row.text("ends_at"))
      }
    }
    cause = try Cause.strongest(in: database)
  }
}
