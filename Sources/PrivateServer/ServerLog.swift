import FileSystem
import Glibc

/// The log of the server.
///
/// Its folder belongs to the server's user, who could put a link there to a file that only root can
/// read. Error messages contain lines of the log, so only a regular file of that user is read.
struct ServerLog {
  let path: String
  let user: ServerUser

  /// The most bytes that are read from its end.
  private static let limit = 64 * 1024

  /// Its size in bytes; 0 if there is no log of the server's user.
  var size: Int {
    var status = stat()
    return lstat(path, &status) == 0 && isLog(status) ? Int(status.st_size) : 0
  }

  /// The last lines that were written after a position in bytes, at most fifteen.
  ///
  /// A log that is shorter than that was begun again, and is read from its start.
  func tail(from position: Int) -> String {
    // O_NONBLOCK: opening a pipe would wait for its writer.
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, isLog(status) else { return "" }
    let size = Int(status.st_size)
    let start = max(size < position ? 0 : position, size - Self.limit)
    var bytes = [UInt8](repeating: 0, count: size - start)
    let count = retrying { pread(file, &bytes, bytes.count, start) }
    // The optional local.conf is usually missing, and that is never the reason.
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .filter { !$0.contains("skipping missing configuration file") }.suffix(15)
      .joined(separator: "\n")
  }

  private func isLog(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_uid == user.uid
  }
}
