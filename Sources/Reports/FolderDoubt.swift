import FileSystem
import Foundation
package import PostgreSQL
import ReconciliationSQL
import Runs

/// A reason to check whether a reports folder belongs to the database of a run.
///
/// The run publishes there, but a person should look.
package struct FolderDoubt: Sendable {
  /// One or two sentences for people: what is wrong, and what to do.
  package let words: String
  /// What is doubtful.
  package let kind: Kind

  /// What can be doubtful about a reports folder.
  package enum Kind: Sendable {
    /// Earlier runs have published there, but it has no editions.
    case hasLostEditions
    /// Earlier runs have published for later days there than that of its newest edition.
    case lacksNewest
    /// Its newest edition is not from this database.
    case isOfOtherDatabase
    /// No earlier run has published there.
    case isNew
  }

  /// Compares the editions of a reports folder with those that the database has published.
  ///
  /// The disk of the reports is often another one. If it is not mounted, the place is empty.
  ///
  /// - Parameter day: The day of the run, which may have been published elsewhere before; nil if
  ///   there is no such run.
  /// - Returns: the doubt; nil if there is none.
  /// - Throws: `PostgreSQLError`.
  package static func check(
    _ reports: String, day: String? = nil, in database: Connection
  ) throws -> FolderDoubt? {
    let path = URL(filePath: reports).path
    let newest: EditionList.Line?
    // An old folder that somebody has removed is still in the list.
    let newestDay: String?
    let isEmpty: Bool
    do {
      let place = try OpenFolder(path)
      let list = try EditionList(in: place)
      let published = try PublishedEditions(in: place).all
      newest = list.head
      newestDay = (list.lines.map { $0.line.edition.day } + published.map(\.day)).max()
      isEmpty = published.isEmpty && place.status(of: EditionList.fileName) == nil
    } catch {
      // A folder that cannot be used is reported when the run writes there.
      guard error.code == ENOENT else { return nil }
      (newest, newestDay, isEmpty) = (nil, nil, true)
    }
    let row = try database.run(
      SQLFile.publishKnown,
      [path, newest?.edition.day, newest.map { "\($0.edition.number)" }, newest?.asOf, day]
    ).records.first
    if isEmpty, let day = row?["newest_on"] {
      return FolderDoubt(
        words: """
          The reports folder \(path) had no editions, although this database has published there, the newest edition \
          for \(day). So this run begins a new chain of manifests there. Check that its disk is mounted and that it \
          was not renamed.
          """, kind: .hasLostEditions)
    }
    if let newest, row?.flag("is_known") != true {
      return FolderDoubt(
        words: """
          The newest edition in \(path), \(newest.edition.folder) as of \(newest.asOf), was not published from this \
          database. If another database publishes there too, give each one a reports folder of its own. If this \
          database was built again or restored from a backup, nothing is wrong, and this is said until a run has \
          published there.
          """, kind: .isOfOtherDatabase)
    }
    // The day of this run does not count, because the words advise to run it again.
    if let newestDay, let known = row?["newest_other_on"], known > newestDay {
      return FolderDoubt(
        words: """
          The newest edition in the reports folder \(path) was of \(newestDay), although this database has published \
          there for \(known). So later editions are missing there, and this run continues the chain of manifests \
          without them. If there is a newer copy of the folder, put it in its place, and run this day again with \
          --as-of. Otherwise run the days after \(newestDay) again.
          """, kind: .lacksNewest)
    }
    if isEmpty, let elsewhere = row?["elsewhere"] {
      return FolderDoubt(
        words: """
          This run is the first in the reports folder \(path), and begins a new chain of manifests there. Earlier runs \
          have published in \(elsewhere).
          """, kind: .isNew)
    }
    return nil
  }
}
