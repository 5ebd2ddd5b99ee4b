import Glibc

/// The file system's information about a file, a folder or a link.
package struct FileStatus: Sendable {
  /// The kind of an entry; `other` is a pipe, a socket or a device.
  package enum Kind: Sendable { case folder, link, file, other }

  /// The kind of the entry.
  package let kind: Kind
  /// Its size in bytes.
  package let bytes: Int64
  /// When its content last changed, in nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// Its inode number in its file system.
  package let inode: UInt64
  /// Who may read, write and execute or enter it: the last nine bits of its mode.
  package let permissions: UInt32

  /// The status of a file of which only these values are known; its other numbers are 0.
  package init(bytes: Int64 = 0, modifiedNanoseconds: Int64 = 0, inode: UInt64 = 0) {
    kind = .file
    self.bytes = bytes
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
    permissions = 0
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFREG: .file
      default: .other
      }
    bytes = Int64(status.st_size)
    // A file system can return any time; a value beyond the range becomes 0.
    let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let time = seconds.partialValue.addingReportingOverflow(Int64(status.st_mtim.tv_nsec))
    modifiedNanoseconds = seconds.overflow || time.overflow ? 0 : time.partialValue
    inode = UInt64(status.st_ino)
    permissions = UInt32(status.st_mode) & 0o777
  }

  /// Reads the status at a path; nil if nothing is there or the status may not be read.
  package init?(of path: String, followingLinks: Bool) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the status of an open file.
  init(ofOpen descriptor: Int32, _ path: String) throws(FileSystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileSystemError(path, "examined", code: errno)
    }
    self.init(status)
  }
}
