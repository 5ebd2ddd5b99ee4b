import CLinux
import Effects
import ExactText
import Glibc

/// A folder that is held open.
///
/// All actions use its descriptor. So it stays the same folder, even if it is renamed or a link
/// takes its place.
package final class OpenFolder: Sendable {
  /// The path, for messages and for records of files.
  package let path: String
  let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Opens a folder that the program's user has named; links in the path are followed.
  ///
  /// As root, the program follows only links that root owns. Another user's link could lead
  /// anywhere, and that user could change it at any time.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the working directory.
  ///   - mode: The mode of missing folders in the path, which are created with durable names; nil:
  ///     none is created.
  ///   - name: The path that the folder has from here on; nil: `path`.
  package convenience init(
    _ path: String, making mode: UInt32? = nil, calling name: String? = nil
  ) throws(FileSystemError) {
    self.init(path: name ?? path, descriptor: try Self.descend(path, making: mode))
  }

  /// The maximum number of links in a path, as in Linux itself.
  static let mostLinks = 40

  private static func descend(
    _ path: String, making mode: UInt32?
  ) throws(FileSystemError) -> Int32 {
    var names = parts(of: path)
    var folder = try start(path.begins(withBytesOf: "/") ? "/" : ".", of: path)
    defer { close(folder) }
    var links = 0
    while let name = names.popLast() {
      var next = try step(name, in: folder, of: path, making: mode)
      defer { close(next) }
      guard try FileStatus(ofOpen: next, path).kind == .link else {
        swap(&folder, &next)
        continue
      }
      links += 1
      guard links <= mostLinks else { throw FileSystemError(path, "opened", code: ELOOP) }
      try requireOwnLink(next, name, path)
      guard let target = target(ofLink: "", in: next) else {
        throw FileSystemError(path, "opened", code: errno)
      }
      if target.begins(withBytesOf: "/") {
        let root = try start("/", of: path)
        close(folder)
        folder = root
      }
      names += parts(of: target)
    }
    // The descriptors of the walk can neither list a folder nor make it durable.
    let usable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard usable >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return usable
  }

  /// Opens the folder at which a walk starts.
  private static func start(_ folder: String, of path: String) throws(FileSystemError) -> Int32 {
    let opened = Glibc.open(folder, tieoutOpenPath | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return opened
  }

  private static func step(
    _ name: String, in folder: Int32, of path: String, making mode: UInt32?
  ) throws(FileSystemError) -> Int32 {
    let flags = tieoutOpenPath | O_NOFOLLOW | O_CLOEXEC
    var next = openat(folder, name, flags)
    if next < 0, errno == ENOENT, let mode {
      _ = try make(name, in: folder, of: path, mode: mode)
      try makeNamesDurable(in: folder, of: path)
      next = openat(folder, name, flags)
    }
    guard next >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return next
  }

  /// Creates a folder unless something has its name: another process may create it meanwhile.
  ///
  /// - Parameter path: The path that a message names.
  /// - Returns: whether it was created.
  static func make(
    _ name: String, in folder: Int32, of path: String, mode: UInt32
  ) throws(FileSystemError) -> Bool {
    if let code = Effect.create.systemError(path) {
      throw FileSystemError(path, "created", code: code)
    }
    if mkdirat(folder, name, mode) == 0 { return true }
    guard errno == EEXIST else { throw FileSystemError(path, "created", code: errno) }
    return false
  }

  /// Makes the names in a folder of a walk durable.
  ///
  /// A user may be allowed to create folders in a folder but not to list it. Then nothing is done.
  private static func makeNamesDurable(
    in folder: Int32, of path: String
  ) throws(FileSystemError) {
    let usable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard usable >= 0 else {
      guard errno == EACCES else { throw FileSystemError(path, "opened", code: errno) }
      return
    }
    try OpenFolder(path: path, descriptor: usable).synchronize()
  }

  private static func requireOwnLink(
    _ link: Int32, _ name: String, _ path: String
  ) throws(FileSystemError) {
    var status = stat()
    guard fstat(link, &status) == 0 else { throw FileSystemError(path, "opened", code: errno) }
    guard geteuid() != 0 || status.st_uid == 0 else {
      throw FileSystemError(
        path, "opened", code: EPERM,
        words: "\(name) on the way is a link of another user, which root does not follow")
    }
  }

  /// The names that a path consists of, the last one first.
  static func parts(of path: String) -> [String] {
    path.parts(between: "/").filter { $0 != "." }.reversed()
  }

  /// The target of a link; nil, with `errno`, if it is not a link or its target is not text.
  static func target(ofLink name: String, in folder: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(folder, name, &bytes, Int(PATH_MAX))
    guard count >= 0 else { return nil }
    errno = EILSEQ
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether its path still leads to it, so that others find the files that were written here.
  package var isAtItsPath: Bool {
    guard let folder = try? OpenFolder(path) else { return false }
    var own = stat()
    var found = stat()
    return fstat(descriptor, &own) == 0 && fstat(folder.descriptor, &found) == 0
      && own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }

  /// A path that leads to this folder even if it is renamed, for libraries that take no descriptor.
  ///
  /// It is valid while this object exists.
  package var pathOfDescriptor: String { "/proc/self/fd/\(descriptor)" }

  /// Whether every user may replace the files in this folder.
  package var mayBeChangedByAnybody: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
  }
}
