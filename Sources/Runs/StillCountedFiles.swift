package import PostgreSQL
import ReconciliationSQL

/// The withdrawn files that still count, because the tables were not built again since.
package struct StillCountedFiles {
  /// How many there are, at least 1.
  package let number: Int

  /// Counts them; nil if there are none.
  package init?(in database: Connection) throws(PostgreSQLError) {
    number = try database.run(SQLFile.withdrawStillCounted).records.first?.count("files") ?? 0
    if number == 0 { return nil }
  }

  /// The beginning of a sentence about them.
  package var words: String {
    "\(number) withdrawn \(number == 1 ? "file still counts" : "files still count")"
  }
}
