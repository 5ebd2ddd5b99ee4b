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
    /// The system allows no further thread, which a connection attempt needs.
    case noThread
  }

  /// The kind of error.
  package let code: Code
  /// The step that failed: usually the name of the SQL file.
  package let step: String
  /// The server's SQLSTATE (PostgreSQL manual, appendix A); nil if the server did not answer.
  package let sqlState: String?
  /// The message of the server or of libpq.
  ///
  /// It has no parameters and no DETAIL field, which can contain a customer's data. The exception is
  /// the DETAIL field of ``dependentObjects``, which only names objects of the database.
  package let message: String
  /// The worker of a cluster whose error the coordinator passed on, as `host:port`; nil if it is an
  /// error of the server itself.
  package let node: String?

  /// The SQLSTATE of an object that cannot be dropped because others depend on it.
  package static let dependentObjects = "2BP01"

  /// Creates an error.
  ///
  /// White space at the end of `message` is removed.
  package init(
    code: Code, step: String, sqlState: String? = nil, message: String, node: String? = nil
  ) {
    self.code = code
    self.step = step
    self.sqlState = sqlState
    self.node = node
    var text = Substring(message)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    self.message = String(text)
  }

  /// The error of a query whose result is not what the program expects.
  static func unexpected(_ message: String) -> Self {
    Self(code: .statementFailed, step: "result", message: message)
  }

  /// Whether the server may have done the SQL statement, because the connection ended without its
  /// answer.
  ///
  /// A coordinator that passes on an error of a worker has answered.
  package var hasNoAnswer: Bool {
    code == .connectionFailed && node == nil || code == .cancelled && sqlState == nil
  }

  /// One line for the operator: step, SQLSTATE, message, and the worker if the error is a worker's.
  package var description: String {
    let state = sqlState.map { " [\($0)]" } ?? ""
    let place = node.map { " (on \($0))" } ?? ""
    return "\(step)\(state): \(message)\(place)"
  }

  /// The worker that the context of an error names, as `host:port`.
  ///
  /// Other lines of a context can contain a customer's data. The coordinator adds its line after
  /// those of the worker, so the last one counts.
  static func node(in context: String) -> String? {
    context.split(separator: "\n")
      .compactMap { $0.wholeMatch(of: /while executing command on (\S+:[0-9]+)/)?.output.1 }
      .last.map { String($0) }
  }
}
