import Configuration
import Intake
import PostgreSQL
import Verification

extension Night {
  /// Reads what is new in the inbox into the staging tables.
  func readInbox(
    into summary: inout Summary, trusting roots: TrustedRoots, database: Connection, steps: Steps
  ) throws -> [Staging.Result] {
    let intake = IntakeSettings(settings, trusting: roots)
    let fetched = try fetchCatalogues(intake, into: &summary, steps: steps)
    // What a dry run fetched is gone with it.
    defer { withExtendedLifetime(fetched) {} }
    var (all, ignored) = try Inbox.files(of: settings.inbox)
    all += fetched?.unkept ?? []
    for name in ignored {
      summary.warnings.append(
        """
        \(name) lies in the inbox beside its folders (receipts, deliveries, catalog, client) and was \
        not read.
        """
      )
    }
    let changed = try unread(all, database: database)
    summary.unchangedFiles = all.count - changed.count
    try steps.measure("empty staging") { try Staging.empty(database) }
    let next = try database.run(
      "select coalesce(max(file_id), 0) + 1 from tieout.input_file", step: "count files")
    let staging = Staging(
      database: self.database,
      settings: intake, connections: settings.loadConnections, stop: stop)
    return try steps.measure("read") {
      try staging.fill(changed, firstFileID: next.first.flatMap { Int32($0) } ?? 1) {
        steps.advance(to: $0, of: $1)
      }
    }
  }

  /// Leaves the inbox alone, and nothing of another run staged.
  func readNothing(_ database: Connection) throws -> [Staging.Result] {
    try Staging.empty(database)
    return []
  }

  /// Fetches the catalogues that come from addresses; nothing is set up where there are none.
  private func fetchCatalogues(
    _ intake: IntakeSettings, into summary: inout Summary, steps: Steps
  ) throws -> CatalogueFetch? {
    // A missing inbox is said by whoever reads it, and not created here.
    guard !settings.catalogueAddresses.isEmpty,
      FileStatus(of: settings.inbox, followingLinks: true)?.kind == .folder
    else { return nil }
    let fetch = CatalogueFetch(settings: settings, intake: intake, version: version, stop: stop)
    try steps.measure("fetch catalogues") { try fetch.fetch() }
    summary.warnings += fetch.warnings
    return fetch
  }

  /// The files that are new, have changed since they were loaded (path, size, time and inode), hold
  /// what tonight's settings could use and those of their own night rejected, or were read by an older
  /// program that understood less of them.
  private func unread(_ files: [InboxFile], database: Connection) throws -> [InboxFile] {
    let rows = try database.run(
      """
      select path, bytes, modified_ns, inode
      from tieout.inbox_path
      where
          file_id not in (select tieout.reconsidered_file($1::jsonb))
          and file_id not in (select file_id from tieout.outdated_file)
      """, [settings.recorded], step: "known paths")
    // By bytes: to Swift, differently composed accents are the same text; to the file system not.
    var known: [[UInt8]: [String?]] = [:]
    for row in rows.values {
      if let path = row[0] { known[Array(path.utf8)] = row }
    }
    return files.filter { file in
      guard let row = known[Array(file.location.utf8)] else { return true }
      let inode = Int64(bitPattern: file.inode)
      return row[1] != "\(file.bytes)" || row[2] != "\(file.modifiedNanoseconds)"
        || row[3] != "\(inode)"
    }
  }
}
