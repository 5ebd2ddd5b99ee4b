package import Configuration
import Foundation
package import PostgreSQL
import Runs

/// Withdraws files, and makes withdrawn files count again.
///
/// Merged evidence cannot be subtracted. So this changes only the mark, and a rebuild makes the
/// tables again without the file. Acknowledgements in a file do not merge, and are cancelled at
/// once.
package struct Withdrawal {
  /// One file that was withdrawn or counts again.
  package struct File: Sendable {
    /// Its path below the inbox, or its path on disk.
    package let path: String
    /// Its SHA-256 in hexadecimal digits.
    package let sha256: String
    /// Its size in bytes; missing for a file that was never seen.
    package let bytes: Int64?
    /// Whether it had been loaded.
    package let isLoaded: Bool
    /// Whether the tables still contain its records, so that a withdrawal needs a rebuild and an undo
    /// needs nothing.
    package let needsRebuild: Bool
    /// Whether this call changed anything.
    package let isChanged: Bool
    /// The kinds of record, each with the number of records that came from this file first.
    package let records: [(kind: String, count: Int64)]
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
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no such file, or several.
  package func withdraw(_ name: String, because reason: String) throws -> [File] {
    try change(name) { connection, content in
      let changed = try connection.run(
        """
        insert into tieout.withdrawal (sha256, path, bytes, because, withdrawn_by)
        values (decode($1, 'hex'), $2, $3::bigint, $4, $5)
        on conflict (sha256) where undone_at is null do nothing
        """,
        [
          content.sha256, content.path, content.bytes.map { "\($0)" }, reason,
          "\(Host.userName)@\(Host.name)",
        ], step: "withdraw")
      return changed.affected > 0
    }
  }

  /// Makes a withdrawn file count again.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no such file, or several.
  package func undo(_ name: String, because reason: String?) throws -> [File] {
    try change(name) { connection, content in
      let changed = try connection.run(
        """
        update tieout.withdrawal
        set undone_at = clock_timestamp(), undone_by = $2, undone_because = $3
        where sha256 = decode($1, 'hex') and undone_at is null
        """, [content.sha256, "\(Host.userName)@\(Host.name)", reason], step: "withdraw")
      // The file has to be read again if it is in the inbox.
      try connection.run(
        "delete from tieout.inbox_path where withdrawn_sha256 = decode($1, 'hex')",
        [content.sha256], step: "withdraw")
      return changed.affected > 0
    }
  }

  /// All withdrawals, oldest first.
  package func entries() throws -> [Entry] {
    let connection = try Connection(database, applicationName: "tieout withdraw")
    try Schema.bringUpToDate(connection)
    let rows = try connection.alone(
      """
      select
          path,
          encode(sha256, 'hex'),
          to_char(withdrawn_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          withdrawn_by,
          because,
          case
              when undone_at is null then 'withdrawn'
              else
                  'counts again since '
                  || to_char(undone_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                  || ' (' || undone_by || coalesce(': ' || undone_because, '') || ')'
          end
      from tieout.withdrawal
      order by withdrawal_id
      """, step: "withdrawals")
    return rows.values.map { row in
      let texts = row.map { $0 ?? "" }
      return Entry(
        path: texts[0], sha256: texts[1], withdrawnAt: texts[2], withdrawnBy: texts[3],
        because: texts[4], state: texts[5])
    }
  }

  /// The warning about files that were withdrawn and still count; nil if there are none.
  package static func warning(in database: Connection) throws -> String? {
    // Nearly always nothing is withdrawn, and the files do not have to be examined.
    let isAny = "select exists (select from tieout.withdrawal where undone_at is null)"
    guard try database.run(isAny, step: "withdrawals").first == "t" else { return nil }
    let count =
      try database.run(
        """
        select count(distinct input_file.sha256)
        from tieout.input_file
        inner join tieout.withdrawal on input_file.sha256 = withdrawal.sha256
        where withdrawal.undone_at is null and not input_file.is_withdrawn
        """, step: "withdrawals"
      ).first.flatMap { Int($0) } ?? 0
    guard count > 0 else { return nil }
    return """
      \(count) withdrawn \(count == 1 ? "file still counts" : "files still count") until the tables \
      are built again: tieout rebuild.
      """
  }

  /// The locations in an inbox where withdrawn files were last seen.
  package static func locations(in database: Connection) throws -> Set<String> {
    let paths = try database.run(
      """
      select inbox_path.path
      from tieout.inbox_path
      left join tieout.input_file on inbox_path.file_id = input_file.file_id
      inner join tieout.withdrawal
          on coalesce(inbox_path.withdrawn_sha256, input_file.sha256) = withdrawal.sha256
      where withdrawal.undone_at is null
      """, step: "withdrawals")
    return Set(paths.values.compactMap { $0[0] })
  }

  private func change(
    _ name: String, _ body: (Connection, NamedFile.Content) throws -> Bool
  ) throws -> [File] {
    // A night that is loading the file at this moment would not notice the withdrawal.
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout withdraw")
    try Schema.bringUpToDate(connection)
    let contents = try NamedFile(inbox: settings.inbox, database: connection).contents(of: name)
    try connection.run("\(Schema.begin); \(LockHolders.limit)", step: "withdraw")
    do {
      let files = try contents.map { content in
        let records = try Self.records(of: content.sha256, in: connection)
        let isChanged = try body(connection, content)
        return File(
          path: content.path, sha256: content.sha256, bytes: content.bytes,
          isLoaded: content.isLoaded,
          needsRebuild: try Self.needsRebuild(content.sha256, in: connection),
          isChanged: isChanged, records: records,
          reopened: try takeBackAcknowledgements(of: content.sha256, in: connection))
      }
      try connection.run("commit", step: "withdraw")
      return files
    } catch {
      _ = try? connection.run("rollback", step: "withdraw")
      throw error
    }
  }

  private static func needsRebuild(_ sha256: String, in database: Connection) throws -> Bool {
    try database.run(
      """
      select exists (
          select from tieout.input_file
          where sha256 = decode($1, 'hex') and folder <> 'acknowledgements' and not is_withdrawn
      )
      """, [sha256], step: "withdraw"
    ).first == "t"
  }

  private static let kinds = [
    ("documents", "document"), ("pieces of evidence", "evidence"),
    ("delivery records", "delivery_record"), ("statements of catalogues", "catalogue_statement"),
    ("queue entries", "client_transaction"), ("reports of apps", "client_invalid_product"),
    ("acknowledgements", "acknowledgement"), ("rows of Apple's reports", "apple_report_row"),
  ]

  /// The number of records that a file was the first to contain, by kind of record.
  private static func records(
    of sha256: String, in database: Connection
  ) throws -> [(kind: String, count: Int64)] {
    try kinds.compactMap { kind, table in
      let count =
        try database.run(
          """
          select count(*)
          from tieout.\(table)
          where file_id in (
              select input_file.file_id from tieout.input_file where sha256 = decode($1, 'hex')
          )
          """, [sha256], step: "withdraw"
        ).first.flatMap { Int64($0) } ?? 0
      return count > 0 ? (kind, count) : nil
    }
  }
}
