import PostgreSQL
import ReconciliationSQL
import Runs

/// The closed periods, with their states.
package struct ClosedPeriods {
  /// The columns' names.
  package let header: [String]
  /// The rows in the order of the days; a missing value is empty.
  package let rows: [[String]]

  /// Reads them from the database.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  package init(in database: String) throws {
    let connection = try Connection(database, applicationName: "tieout periods")
    try Schema.bringUpToDate(connection)
    let table = try connection.reading { try connection.run(SQLFile.periodList) }
    header = table.columns
    rows = table.values.map { row in row.map { $0 ?? "" } }
  }
}
