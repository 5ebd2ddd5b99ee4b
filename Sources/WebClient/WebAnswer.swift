/// What a web server answered, in full.
public struct WebAnswer: Sendable {
  /// The status, such as 200.
  public let status: Int
  /// The last answer's headers; their names are in lower case.
  public let headers: [String: String]
  /// The content, expanded where the server had compressed it for the way.
  public let body: [UInt8]
}

/// Why there is no answer.
public struct WebError: Error, Sendable, CustomStringConvertible {
  /// What kind of reason it is.
  public enum Code: Sendable {
    /// No connection, or one that broke before the answer was whole.
    case unreachable
    /// The answer took too long.
    case timedOut
    /// The answer is larger than was allowed.
    case tooLarge
    /// An address or an answer that is no http, or a way from https to http.
    case otherProtocol
    /// The program was told to stop.
    case stopped
  }

  /// What kind of reason it is.
  public let code: Code
  /// libcurl's words; they name the host at most, never what was sent.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The words.
  public var description: String { message }
}
