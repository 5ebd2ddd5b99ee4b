import Glibc
import Reconciliation
import Waiting

/// What a command says while it still has the database: a reader who reads nothing must not keep it for ever.
enum StandardOutput {
  /// Writes a text as it is.
  ///
  /// - Throws: ``ReconciliationError`` with `stopped`. Whatever else keeps it from being written is nobody's to know,
  ///   as with `print`.
  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes a text and a line's end.
  static func writeLine(_ text: String) throws { try write("\(text)\n") }

  /// Writes bytes.
  static func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      let isReady = unsafe poll(&output, 1, 100)
      guard !StopRequest.ofProcess.isMade else {
        throw ReconciliationError(.stopped, "Stopped before all output was written.")
      }
      guard isReady > 0 else { continue }
      // So many bytes fit into a pipe that has room at all (PIPE_BUF).
      let piece = Array(rest.prefix(4096))
      let count = unsafe Glibc.write(STDOUT_FILENO, piece, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
