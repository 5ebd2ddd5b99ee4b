import Glibc

/// What the file system says of a path.
struct FileStatus {
  enum Kind { case folder, link, other }

  let kind: Kind
  let bytes: Int64
  let modifiedNanoseconds: Int64
  let inode: UInt64

  /// What is known of a file; nothing of one that cannot be looked at.
  init(bytes: Int64 = 0, modifiedNanoseconds: Int64 = 0, inode: UInt64 = 0) {
    kind = .other
    self.bytes = bytes
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
  }

  /// Nil where there is nothing, or nothing that may be looked at.
  init?(of path: String, followingLinks: Bool) {
    var status = stat()
    let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    bytes = Int64(status.st_size)
    modifiedNanoseconds =
      Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    inode = UInt64(status.st_ino)
  }
}
