package import PostgreSQL
package import ReconciliationSQL

/// How a transaction that did not fail ends.
package enum TransactionEnd: String {
  /// It is committed, as an effect of its own (`Effect.commit`) that tests can interrupt.
  case commit
  /// It is committed as well, but without ``Effect/commit``: tests interrupt its end like any other
  /// SQL statement.
  case end
  /// It is rolled back.
  case rollback
}

extension Connection {
  /// Runs `body` in a transaction of its own.
  ///
  /// - Parameters:
  ///   - begin: The SQL that begins it.
  ///   - end: How it ends if `body` succeeds.
  /// - Throws: `PostgreSQLError`, or what `body` throws. Nothing has changed then, unless the connection
  ///   broke during the commit: then the server may have committed.
  package func inTransaction<Result>(
    _ begin: String = Schema.begin, endingWith end: TransactionEnd = .commit,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      try run("\(begin); \(Schema.transactionSettings)", step: "begin")
      let result = try body()
      try run(end.rawValue, step: end.rawValue)
      return result
    } catch {
      // A broken connection has rolled back by itself.
      _ = try? run("rollback", step: "rollback")
      throw error
    }
  }

  /// Selects a run: all later queries of the transaction judge as of this run.
  package func select(run runID: String, step: String) throws(PostgreSQLError) {
    try run("select set_config('tieout.run_id', $1, true)", [runID], step: step)
  }

  /// Runs `body` in a transaction that takes no lock for which a night would wait.
  ///
  /// - Throws: `PostgreSQLError`, or what `body` throws.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try inTransaction("begin read only", endingWith: .end, body)
  }

  /// Runs one query or command in its own transaction, at the isolation level of the role.
  @discardableResult
  package func alone(_ sql: String, _ parameters: [String?] = [], step: String) throws -> Rows {
    try inTransaction("begin", endingWith: .end) { try run(sql, parameters, step: step) }
  }

  /// Runs the query or the command of a file in its own transaction.
  @discardableResult
  package func alone(_ file: SQLFile, _ parameters: [String?] = []) throws -> Rows {
    try alone(file.text, parameters, step: file.name)
  }
}
