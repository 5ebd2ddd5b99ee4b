package import Configuration
import Foundation
package import PostgreSQL
import ReconciliationSQL
import Runs

/// Withdraws files, and makes withdrawn files count again.
///
/// Evidence that was merged cannot be removed alone. Therefore a withdrawal only marks the file.
/// `tieout rebuild` then makes the tables without it. If no record of the file was ever used, it is
/// in no table and stops counting at once. Acknowledgements are not merged, so those of the file
/// are cancelled at once.
package struct Withdrawal {
  /// One file that was withdrawn or counts again.
  package struct File: Sendable {
    /// Its path below the inbox, or its path on disk.
    package let path: String
    /// Its SHA-256 in hexadecimal digits.
    package let sha256: String
    /// Its size in bytes; missing for a file that was never seen.
    package let bytes: Int64?
    /// Whether the tables contain its records.
    ///
    /// Then a withdrawal needs a rebuild, and an undo needs nothing more.
    package let needsRebuild: Bool
    /// Whether this call withdrew a file that was read and of which no record was ever used.
    package let wasUnused: Bool
    /// Whether this call changed anything.
    package let isChanged: Bool
    /// The kinds of record, each with the number of records that came from this file first.
    package let records: [(kind: String, count: Int64)]
    /// The closed periods in which its records count, each with its state.
    package let periods: [String]
    /// Names of the findings that are open again, because the file's lines had acknowledged them.
    package let reopened: [String]
  }

  /// A withdrawal in the database.
  package struct Entry: Sendable {
    /// The path of the file when it was withdrawn.
    package let path: String
    /// Its SHA-256 in hexadecimal digits.
    package let sha256: String
    /// When it was withdrawn, as RFC 3339.
    package let withdrawnAt: String
    /// The person who withdrew it.
    package let withdrawnBy: String
    /// The reason for the withdrawal.
    package let because: String
    /// The current state: withdrawn, or since when the file counts again and why.
    package let state: String
  }

  private let settings: Settings
  private let database: String

  /// Prepares to withdraw files of a database.
  package init(settings: Settings, database: String) {
    self.settings = settings
    self.database = database
  }

  /// Marks a file so that it never counts again.
  ///
  /// - Parameters:
  ///   - name: A path below the inbox, a path on disk, or the first digits of a SHA-256.
  ///   - reason: The reason, for people who look at it later.
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no such file, or several, or no
  ///   reason.
  package func withdraw(_ name: String, because reason: String) throws -> [File] {
    let reason = try GivenText.checked(reason, of: "--because")
    return try change(name) { connection, content in
      let changed = try connection.run(
        SQLFile.withdrawFile,
        [content.sha256, content.path, content.bytes.map { "\($0)" }, reason, Host.person])
      return changed.affected > 0
    }
  }

  /// Makes a withdrawn file count again.
  ///
  /// - Parameter reason: The reason; nil: no reason is recorded.
  /// - Throws: The same errors as ``withdraw(_:because:)``.
  package func undo(_ name: String, because reason: String?) throws -> [File] {
    let reason = try reason.map { try GivenText.checked($0, of: "--because") }
    return try change(name) { connection, content in
      let changed = try connection.run(
        SQLFile.withdrawUndo, [content.sha256, Host.person, reason])
      return changed.affected > 0
    }
  }

  /// All withdrawals, oldest first.
  package func entries() throws -> [Entry] {
    let connection = try Connection.toLedger(database, as: "tieout withdraw")
    return try connection.alone(SQLFile.withdrawList).records.map { row in
      return Entry(
        path: row.text("path"), sha256: row.text("sha256"), withdrawnAt: row.text("withdrawn_at"),
        withdrawnBy: row.text("withdrawn_by"), because: row.text("because"),
        state: row.text("state"))
    }
  }

  /// The warning about files that were withdrawn and still count; nil if there are none.
  package static func warning(in database: Connection) throws -> String? {
    try StillCountedFiles(in: database).map {
      "\($0.words) until the tables are built again: tieout rebuild."
    }
  }

  /// The locations in an inbox where withdrawn files were last seen, as bytes.
  ///
  /// Differently composed accents are equal in Swift's strings, but not in the file system.
  package static func locations(in database: Connection) throws -> Set<[UInt8]> {
    let paths = try database.run(SQLFile.withdrawLocation)
    return Set(paths.records.compactMap { $0["path"].map { Array($0.utf8) } })
  }

  private func change(
    _ name: String, _ body: (Connection, NamedFile.Content) throws -> Bool
  ) throws -> [File] {
    // A night that is loading the file at this moment would not notice the withdrawal.
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection.toLedger(database, as: "tieout withdraw")
    let contents = try connection.reading {
      try NamedFile(inbox: settings.inbox, database: connection).contents(of: name)
    }
    return try connection.inTransaction {
      try contents.map { content in
        let records = try Self.records(of: content.sha256, in: connection)
        let isChanged = try body(connection, content)
        let wasUnused = try Self.markUnused(content.sha256, in: connection)
        try Self.scope(to: content.sha256, in: connection)
        return File(
          path: content.path, sha256: content.sha256, bytes: content.bytes,
          needsRebuild: try Self.needsRebuild(content.sha256, in: connection),
          wasUnused: wasUnused, isChanged: isChanged, records: records,
          periods: try Self.periods(in: connection),
          reopened: try Self.cancelAcknowledgements(in: connection))
      }
    }
  }

  private static func needsRebuild(_ sha256: String, in database: Connection) throws -> Bool {
    try database.run(SQLFile.withdrawRebuild, [sha256]).records.first?.flag("is_needed") == true
  }

  /// Lets a withdrawn file stop counting now if no record of it was ever used.
  ///
  /// - Returns: whether there is such a file.
  private static func markUnused(_ sha256: String, in database: Connection) throws -> Bool {
    try database.run(SQLFile.withdrawUnused, [sha256]).records.first?.flag("is_marked") == true
  }

  /// The closed periods in which records of the selected file count.
  private static func periods(in database: Connection) throws -> [String] {
    try database.run(SQLFile.withdrawPeriod).records.map { row in
      "\(row.text("period")) (\(row.text("state")))"
    }
  }

  /// The number of records that a file was the first to contain, by kind of record.
  private static func records(
    of sha256: String, in database: Connection
  ) throws -> [(kind: String, count: Int64)] {
    try database.run(SQLFile.withdrawRecord, [sha256]).records.map { row in
      (row.text("kind"), Int64(try row.count("records")))
    }
  }
}
