import PostgreSQL
import ReconciliationSQL

/// The runs that the database has recorded.
package struct RunHistory {
  /// A table of text.
  package struct Table {
    /// The columns' names.
    package let header: [String]
    /// The rows; missing values are empty.
    package let rows: [[String]]
  }

  private let database: String

  /// Prepares to read the runs of a database.
  package init(database: String) {
    self.database = database
  }

  /// The newest runs, newest first.
  package func newest(_ count: Int) throws -> Table {
    try table(SQLFile.runList, [nil, "\(count)"])
  }

  /// One run as a table with one row, or without rows if there is no such run.
  package func run(_ number: Int) throws -> Table {
    try table(SQLFile.runList, ["\(number)", nil])
  }

  /// The steps of one run, in order.
  ///
  /// A rate is given for a step that took at least a tenth of a second.
  package func steps(of run: Int) throws -> Table {
    try table(
      SQLFile.runStepList, ["\(run)"],
      units: ["rows_per_second": "rows/s", "megabytes": "MB", "megabytes_per_second": "MB/s"])
  }

  /// The newest entries of the journal, the newest last.
  package func journal(_ count: Int) throws -> Table {
    try table(SQLFile.runJournal, ["\(count)"])
  }

  /// - Parameter units: The columns whose heading is their unit, with that heading.
  private func table(
    _ file: SQLFile, _ parameters: [String?], units: [String: String] = [:]
  ) throws -> Table {
    let connection = try Connection(database, applicationName: "tieout runs")
    try Schema.bringUpToDate(connection)
    let rows = try connection.alone(file, parameters)
    return Table(
      header: rows.columns.map { units[$0] ?? $0 },
      rows: rows.values.map { row in row.map { $0 ?? "" } })
  }
}
