/// What the server, or the way to it, answered instead of doing what it was asked.
public struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Sendable {
    /// The server cannot be reached, or the connection broke.
    case connectionFailed
    /// The server refused or could not finish a statement.
    case statementFailed
    /// The statement was cancelled on request.
    case cancelled
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was being done: mostly the name of the SQL file.
  public let step: String
  /// The server's five characters for it (PostgreSQL manual, appendix A), if it answered at all.
  public let sqlState: String?
  /// The server's or libpq's words, without parameters and without the DETAIL field, which can quote
  /// a customer's data.
  public let message: String

  /// Makes an error; `message` is trimmed.
  public init(code: Code, step: String, sqlState: String? = nil, message: String) {
    self.code = code
    self.step = step
    self.sqlState = sqlState
    var text = Substring(message)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    self.message = String(text)
  }

  /// One line for the operator: step, SQLSTATE, words.
  public var description: String {
    let state = sqlState.map { " [\($0)]" } ?? ""
    return "\(step)\(state): \(message)"
  }
}
