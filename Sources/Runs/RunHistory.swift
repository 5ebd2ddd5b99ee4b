import PostgreSQL
import ReconciliationSQL

/// The runs that the database has recorded.
package struct RunHistory {
  private let database: String

  /// Prepares to read the runs of a database.
  package init(database: String) {
    self.database = database
  }

  /// The newest runs, newest first.
  package func newest(_ count: Int) throws -> QueryTable {
    try table(SQLFile.runList, [nil, "\(count)"])
  }

  /// One run as a table with one row, or without rows if there is no such run.
  package func run(_ number: Int) throws -> QueryTable {
    try table(SQLFile.runList, ["\(number)", nil])
  }

  /// The steps of one run, in order.
  ///
  /// A rate is given for a step that took at least a tenth of a second.
  package func steps(of run: Int) throws -> QueryTable {
    try table(
      SQLFile.runStepList, ["\(run)"],
      units: ["rows_per_second": "rows/s", "megabytes": "MB", "megabytes_per_second": "MB/s"])
  }

  /// The newest entries of the journal, the newest last.
  package func journal(_ count: Int) throws -> QueryTable {
    try table(SQLFile.runJournal, ["\(count)"])
  }

  /// Says that no night was done yet, and in which database; nil if a night was done.
  package func wordsIfBeforeFirstNight() throws -> String? {
    let connection = try Connection(database, applicationName: "tieout runs")
    let isBefore = try connection.reading {
      try connection.run(SQLFile.runNewestNight).records.isEmpty
    }
    return isBefore ? RunRecord.wordsBeforeFirstNight(in: connection) : nil
  }

  /// Says that a run of a past day has changed the ledger, and no night has judged it; nil if none
  /// has.
  ///
  /// Until the next night, explanations are about all records, and the findings are not.
  package func wordsIfUnjudged() throws -> String? {
    let connection = try Connection(database, applicationName: "tieout runs")
    let newest = try connection.reading { try connection.run(SQLFile.runNewestNight).records.first }
    guard let newest, !newest.flag("is_judged") else { return nil }
    return """
      A run of a past day has changed the ledger, and no night has judged it since, so tieout explain and \
      tieout findings can contradict each other. Start tieout run, and ask again.
      """
  }

  private func table(
    _ file: SQLFile, _ parameters: [String?], units: [String: String] = [:]
  ) throws -> QueryTable {
    let connection = try Connection.toLedger(database, as: "tieout runs")
    return QueryTable(try connection.alone(file, parameters), units: units)
  }
}
