import Crypto
import Glibc

/// A regular file's bytes as they lie on disk, hashed on the way.
final class RawFile {
  private let path: String
  /// Nothing is read beyond; nil: to the end.
  private let byteLimit: Int64?
  private var descriptor: Int32 = -1
  private var hash = SHA256()
  /// How many bytes were read.
  private(set) var byteCount: Int64 = 0
  /// Why reading stopped before the end.
  private(set) var problem: RecordProblem?

  init(path: String, byteLimit: Int64? = nil) {
    self.path = path
    self.byteLimit = byteLimit
  }

  deinit {
    close()
  }

  /// Opens the file without waiting for anybody, and refuses what is no regular file.
  func open() throws(RecordProblem) {
    descriptor = Self.retrying { Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else {
      // A socket cannot be opened, a pipe or a device perhaps not.
      if errno == ENXIO || errno == ENODEV { throw notAFile }
      throw unreadable(errno, "opened")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno, "examined") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      // Nothing is ever read from it: a device may have no end.
      close()
      throw notAFile
    }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// Reads on; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = byteLimit.map { min(target.count, Int($0 - byteCount)) } ?? target.count
    guard descriptor >= 0, problem == nil, wanted > 0 else { return 0 }
    let count = Self.retrying { Glibc.read(descriptor, target.baseAddress, wanted) }
    guard count >= 0 else {
      problem = unreadable(errno, "read to its end")
      return 0
    }
    byteCount += Int64(count)
    hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: target[..<count]))
    return count
  }

  /// Reads what is left for the hash alone, and closes the file.
  func finish(with scratch: UnsafeMutableRawBufferPointer) {
    while read(into: scratch) > 0 {}
    close()
  }

  /// The SHA-256 of all that was read.
  var sha256: [UInt8] { Array(hash.finalize()) }

  private func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  private var notAFile: RecordProblem {
    RecordProblem(
      .notAFile, "This is a folder, a pipe, a socket or a device; put regular files into the inbox."
    )
  }

  private func unreadable(_ code: Int32, _ action: String) -> RecordProblem {
    RecordProblem(
      .unreadable,
      "The file could not be \(action) (\(String(cString: strerror(code)))); "
        + "check that it is still there and may be read.")
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
