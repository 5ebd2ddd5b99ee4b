/// An error of the server or of the connection to it.
package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// The kind of error.
  package enum Code: Sendable {
    /// The server cannot be reached, or the connection broke.
    case connectionFailed
    /// The server refused or could not finish an SQL statement.
    case statementFailed
    /// The SQL statement was cancelled on request.
    case cancelled
  }

  /// The kind of error.
  package let code: Code
  /// The step that failed: usually the name of the SQL file.
  package let step: String
  /// The server's SQLSTATE (PostgreSQL manual, appendix A); nil if the server did not answer.
  package let sqlState: String?
  /// The message of the server or of libpq.
  ///
  /// It has no parameters and no DETAIL field, which can contain a customer's data.
  package let message: String

  /// Creates an error.
  ///
  /// White space at the end of `message` is removed.
  package init(code: Code, step: String, sqlState: String? = nil, message: String) {
    self.code = code
    self.step = step
    self.sqlState = sqlState
    var text = Substring(message)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    self.message = String(text)
  }

  /// Whether the server may have done the SQL statement, because the connection ended without its
  /// answer.
  package var hasNoAnswer: Bool {
    code == .connectionFailed || code == .cancelled && sqlState == nil
  }

  /// One line for the operator: step, SQLSTATE, message.
  package var description: String {
    let state = sqlState.map { " [\($0)]" } ?? ""
    return "\(step)\(state): \(message)"
  }
}
