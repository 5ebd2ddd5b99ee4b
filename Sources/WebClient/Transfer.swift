/// The state of one transfer: the part of the answer that has arrived.
final class Transfer {
  private let limitBytes: Int
  private let shouldStop: () -> Bool
  private(set) var body: [UInt8] = []
  private(set) var headers: [String: String] = [:]
  /// Whether the last answer's header is complete.
  ///
  /// libcurl accepts a header that breaks off.
  private(set) var isHeaderWhole = false
  private(set) var isTooLarge = false
  private(set) var isStopped = false

  init(limitBytes: Int, shouldStop: @escaping () -> Bool) {
    self.limitBytes = limitBytes
    self.shouldStop = shouldStop
  }

  /// Receives a part of the content; false ends the transfer.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limitBytes - body.count else {
      isTooLarge = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Receives a header line.
  ///
  /// A status line begins another answer, for instance after a redirection.
  func takeHeader(_ bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes, as: UTF8.self)
    guard !line.hasPrefix("HTTP/") else {
      headers.removeAll()
      body.removeAll()
      isHeaderWhole = false
      return
    }
    if line == "\r\n" || line == "\n" { isHeaderWhole = true }
    guard let colon = line.firstIndex(of: ":") else { return }
    // A server could send an unlimited number of header lines.
    guard headers.count < 200, line.utf8.count < 8192 else { return }
    headers[line[..<colon].lowercased()] = Self.trimmed(line[line.index(after: colon)...])
  }

  /// Whether to continue.
  ///
  /// libcurl asks about once a second, and for each part that arrives.
  func goesOn() -> Bool {
    isStopped = isStopped || shouldStop()
    return !isStopped
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
