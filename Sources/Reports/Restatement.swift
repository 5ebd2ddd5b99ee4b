import PostgreSQL
import ReconciliationSQL
import Runs

/// How ended months differ from what was last published about them, after the newest night.
package struct Restatement {
  /// One number of a month, product, currency and source of amounts.
  package struct Row: Sendable {
    /// The values of the columns of restatement.csv that have one.
    package let values: [String: String]
    /// The causes of the difference with their parts, in the order of the columns.
    package let causes: [String]
  }

  /// The rows in the order of the report, without those whose causes cancel each other.
  package let rows: [Row]
  /// Whether the month, or with nil any ended month, was published; before that there is nothing to
  /// compare with.
  package let hasPublished: Bool

  /// Reads the restatement in a transaction that takes no lock for which a night would wait.
  ///
  /// - Parameters:
  ///   - month: Only this month, YYYY-MM; nil: all.
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: `PostgreSQLError`; ``ReconciliationError`` if the schema cannot be used.
  package init(of month: String?, in database: String) throws {
    let connection = try Connection.toLedger(database, as: "tieout restate")
    let (published, table) = try connection.reading {
      (
        try connection.run(SQLFile.restatedHasPublished, [month]),
        try connection.run(SQLFile.reportRestatement)
      )
    }
    hasPublished = published.records.first?.flag("has_published") == true
    let causes = table.columns.drop { $0 != "published" }.dropFirst()
      .prefix { $0 != "difference" }
    let differing = table.records.filter { record in
      let difference = record["difference"] ?? ""
      return (month == nil || record["month"] == month)
        && difference.contains { $0.isNumber && $0 != "0" }
    }
    rows = differing.map { record in
      let values = record.values
      return Row(
        values: values,
        causes: causes.compactMap { cause in values[cause].map { "\(cause) \($0)" } })
    }
  }
}
