import PostgreSQL
import ReconciliationSQL
import Runs

/// The closed periods, with their states.
package struct ClosedPeriods {
  /// The columns' names.
  package let header: [String]
  /// The rows in the order of the days; a missing value is empty.
  package let rows: [[String]]

  /// Reads them in a transaction that takes no lock for which a night would wait.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  package init(in database: String) throws {
    let connection = try Connection(database, applicationName: "tieout periods")
    try Schema.bringUpToDate(connection)
    try connection.run("begin read only", step: "begin")
    try connection.run(Schema.transactionSettings, step: "begin")
    let table = try connection.run(SQLFile.periodList.text, step: SQLFile.periodList.name)
    try connection.run("commit", step: "commit")
    header = table.columns
    rows = table.values.map { row in row.map { $0 ?? "" } }
  }
}
