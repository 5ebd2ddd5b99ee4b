import Glibc
import Runs
import Waiting

/// Writes a command's output while the command uses the database.
///
/// A stop request ends a write that waits for a reader. Otherwise a reader that does not read would
/// keep the database in use permanently.
enum StandardOutput {
  /// Writes a text without a line end.
  ///
  /// If the reader has closed the pipe, it does not want the rest.
  ///
  /// - Throws: ``ReconciliationError`` with `stopped`, or with `reports` if the output cannot be
  ///   written.
  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes a text and a line end.
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
      // A pipe that is ready for writing has room for at least this many bytes (PIPE_BUF).
      let piece = Array(rest.prefix(4096))
      let count = unsafe Glibc.write(STDOUT_FILENO, piece, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count < 0, errno == EPIPE { return }
      guard count > 0 else {
        let words = unsafe String(cString: strerror(errno))
        throw ReconciliationError(
          .reports,
          "The output could not be written (\(words)). Make room, or write it to another place.")
      }
      rest = rest.dropFirst(count)
    }
  }
}
