import FileSystem
import Glibc
import LibCrypto

/// The bytes of a regular file on disk, which are hashed while they are read.
final class RawFile {
  private let place: FilePlace
  /// The number of bytes after which reading stops; nil to read to the end.
  private let byteLimit: Int64?
  private var descriptor: Int32 = -1
  private var hash = RunningHash()
  /// The numbers of first bytes that have a hash of their own, the smallest first.
  private let startBytes: [Int64]
  /// The SHA-256 of the first bytes, by their number, for each start that was read.
  private(set) var startSHA256: [Int64: [UInt8]] = [:]
  /// How many bytes were read.
  private(set) var byteCount: Int64 = 0
  /// The reason why reading stopped before the end.
  private(set) var problem: RecordProblem?

  init(_ place: FilePlace, byteLimit: Int64? = nil, startBytes: [Int64] = []) {
    self.place = place
    self.byteLimit = byteLimit
    self.startBytes = Set(startBytes).filter { $0 > 0 }.sorted()
  }

  deinit {
    close()
  }

  /// Opens the file without waiting for another process, and throws if it is not a regular file.
  func open() throws(RecordProblem) {
    do throws(FileSystemError) { descriptor = try place.openForReading() } catch {
      throw RecordProblem(error)
    }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// Reads more bytes; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    var wanted = target.count
    if let byteLimit { wanted = min(wanted, Int(clamping: byteLimit - byteCount)) }
    // The hash of a start is taken at its end, so no read goes beyond it.
    let start = nextStart
    if let start { wanted = min(wanted, Int(clamping: start - byteCount)) }
    guard descriptor >= 0, problem == nil, wanted > 0 else { return 0 }
    let count = retrying { Glibc.read(descriptor, target.baseAddress, wanted) }
    guard count >= 0 else {
      problem = RecordProblem(FileSystemError(place.location, "read to its end", code: errno))
      return 0
    }
    byteCount += Int64(count)
    hash.update(UnsafeRawBufferPointer(rebasing: target[..<count]))
    if byteCount == start { startSHA256[byteCount] = sha256 }
    return count
  }

  /// The end of the shortest start that was not read completely; nil if there is none.
  private var nextStart: Int64? {
    startSHA256.count < startBytes.count ? startBytes[startSHA256.count] : nil
  }

  /// Goes back to the first byte, as if nothing had been read.
  func rewind() {
    guard descriptor >= 0 else { return }
    problem =
      lseek(descriptor, 0, SEEK_SET) < 0
      ? RecordProblem(FileSystemError(place.location, "read again", code: errno)) : nil
    byteCount = 0
    startSHA256 = [:]
    hash.start(.sha256)
  }

  /// Reads a megabyte of the rest of the file for the hash only.
  ///
  /// - Returns: Whether the file has ended and is closed.
  func finish(with scratch: UnsafeMutableRawBufferPointer) -> Bool {
    let end = byteCount + (1 << 20)
    while byteCount < end {
      guard read(into: scratch) > 0 else {
        close()
        return true
      }
    }
    return false
  }

  /// The SHA-256 of all bytes that were read.
  var sha256: [UInt8] { hash.digestSoFar().bytes }

  private func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }
}

extension RecordProblem {
  /// The problem of a file that cannot be read.
  init(_ error: FileSystemError) {
    switch error.code {
    case EINVAL:
      self.init(
        .notAFile,
        "This is a folder, a pipe, a socket, a device or a file that the system generates (procfs, sysfs), and was "
          + "not opened; put regular files into the inbox.")
    case EXDEV:
      self.init(
        .linkOutside,
        "The link leads out of the inbox and was not followed; put the file itself there, or a link to another file "
          + "of the inbox.")
    case ENAMETOOLONG:
      self.init(
        .pathTooLong,
        "It could not be opened: \(error.words); nothing in it was read. Give the folders shorter names, or move it "
          + "up to a folder nearer to the inbox.")
    case EILSEQ:
      self.init(.unreadable, "It could not be opened: its name is not UTF-8. Give it another name.")
    default:
      self.init(
        .unreadable,
        "It could not be \(error.action) (\(error.words)); check that it still exists and may be read."
      )
    }
  }
}
