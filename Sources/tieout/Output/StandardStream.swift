import Glibc
import Waiting

/// Standard output and standard error.
///
/// Foundation's `FileHandle` ends the process if a write fails, and `print` ignores the failure. So
/// the program writes to these streams only through `StandardOutput` and `StandardError`.
enum StandardStream: Int32 {
  case output = 1
  case errors = 2

  /// How a write ended.
  enum Outcome: Equatable {
    case written
    /// The process got a stop request before everything was written.
    case stopped
    /// The system refused the write, with this number of `errno`.
    case failed(Int32)
  }

  /// Writes bytes, and waits for a reader that is slow.
  ///
  /// - Parameter shouldStop: Called before each part, with whether the stream accepts bytes now.
  func write(_ bytes: [UInt8], unless shouldStop: (_ isReady: Bool) -> Bool) -> Outcome {
    var rest = bytes[...]
    while !rest.isEmpty {
      var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
      let isReady = unsafe poll(&stream, 1, 100) > 0
      if shouldStop(isReady) { return .stopped }
      guard isReady else { continue }
      // A pipe that is ready for writing has room for at least this many bytes (PIPE_BUF).
      let piece = Array(rest.prefix(4096))
      let count = unsafe Glibc.write(rawValue, piece, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return .failed(errno) }
      rest = rest.dropFirst(count)
    }
    return .written
  }

  /// Opens `/dev/null` for each standard stream that the program was started without.
  ///
  /// It is opened in the wrong mode, so that every read or write fails. Otherwise the next file or
  /// connection would get the number of the stream, and messages would be written into it. Call it
  /// before anything is opened.
  static func openClosed() {
    for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is this one.
      unsafe _ = open("/dev/null", mode)
    }
  }
}
