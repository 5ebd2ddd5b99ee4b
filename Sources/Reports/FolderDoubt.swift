import FileSystem
import Foundation
package import PostgreSQL
import ReconciliationSQL
import Runs

/// A doubt whether a reports folder belongs to the database of a run.
///
/// The run publishes there, but a person should look.
package struct FolderDoubt: Sendable {
  /// One or two sentences for people: what is wrong, and what to do.
  package let words: String
  /// Whether the newest edition of the folder is not from this database.
  package let isOfOtherDatabase: Bool

  /// Compares the editions of a reports folder with those that the database has published.
  ///
  /// An empty place is refused, if earlier runs have published there: the disk of the reports is
  /// often another one, and a run would begin a second chain of manifests.
  ///
  /// - Returns: the doubt; nil if there is none.
  /// - Throws: ``ReconciliationError`` with `reports` for an empty place; `PostgreSQLError`.
  package static func check(_ reports: String, in database: Connection) throws -> FolderDoubt? {
    let path = URL(filePath: reports).path
    let newest: EditionList.Line?
    let isEmpty: Bool
    do {
      let place = try OpenFolder(path)
      let list = try EditionList(in: place)
      let shown = try ShownEditions(in: place).all
      newest = list.head
      isEmpty = shown.isEmpty && place.status(of: EditionList.fileName) == nil
    } catch {
      // A folder that cannot be used is reported when the run writes there.
      guard error.code == ENOENT else { return nil }
      (newest, isEmpty) = (nil, true)
    }
    let row = try database.run(
      SQLFile.publishKnown,
      [path, newest?.edition.day, newest.map { "\($0.edition.number)" }, newest?.asOf]
    ).records.first
    if isEmpty, let day = row?["newest_on"] {
      throw ReconciliationError(
        .reports,
        """
        The reports folder \(path) has no editions, but this database has published there, the newest edition for \
        \(day). Nothing changed. Check that its disk is mounted and that it was not renamed. If its \
        editions are gone on purpose, create it with an empty file \(EditionList.fileName).
        """)
    }
    if let newest, row?.flag("is_known") != true {
      return FolderDoubt(
        words: """
          The newest edition in \(path), \(newest.edition.folder) as of \(newest.asOf), was not published from this \
          database. If another database publishes there too, give each one a reports folder of its own. If this \
          database was built again or restored from a backup, nothing is wrong, and the next run does not say this.
          """, isOfOtherDatabase: true)
    }
    if isEmpty, let elsewhere = row?["elsewhere"] {
      return FolderDoubt(
        words: """
          This run is the first in the reports folder \(path), and begins a new chain of manifests there. Earlier runs \
          have published in \(elsewhere).
          """, isOfOtherDatabase: false)
    }
    return nil
  }
}
