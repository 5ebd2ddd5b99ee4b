import Effects
import Glibc

/// A file to which the program appends, such as its log.
///
/// Bytes are written at the end of the file as it is then, normally in one call. So several
/// processes can append to one file, and a program such as logrotate can rename it. If the system
/// writes only a part, the rest follows in another call, and bytes of other processes can come
/// between.
package final class AppendedFile: Sendable {
  /// The path that the user gave.
  package let path: String
  private let descriptor: Int32
  private let folder: OpenFolder

  /// Opens a file that the program's user has named, and creates it if it does not exist.
  ///
  /// A link at the file's path is refused: another user of its folder could point it to any file.
  ///
  /// - Parameter mode: The mode of a new file, from which the umask removes bits.
  /// - Throws: ``FileSystemError``; with `EINVAL` if this is not a regular file.
  package init(_ path: String, mode: UInt32) throws(FileSystemError) {
    self.path = path
    var names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let name = names.popLast() ?? ""
    guard !name.isEmpty else {
      throw FileSystemError(path, "written", code: EISDIR, words: "it is a folder")
    }
    let folder = try OpenFolder(names.isEmpty ? "." : names.joined(separator: "/") + "/")
    if let code = Effect.create.systemError(path) {
      throw FileSystemError(path, "opened", code: code)
    }
    // Without O_NONBLOCK the opening of a pipe waits for its reader.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = retrying { openat(folder.descriptor, name, flags, mode) }
    guard file >= 0 else {
      let words = errno == ELOOP ? "it is a symbolic link" : nil
      throw FileSystemError(path, "written", code: errno, words: words)
    }
    do throws(FileSystemError) {
      guard try FileStatus(ofOpen: file, path).kind == .file else {
        throw FileSystemError(path, "written", code: EINVAL, words: "it is not a regular file")
      }
    } catch {
      close(file)
      throw error
    }
    self.folder = folder
    descriptor = file
  }

  deinit {
    close(descriptor)
  }

  /// Writes bytes at the end of the file.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) {
    if let code = Effect.write.systemError(path) {
      throw FileSystemError(path, "written", code: code)
    }
    try writeAll(bytes, to: descriptor, path)
  }

  /// Makes the bytes and the name of the file durable.
  package func synchronize() throws(FileSystemError) {
    let code = Effect.synchronize.systemError(path)
    guard code == nil, fsync(descriptor) == 0 else {
      throw FileSystemError(path, "written", code: code ?? errno)
    }
    try folder.synchronize()
  }
}

/// Writes all bytes to an open file.
func writeAll(_ bytes: [UInt8], to file: Int32, _ place: String) throws(FileSystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = retrying { rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } }
    guard count >= 0 else { throw FileSystemError(place, "written", code: errno) }
    rest = rest.dropFirst(count)
  }
}
