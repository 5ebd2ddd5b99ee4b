package import PostgreSQL

/// The planner's statistics of the ledger.
extension Connection {
  /// Runs `body` in the current transaction; what it analyzes gives a quarter of the usual sample.
  ///
  /// This sample says as much about keys that are all different and columns with a few values. A
  /// cluster passes `set local` on to its workers, but not `set_config`.
  @discardableResult
  package func samplingFewRows<Result>(step: String, _ body: () throws -> Result) throws -> Result {
    try run("set local default_statistics_target = 25", step: step)
    let result = try body()
    try run("set local default_statistics_target to default", step: step)
    return result
  }

  /// Analyzes the large tables on the workers of a cluster.
  ///
  /// Each SQL statement is sent alone. Several in one message can wait for each other on different
  /// workers.
  package func analyzeOnWorkers(step: String) throws(PostgreSQLError) {
    for table in ["stored_evidence", "merged_transaction", "stored_delivery"] {
      try run("analyze \(table)", step: step)
    }
  }
}
