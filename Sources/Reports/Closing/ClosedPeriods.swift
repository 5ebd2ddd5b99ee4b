import PostgreSQL
import ReconciliationSQL
package import Runs

/// The closed periods, with their states.
package enum ClosedPeriods {
  /// Reads them from a database, in the order of the days.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  package static func table(in database: String) throws -> QueryTable {
    let connection = try Connection.toLedger(database, as: "tieout periods")
    return QueryTable(try connection.reading { try connection.run(SQLFile.periodList) })
  }
}
