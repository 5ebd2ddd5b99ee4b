import Glibc

/// A pipe to or from a program; its ends are closed with it.
final class Pipe {
  private(set) var readEnd: Int32
  private(set) var writeEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeEnd(&readEnd)
    closeEnd(&writeEnd)
  }

  /// Puts in all that will ever come through; false if it does not fit or cannot be written.
  func fill(with text: String) -> Bool {
    // Both ends are ours and a pipe holds 64 kB: writing before anyone reads neither blocks nor breaks.
    let bytes = Array(text.utf8)
    guard bytes.count <= 65_536 else {
      errno = E2BIG
      return false
    }
    let written = bytes.isEmpty ? 0 : write(writeEnd, bytes, bytes.count)
    closeEnd(&writeEnd)
    return written == bytes.count
  }

  /// Reads all that comes until the last writer is gone.
  func drain() -> String {
    closeEnd(&writeEnd)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func closeEnd(_ end: inout Int32) {
    if end >= 0 { close(end) }
    end = -1
  }
}
