package import PostgreSQL
package import ReconciliationSQL

extension Connection {
  /// Runs the SQL of a file; an error names the file.
  @discardableResult
  package func run(_ file: SQLFile) throws(PostgreSQLError) -> Rows {
    try run(file.text, step: file.name)
  }

  /// Runs the query or the command of a file with parameters; an error names the file.
  @discardableResult
  package func run(_ file: SQLFile, _ parameters: [String?]) throws(PostgreSQLError) -> Rows {
    try run(file.text, parameters, step: file.name)
  }

  /// Runs a query that fails if sums do not agree.
  ///
  /// - Parameter otherwise: What has happened, and what to do, if they do not.
  /// - Throws: ``ReconciliationError`` with `unbalanced` if they do not; `PostgreSQLError`.
  package func runCheck(_ file: SQLFile, otherwise: String) throws {
    _ = try explainingSums(otherwise: otherwise) { try run(file) }
  }
}

/// Explains an error of `balanced` in schema_function.sql: sums do not agree.
///
/// - Parameter otherwise: What has happened, and what to do, if `body` throws this error.
/// - Throws: ``ReconciliationError`` with `unbalanced` instead of this error, and the other errors of
///   `body`.
package func explainingSums<Result>(
  otherwise: String, _ body: () throws -> Result
) throws -> Result {
  do { return try body() } catch let error as PostgreSQLError where error.sqlState == "P0001" {
    throw ReconciliationError(.unbalanced, "\(error.message). \(otherwise)")
  }
}

extension Steps {
  /// Runs the SQL of a file as a step with the file's name.
  @discardableResult
  package func run(_ file: SQLFile, in database: Connection) throws -> Rows {
    try measure(file.name, size: StepSize.written) { try database.run(file) }
  }
}
