import CLinux
import Glibc

/// A pipe to or from a program.
///
/// `deinit` closes both ends.
final class Pipe {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard tieoutPipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    closeEnd(&readEnd)
    closeEnd(&writeEnd)
  }

  /// Writes the whole input and closes the write end; false if it does not fit or cannot be
  /// written.
  func fill(with text: String) -> Bool {
    // This process holds both ends and a pipe holds 64 kB, so the write neither blocks nor fails
    // without a reader.
    let bytes = Array(text.utf8)
    guard bytes.count <= 65_536 else {
      errno = E2BIG
      return false
    }
    let written = bytes.isEmpty ? 0 : write(writeEnd, bytes, bytes.count)
    closeEnd(&writeEnd)
    return written == bytes.count
  }

  /// Closes this process's write end: only the program that got the pipe writes from now on.
  func handOver() { closeEnd(&writeEnd) }

  /// Appends to `bytes` what arrives within the given milliseconds.
  ///
  /// Sleeps for that time if the pipe is at its end.
  func read(into bytes: inout [UInt8], within milliseconds: Int32) {
    guard readEnd >= 0 else {
      usleep(UInt32(milliseconds) * 1000)
      return
    }
    var ready = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(readEnd, &buffer, buffer.count)
    if count < 0 && errno == EINTR { return }
    guard count > 0 else { return closeEnd(&readEnd) }
    bytes.append(contentsOf: buffer[..<count])
  }

  /// Reads everything that is in the pipe now, without waiting.
  func readRest(into bytes: inout [UInt8]) {
    var length = -1
    while readEnd >= 0, length != bytes.count {
      length = bytes.count
      read(into: &bytes, within: 0)
    }
  }

  private func closeEnd(_ end: inout Int32) {
    if end >= 0 { close(end) }
    end = -1
  }
}
