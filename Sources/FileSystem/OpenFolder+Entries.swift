import CLinux
import Glibc

/// A name in a folder, with the status of its entry.
package struct FolderEntry: Sendable {
  /// The name; with replacement characters if it is not UTF-8.
  package let name: String
  /// Whether the name is UTF-8, so that the entry can be opened by it.
  package let isText: Bool
  /// The status of the entry; for a link, of the link itself.
  package let status: FileStatus
}

extension OpenFolder {
  /// All entries of the folder, in no order; entries that disappear during the call are left out.
  ///
  /// - Throws: ``FileSystemError``; with `EINVAL` for a folder of procfs, sysfs and similar file
  ///   systems.
  package func entries() throws(FileSystemError) -> [FolderEntry] {
    switch tieoutIsMadeByKernel(descriptor) {
    case 0: break
    case 1:
      throw FileSystemError(path, "listed", code: EINVAL, words: "the system generates its files")
    default: throw FileSystemError(path, "listed", code: errno)
    }
    // A descriptor contains the position in the list, so the list needs its own descriptor.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileSystemError(path, "listed", code: errno) }
    guard let list = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw FileSystemError(path, "listed", code: code)
    }
    defer { closedir(list) }
    var entries: [FolderEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(list) else {
        guard errno == 0 else { throw FileSystemError(path, "listed", code: errno) }
        return entries
      }
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { continue }
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        guard errno == ENOENT else { throw FileSystemError(path, "listed", code: errno) }
        continue
      }
      entries.append(
        FolderEntry(
          name: String(cString: name), isText: String(validatingCString: name) != nil,
          status: FileStatus(status)))
    }
  }

  /// The status of a name in this folder, links not followed; nil if there is none that may be
  /// read.
  package func status(of name: String) -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// The target of a link in this folder; nil if the name is no link, or its target is not text.
  package func target(ofLink name: String) -> String? {
    Self.target(ofLink: name, in: descriptor)
  }

  /// Opens a folder below this one; links are not followed.
  ///
  /// - Parameter mode: The mode of missing folders in the path, which are created with durable
  ///   names; nil: none is created.
  /// - Throws: ``FileSystemError``; with `ELOOP` for a link.
  package func folder(
    _ path: String, making mode: UInt32? = nil
  ) throws(FileSystemError) -> OpenFolder {
    var folder = self
    for name in Self.parts(of: path).reversed() {
      guard name != ".." else { throw .leadsOut(path) }
      if let mode, folder.status(of: name) == nil {
        _ = try folder.makeIfMissing(name, mode: mode)
        try folder.synchronize()
      }
      let next = openat(
        folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else {
        let code = errno
        // For a link, Linux returns the error that it is not a folder, as if nothing was there.
        let isLink = folder.status(of: name)?.kind == .link
        throw FileSystemError(
          "\(folder.path)/\(name)", "opened", code: isLink ? ELOOP : code,
          words: isLink ? "it is a link, which is not followed there" : nil)
      }
      folder = OpenFolder(path: "\(folder.path)/\(name)", descriptor: next)
    }
    return folder
  }
}
