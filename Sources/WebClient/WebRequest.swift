/// A request to a web server.
package struct WebRequest: Sendable {
  /// The address; only http and https are allowed.
  package var address: String
  /// Further header lines, such as `If-None-Match: "a"`.
  package var headers: [String] = []
  /// The content, sent with POST; nil: the method is GET.
  package var body: [UInt8]?
  /// Whether redirections are followed; never from https to http.
  package var followsRedirects = false
  /// Whether the user name and password for the host come from `~/.netrc`.
  package var takesNamesFromNetrc = false
  /// The largest allowed answer in bytes, after decompression.
  package var limitBytes: Int
  /// The timeouts.
  package var patience = WebPatience()

  /// Creates a request.
  package init(address: String, limitBytes: Int) {
    self.address = address
    self.limitBytes = limitBytes
  }
}

/// The timeouts for a web server.
package struct WebPatience: Sendable {
  /// Timeout until the connection is open.
  package var connect: Duration = .seconds(10)
  /// Timeout until the answer is complete.
  package var total: Duration = .seconds(120)
  /// The time during which an answer may be slower than 100 bytes per second, in whole seconds.
  package var slow: Duration = .seconds(30)

  /// Creates the default timeouts.
  package init() {}
}
