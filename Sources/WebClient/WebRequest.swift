/// A request to a web server.
public struct WebRequest: Sendable {
  /// The address; only http and https are allowed.
  public var address: String
  /// Further header lines, such as `If-None-Match: "a"`.
  public var headers: [String] = []
  /// The content, sent with POST; nil: the method is GET.
  public var body: [UInt8]?
  /// Whether redirections are followed; never from https to http.
  public var followsRedirects = false
  /// Whether the user name and password for the host come from `~/.netrc`.
  public var takesNamesFromNetrc = false
  /// The largest allowed answer in bytes, after decompression.
  public var limitBytes: Int
  /// The timeouts.
  public var patience = WebPatience()

  /// Creates a request.
  public init(address: String, limitBytes: Int) {
    self.address = address
    self.limitBytes = limitBytes
  }
}

/// The timeouts for a web server.
public struct WebPatience: Sendable {
  /// Timeout until the connection is open, in milliseconds.
  public var connectMilliseconds = 10_000
  /// Timeout until the answer is complete, in milliseconds.
  public var totalMilliseconds = 120_000
  /// The number of seconds during which an answer may be slower than 100 bytes per second.
  public var slowSeconds = 30

  /// Creates the default timeouts.
  public init() {}
}
