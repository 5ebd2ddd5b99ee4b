/// What is asked of a web server.
public struct WebRequest: Sendable {
  /// The address; only http and https are asked.
  public var address: String
  /// Further header lines, such as `If-None-Match: "a"`.
  public var headers: [String] = []
  /// What is sent; nil: nothing is, and the method is GET instead of POST.
  public var body: [UInt8]?
  /// Whether an answer that names another address is followed there, never from https to http.
  public var followsRedirects = false
  /// Whether a name and a password for the host are taken from `~/.netrc`.
  public var takesNamesFromNetrc = false
  /// The most bytes that an answer may have, when it is expanded.
  public var limitBytes: Int
  /// How long to wait.
  public var patience = WebPatience()

  /// Makes a request.
  public init(address: String, limitBytes: Int) {
    self.address = address
    self.limitBytes = limitBytes
  }
}

/// How long to wait for a web server.
public struct WebPatience: Sendable {
  /// Until it takes the connection, in milliseconds.
  public var connectMilliseconds = 10_000
  /// Until the answer is there in full, in milliseconds.
  public var totalMilliseconds = 120_000
  /// For how many seconds an answer may come more slowly than 100 bytes a second.
  public var slowSeconds = 30

  /// Makes a usual patience.
  public init() {}
}
