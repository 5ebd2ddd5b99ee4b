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
  private var byInode: [UInt64: File] = [:]

  /// Reads the files from the database.
  package init(in database: Connection) throws {
    for row in try database.run(SQLFile.inboxOpenLine).records {
      guard let path = row["path"], let inode = row["inode"].flatMap({ Int64($0) }),
        let fileID = row["file_id"].flatMap({ Int32($0) }),
        let bytes = row["bytes"].flatMap({ Int64($0) }),
        let sha256 = row["sha256"].flatMap({ FileHash(hexadecimal: $0) })
      else { continue }
      let file = File(fileID: fileID, bytes: bytes, sha256: sha256)
      byPath[Array(path.utf8)] = file
      byInode[UInt64(bitPattern: inode)] = file
    }
  }

  /// Adds to each file the earlier file that it may have grown out of.
  ///
  /// The earlier file has the same path or, if it was renamed, the same inode. When the file is
  /// read, its first bytes show whether it has grown out of the earlier file.
  package func addEarlier(to files: inout [InboxFile]) {
    guard !byPath.isEmpty else { return }
    for index in files.indices {
      let file = files[index]
      let earlier = byPath[Array(file.location.utf8)] ?? byInode[file.inode]
      if let earlier, earlier.bytes < file.bytes { files[index].earlier = earlier }
    }
  }
}
