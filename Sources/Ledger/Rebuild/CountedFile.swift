import Foundation
package import Inbox
import Intake
import LibCrypto
package import PostgreSQL
import Runs

/// A file that was loaded and counts: it is not withdrawn, even if it is no longer on disk.
package struct CountedFile {
  /// The number of the file in its records; the first number, if it was read several times.
  package let fileID: Int32
  package let sha256: FileHash
  let folder: Folder
  /// Its path below the inbox where it was first seen.
  let path: String
  let bytes: Int64
  /// Whether it has grown since; then its last line does not count if it has no line end.
  let hasGrown: Bool
  /// When it was loaded, as RFC 3339.
  let loadedAt: String
  /// Whether at least one of its records could be used; none of a file that was rejected as a whole.
  let hasRecords: Bool

  /// All files that count, ordered by number.
  package static func all(in database: Connection) throws -> [CountedFile] {
    let rows = try database.run(
      """
      with rejected as (
          select file_id, sum(records)::bigint as records
          from (
              select file_id, kind, 1 as records from tieout.rejection
              union all
              select file_id, kind, records from tieout.rejection_rest
          ) as one
          where kind not in ('file', 'transaction')
          group by file_id
      )

      select distinct on (input_file.sha256, input_file.folder)
          input_file.file_id,
          encode(input_file.sha256, 'hex'),
          input_file.folder,
          input_file.path,
          input_file.bytes,
          input_file.has_grown,
          to_char(run.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          -- It may have been read again, with other settings.
          max(input_file.records - coalesce(rejected.records, 0))
              over (partition by input_file.sha256, input_file.folder) > 0
      from tieout.input_file
      inner join tieout.run on input_file.run_id = run.run_id
      left join rejected on input_file.file_id = rejected.file_id
      where
          input_file.sha256 not in (
              select withdrawal.sha256 from tieout.withdrawal where withdrawal.undone_at is null
          )
      order by input_file.sha256, input_file.folder, input_file.file_id
      """, step: "files that count")
    let files = rows.values.compactMap { row -> CountedFile? in
      let texts = row.compactMap { $0 }
      guard
        texts.count == 8, let fileID = Int32(texts[0]),
        let sha256 = FileHash(hexadecimal: texts[1]),
        let folder = Folder(rawValue: texts[2]), let bytes = Int64(texts[4])
      else { return nil }
      return CountedFile(
        fileID: fileID, sha256: sha256, folder: folder, path: texts[3], bytes: bytes,
        hasGrown: texts[5] == "t", loadedAt: texts[6], hasRecords: texts[7] == "t")
    }
    guard files.count == rows.values.count else {
      throw ReconciliationError(
        .schema, "A file's record in the table input_file is damaged. Restore a backup.")
    }
    return files.sorted { $0.fileID < $1.fileID }
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
  }

  /// The files, in the order of their paths.
  package let files: [File]

  /// The missing files and what to do, in one line.
  package var description: String {
    """
    \(files.count) \(files.count == 1 ? "file that counts is" : "files that count are") neither in \
    the inbox nor in an archive; nothing was rebuilt. Name the folders that contain them with \
    --archive, or withdraw lost files: tieout withdraw SHA256 --because "lost".
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
