import Intake
package import PostgreSQL
package import Runs

extension Staging {
  /// The staging tables, by the names in the SQL of the load.
  enum Table: String, CaseIterable {
    case document = "staging_document"
    case evidence = "staging_evidence"
    case delivery = "staging_delivery"
    case catalogue = "staging_catalogue"
    case clientTransaction = "staging_client_transaction"
    case clientInvalidProduct = "staging_client_invalid_product"
    case acknowledgement = "staging_acknowledgement"
    case appleReport = "staging_apple_report"
    case rejection = "staging_rejection"

    /// The table's columns, in the order in which a row's values are written.
    var columns: [String] {
      switch self {
      case .document: StagedRows.documentColumns
      case .evidence: StagedRows.evidenceColumns
      case .delivery: StagedRows.deliveryColumns
      case .catalogue: StagedRows.catalogueColumns
      case .clientTransaction: StagedRows.clientTransactionColumns
      case .clientInvalidProduct: StagedRows.clientInvalidProductColumns
      case .acknowledgement: StagedRows.acknowledgementColumns
      case .appleReport: StagedRows.appleReportColumns
      case .rejection: StagedRows.rejectionColumns
      }
    }
  }

  /// Empties the staging tables that are not empty.
  ///
  /// To truncate a table, the server creates new files and makes them durable, so empty tables are
  /// left out. A backup in progress can lock the tables for hours. Then their rows are deleted
  /// instead.
  ///
  /// - Parameter isLeftIfHeld: Whether the rows of locked tables are left to the next run instead.
  package static func empty(_ database: Connection, unlessHeld isLeftIfHeld: Bool = false) throws {
    let filled = try filledTables(in: database)
    guard !filled.isEmpty else { return }
    do {
      try database.run("begin; \(truncation(of: filled)); commit", step: "empty staging")
    } catch {
      guard error.sqlState == LockHolders.timedOut else { throw error }
      try database.run("rollback", step: "empty staging")
      guard !isLeftIfHeld else { return }
      for table in filled { try database.run("delete from \(table)", step: "empty staging") }
    }
  }

  /// Empties the staging tables at the end of a run that has stored nothing, and releases its lock.
  ///
  /// Without this, its records would stay in the database until the next run.
  ///
  /// - Throws: `PostgreSQLError`, also if another session holds a lock on one of the tables. Then all
  ///   of them stay as they are.
  package static func empty(releasing lock: RunLock) throws {
    try lock.release { database in
      let filled = try filledTables(in: database)
      if !filled.isEmpty { try database.run(truncation(of: filled), step: "empty staging") }
    }
  }

  /// The staging tables that are not empty.
  private static func filledTables(in database: Connection) throws -> [String] {
    // The size of a table is known at once. A query for one row would read the whole table if its
    // rows were deleted and not yet vacuumed.
    let tables = Table.allCases.map { "('tieout.\($0.rawValue)')" }.joined(separator: ", ")
    return try database.run(
      """
      select name
      from (values \(tables)) as staging (name)
      where pg_relation_size(name::regclass) > 0
      order by name
      """, step: "empty staging"
    ).records.compactMap { $0["name"] }
  }

  /// Truncates tables, with a limit to the wait for their locks.
  private static func truncation(of tables: [String]) -> String {
    "\(LockHolders.limitForStaging); truncate \(tables.joined(separator: ", "))"
  }
}
