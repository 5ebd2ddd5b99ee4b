/// The complete answer of a web server.
package struct WebAnswer: Sendable {
  /// The status, such as 200.
  package let status: Int
  /// The last answer's headers; their names are in lower case.
  package let headers: [String: String]
  /// The number of seconds after which the server wants to be asked again, or the seconds until its
  /// date (RFC 9110, 10.2.3); 0 or less if it names none, or a past date.
  package let retryAfter: Int
  /// The content, decompressed.
  package let body: [UInt8]
}

/// The reason why there is no answer.
package struct WebError: Error, Sendable, CustomStringConvertible {
  /// The kind of error.
  package enum Code: Sendable {
    /// There is no connection, or it broke before the answer was complete.
    case unreachable
    /// The answer took too long.
    case timedOut
    /// The answer is larger than the limit.
    case tooLarge
    /// The address or the answer is not HTTP, or a redirection leads from https to http.
    case otherProtocol
    /// The program got a stop request.
    case stopped
  }

  /// The kind of error.
  package let code: Code
  /// libcurl's message.
  ///
  /// It can name the host, but never contains sent data.
  package let message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
