package import PostgreSQL

extension Connection {
  /// Runs `body` in a transaction of its own, and commits it.
  ///
  /// - Parameter begin: The SQL statement that begins it.
  /// - Throws: `PostgreSQLError`, or what `body` throws. Nothing has changed then.
  package func inTransaction<Result>(
    _ begin: String = Schema.begin, _ body: () throws -> Result
  ) throws -> Result {
    try run(begin, step: "begin")
    do {
      try run(Schema.transactionSettings, step: "begin")
      let result = try body()
      try run("commit", step: "commit")
      return result
    } catch {
      // A broken connection has rolled back by itself.
      _ = try? run("rollback", step: "rollback")
      throw error
    }
  }

  /// Runs `body` in a transaction that takes no lock for which a night would wait.
  ///
  /// - Throws: `PostgreSQLError`, or what `body` throws.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try inTransaction("begin read only", body)
  }
}
