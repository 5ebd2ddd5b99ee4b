package import PostgreSQL
import ReconciliationSQL
import Runs

/// Files that ended in an open line when they were read, and may have grown since.
///
/// An open line is a last line without a line end.
package struct FilesWithOpenLine {
  /// One such file.
  package struct File: Sendable {
    /// The number of the file.
    package let fileID: Int32
    /// The number of bytes that it had.
    package let bytes: Int64
    /// The SHA-256 of these bytes.
    package let sha256: FileHash
  }

  /// The files by the bytes of their locations.
  ///
  /// Differently composed accents are equal in Swift's strings, but not in the file system.
  private var byPath: [[UInt8]: File] = [:]
  /// The files by their inodes; files that were known under different paths can have the same one.
  private var byInode: [UInt64: [File]] = [:]

  /// Reads the files from the database.
  package init(in database: Connection) throws {
    for row in try database.run(SQLFile.inboxOpenLine).records {
      let file = File(
        fileID: try row.required("file_id") { Int32($0) },
        bytes: try row.required("bytes") { Int64($0) },
        sha256: try row.required("sha256") { FileHash(hexadecimal: $0) })
      byPath[Array(row.text("path").utf8)] = file
      // After a rebuild, an inode is 0 until a night has read the file. The rows of a file follow
      // one another, so each file is added once.
      let inode = try row.required("inode") { Int64($0) }
      let ofInode = UInt64(bitPattern: inode)
      guard inode != 0, byInode[ofInode]?.last?.fileID != file.fileID else { continue }
      byInode[ofInode, default: []].append(file)
    }
  }

  /// Adds to each file the earlier files that it may have grown out of.
  ///
  /// An earlier file has the same path or, if it was renamed, the same inode. After log rotation
  /// these are two files. When the file is read, its first bytes show out of which of them it has
  /// grown.
  package func addEarlier(to files: inout [InboxFile]) {
    guard !byPath.isEmpty else { return }
    for index in files.indices {
      files[index].earlier = earlier(than: files[index])
    }
  }

  /// The shorter files with the path or the inode of a file, each of them once.
  private func earlier(than file: InboxFile) -> [File] {
    let ofPath = byPath[Array(file.location.utf8)]
    let ofInode = (byInode[file.inode] ?? []).filter { $0.fileID != ofPath?.fileID }
    return ([ofPath].compactMap { $0 } + ofInode).filter { $0.bytes < file.bytes }
  }
}
