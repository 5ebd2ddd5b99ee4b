import Foundation
import Intake
import PostgreSQL

/// A file that was loaded once and counts: not withdrawn, whatever became of it on disk.
struct CountedFile {
  /// The number under which its records are known; the first, where it was read several times.
  let fileID: Int32
  let sha256: FileHash
  let folder: Folder
  /// Its path below the inbox, where it was seen first.
  let path: String
  let bytes: Int64
  /// Whether it has grown since, so that a last line without a line end does not count.
  let hasGrown: Bool
  /// When it was loaded, as RFC 3339.
  let loadedAt: String

  /// All of them, by their numbers.
  static func all(in database: Connection) throws -> [CountedFile] {
    let rows = try database.run(
      """
      select distinct on (input_file.sha256, input_file.folder)
          input_file.file_id,
          encode(input_file.sha256, 'hex'),
          input_file.folder,
          input_file.path,
          input_file.bytes,
          input_file.has_grown,
          to_char(run.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      from tieout.input_file
      inner join tieout.run on input_file.run_id = run.run_id
      where
          input_file.sha256 not in (
              select withdrawal.sha256 from tieout.withdrawal where withdrawal.undone_at is null
          )
      order by input_file.sha256, input_file.folder, input_file.file_id
      """, step: "files that count")
    let files = rows.values.compactMap { row -> CountedFile? in
      let texts = row.compactMap { $0 }
      guard
        texts.count == 7, let fileID = Int32(texts[0]),
        let sha256 = FileHash(hexadecimal: texts[1]),
        let folder = Folder(rawValue: texts[2]), let bytes = Int64(texts[4])
      else { return nil }
      return CountedFile(
        fileID: fileID, sha256: sha256, folder: folder, path: texts[3], bytes: bytes,
        hasGrown: texts[5] == "t", loadedAt: texts[6])
    }
    guard files.count == rows.values.count else {
      throw ReconciliationError(.totals, "A file's record in the table input_file is damaged.")
    }
    return files.sorted { $0.fileID < $1.fileID }
  }
}

/// Files that count and are nowhere to be found; nothing was rebuilt.
public struct MissingFiles: Error, CustomStringConvertible {
  /// One of them.
  public struct File: Sendable {
    /// Its path below the inbox, where it was seen first.
    public let path: String
    /// Its SHA-256 in hexadecimal digits.
    public let sha256: String
    /// How many bytes it had.
    public let bytes: Int64
    /// When it was loaded, as RFC 3339.
    public let loadedAt: String
  }

  /// The files, in the order of their paths.
  public let files: [File]

  /// What is missing and what to do, in one line.
  public var description: String {
    """
    \(files.count) \(files.count == 1 ? "file that counts lies" : "files that count lie") neither in \
    the inbox nor in an archive; nothing was rebuilt. Name the folders that hold them with --archive, \
    or withdraw what is lost: tieout withdraw SHA256 --because "lost".
    """
  }

  init(_ missing: [CountedFile]) {
    files =
      missing
      .sorted { $0.path == $1.path ? $0.fileID < $1.fileID : $0.path < $1.path }
      .map {
        File(
          path: $0.path, sha256: $0.sha256.bytes.hexadecimal, bytes: $0.bytes, loadedAt: $0.loadedAt
        )
      }
  }
}
