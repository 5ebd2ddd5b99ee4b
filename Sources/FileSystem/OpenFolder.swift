import CLinux
import Effects
import Glibc

/// A folder that is held open.
///
/// Whatever is done in it is done by its descriptor: it stays the same folder, even if it is renamed or a link is put in
/// its place meanwhile.
public final class OpenFolder: Sendable {
  /// The path, for messages and for what is kept of files.
  public let path: String
  let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Opens a folder that the program's user has named; links on the way are followed.
  ///
  /// As root only links of root's own are followed: a link of another user could lead anywhere, and that user can
  /// change it at any time.
  ///
  /// - Parameters:
  ///   - path: Absolute, or seen from the working directory.
  ///   - mode: With which folders on the way are made that are missing; nil: none is made.
  ///   - name: How it is called from here on; nil: as the path says.
  public convenience init(
    _ path: String, making mode: UInt32? = nil, calling name: String? = nil
  ) throws(FileSystemError) {
    self.init(path: name ?? path, descriptor: try Self.descend(path, making: mode))
  }

  /// As many links as Linux itself follows.
  static let mostLinks = 40

  private static func descend(
    _ path: String, making mode: UInt32?
  ) throws(FileSystemError) -> Int32 {
    var names = parts(of: path)
    var folder = Glibc.open(
      path.hasPrefix("/") ? "/" : ".", tieoutOpenPath | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    var links = 0
    while let name = names.popLast() {
      let next = try step(name, in: folder, of: path, making: mode)
      guard try FileStatus(ofOpen: next, path).kind == .link else {
        close(folder)
        folder = next
        continue
      }
      defer { close(next) }
      links += 1
      guard links <= mostLinks else { throw FileSystemError(path, "opened", code: ELOOP) }
      try requireOwnLink(next, name, path)
      guard let target = target(ofLink: "", in: next) else {
        throw FileSystemError(path, "opened", code: errno)
      }
      if target.hasPrefix("/") {
        close(folder)
        folder = Glibc.open("/", tieoutOpenPath | O_DIRECTORY | O_CLOEXEC)
      }
      names += parts(of: target)
    }
    // What was opened to pass through can be neither listed nor made durable.
    let usable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard usable >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return usable
  }

  private static func step(
    _ name: String, in folder: Int32, of path: String, making mode: UInt32?
  ) throws(FileSystemError) -> Int32 {
    let flags = tieoutOpenPath | O_NOFOLLOW | O_CLOEXEC
    var next = openat(folder, name, flags)
    if next < 0, errno == ENOENT, let mode {
      if let code = Effect.create.systemError(path) {
        throw FileSystemError(path, "made", code: code)
      }
      guard mkdirat(folder, name, mode) == 0 || errno == EEXIST else {
        throw FileSystemError(path, "made", code: errno)
      }
      next = openat(folder, name, flags)
    }
    guard next >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    return next
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
    path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
  }

  /// Where a link leads; nil, and `errno`, where it is none or leads to what is no text.
  static func target(ofLink name: String, in folder: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(folder, name, &bytes, Int(PATH_MAX))
    guard count >= 0 else { return nil }
    errno = EILSEQ
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether its path still leads to it, so that others find what was written here.
  public var isAtItsPath: Bool {
    guard let folder = try? OpenFolder(path) else { return false }
    var own = stat()
    var found = stat()
    return fstat(descriptor, &own) == 0 && fstat(folder.descriptor, &found) == 0
      && own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }

  /// A path that leads to this folder, whatever becomes of its name; for libraries that take no descriptor, and as
  /// long as this object lives.
  public var pathOfDescriptor: String { "/proc/self/fd/\(descriptor)" }

  /// Whether everybody may put other files in the place of those that lie here.
  public var mayBeChangedByAnybody: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
  }
}
