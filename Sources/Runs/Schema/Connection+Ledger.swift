package import PostgreSQL

extension Connection {
  /// Connects to the database of a ledger, and creates what is missing there.
  ///
  /// - Parameter database: A libpq connection string, or empty for libpq's own environment.
  /// - Throws: `PostgreSQLError`; ``ReconciliationError`` with `schema` for a database or server
  ///   that cannot be used.
  package static func toLedger(
    _ database: String, as applicationName: String
  ) throws -> Connection {
    let connection = try Connection(database, applicationName: applicationName)
    try Schema.bringUpToDate(connection)
    return connection
  }
}
