import CLinux
import Glibc

/// The place of a file that is to be read.
package struct FilePlace: Sendable {
  /// The folder that must contain the file, even after links are followed.
  ///
  /// Nil: the file may be anywhere, because the program's user named it.
  package let folder: OpenFolder?
  /// The path below the folder, or any path.
  package let path: String

  /// A file below a folder, which an attacker may have put there.
  package init(_ path: String, in folder: OpenFolder) {
    self.folder = folder
    self.path = path
  }

  /// A file that the program's user has named.
  package init(anywhere path: String) {
    folder = nil
    self.path = path
  }

  /// The whole path.
  package var location: String {
    guard let folder else { return path }
    return folder.path == "/" ? "/\(path)" : "\(folder.path)/\(path)"
  }

  /// The status of the file, with links followed; nothing is opened for reading.
  package func status() throws(FileSystemError) -> FileStatus {
    let descriptor = try open(tieoutOpenPath)
    defer { close(descriptor) }
    return try FileStatus(ofOpen: descriptor, location)
  }

  /// Opens a regular file for reading, without waiting for another process.
  ///
  /// Only a regular file of a real file system is opened. Opening a pipe could inform its writer,
  /// opening a device could have an effect, and a file of procfs can contain the program's own
  /// secrets.
  ///
  /// - Returns: a descriptor, which the caller closes.
  /// - Throws: ``FileSystemError``; with `EXDEV` if a link leads out of the folder, with `EINVAL`
  ///   if this is not a regular file.
  package func openForReading() throws(FileSystemError) -> Int32 {
    let seen = try open(tieoutOpenPath)
    defer { close(seen) }
    try requireRegular(seen)
    let opened = try open(O_RDONLY | O_NONBLOCK | O_NOCTTY)
    do throws(FileSystemError) {
      // Another file may have replaced it since the check.
      try requireRegular(opened)
      return opened
    } catch {
      close(opened)
      throw error
    }
  }

  private func open(_ flags: Int32) throws(FileSystemError) -> Int32 {
    if let folder {
      do { return try folder.open(beneath: path, flags) } catch {
        // A name below a folder says nothing to a person who does not know the folder.
        throw FileSystemError(location, error.action, code: error.code, words: error.words)
      }
    }
    let descriptor = retrying { Glibc.open(path, flags | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return descriptor
  }

  private func requireRegular(_ descriptor: Int32) throws(FileSystemError) {
    guard try FileStatus(ofOpen: descriptor, location).kind == .file else {
      throw FileSystemError(location, "read", code: EINVAL, words: "it is not a regular file")
    }
    switch tieoutIsMadeByKernel(descriptor) {
    case 0: break
    case 1: throw FileSystemError(location, "read", code: EINVAL, words: "the system generates it")
    default: throw FileSystemError(location, "read", code: errno)
    }
  }

  /// All bytes of a file.
  ///
  /// - Throws: ``FileSystemError``; with `EFBIG` if the file has more than `limit` bytes.
  package func contents(atMost limit: Int) throws(FileSystemError) -> [UInt8] {
    let descriptor = try openForReading()
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = retrying { read(descriptor, &piece, piece.count) }
      guard count >= 0 else { throw FileSystemError(location, "read", code: errno) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= limit else { throw FileSystemError(location, "read", code: EFBIG) }
    }
  }
}
