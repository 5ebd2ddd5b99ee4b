package import Inbox
import Intake
import LibCrypto
package import PostgreSQL
import ReconciliationSQL
import Runs

/// A file that was loaded and is not withdrawn, so it counts, even if it is no longer on disk.
package struct CountedFile {
  /// The number of the file in its records; the first number, if it was read several times.
  package let fileID: Int32
  /// The SHA-256 of its bytes.
  package let sha256: FileHash
  let folder: Folder
  /// Its path below the inbox where it was first seen.
  let path: String
  let bytes: Int64
  /// Whether it has grown since; then its last line does not count if it has no line end.
  let hasGrown: Bool
  /// When it was loaded, as RFC 3339.
  let loadedAt: String
  /// Whether at least one of its records could be used.
  ///
  /// It is false for a file that was rejected as a whole.
  let hasRecords: Bool

  /// All files that count, ordered by number.
  package static func all(in database: Connection) throws -> [CountedFile] {
    try database.run(SQLFile.rebuildFile).records.map { row in
      CountedFile(
        fileID: try row.required("file_id") { Int32($0) },
        sha256: try row.required("sha256") { FileHash(hexadecimal: $0) },
        folder: try row.required("folder") { Folder(rawValue: $0) },
        path: try row.required("path") { $0 }, bytes: try row.required("bytes") { Int64($0) },
        hasGrown: row.flag("has_grown"), loadedAt: try row.required("loaded_at") { $0 },
        hasRecords: row.flag("has_records"))
    }
    .sorted { $0.fileID < $1.fileID }
  }
}

/// The files that count but were not found; nothing was rebuilt.
package struct MissingFiles: Error, CustomStringConvertible {
  /// One missing file.
  package struct File: Sendable {
    /// Its path below the inbox where it was first seen.
    package let path: String
    /// Its SHA-256 in hexadecimal digits.
    package let sha256: String
    /// How many bytes it had.
    package let bytes: Int64
    /// When it was loaded, as RFC 3339.
    package let loadedAt: String
    /// Whether the inbox has a file with other bytes at this path.
    let isChanged: Bool
  }

  /// The files, in the order of their paths.
  package let files: [File]

  /// The missing files and what to do, in one line.
  package var description: String {
    """
    \(files.count) \(files.count == 1 ? "file that counts is" : "files that count are") neither in \
    the inbox nor in an archive; nothing was rebuilt. Name the folders that contain them with \
    --archive, or withdraw lost files: tieout withdraw SHA256 --because "lost".\(changed)
    """
  }

  /// The sentences about files that were changed in their place; empty if there is none.
  private var changed: String {
    let changed = files.filter(\.isChanged)
    guard let first = changed.first else { return "" }
    let others = changed.count > 1 ? " and \(changed.count - 1) more" : ""
    return """
       \(first.path)\(others) \(changed.count > 1 ? "were" : "was") changed in place: the inbox has other bytes \
      there. If these replace the earlier ones: tieout withdraw SHA256 --because "changed in place".
      """
  }

  /// - Parameter inboxPaths: The paths below the inbox where there is a file, as UTF-8.
  init(_ missing: [CountedFile], inboxPaths: Set<[UInt8]>) {
    files =
      missing
      .sorted {
        $0.path.utf8.elementsEqual($1.path.utf8)
          ? $0.fileID < $1.fileID : $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
      }
      .map {
        File(
          path: $0.path, sha256: $0.sha256.bytes.hexadecimal, bytes: $0.bytes,
          loadedAt: $0.loadedAt, isChanged: inboxPaths.contains(Array($0.path.utf8)))
      }
  }
}
