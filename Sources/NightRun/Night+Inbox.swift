import Configuration
import FileSystem
import Foundation
import Inbox
import Intake
import Ledger
import PostgreSQL
import Remote
import Runs
import Verification

extension Night {
  /// Reads the input of this night into the staging tables.
  ///
  /// - Parameter names: Set to the way in which names are kept; stays nil if nothing is read.
  func read(
    into summary: inout Summary, trusting roots: TrustedRoots, names: inout NameKeeping?,
    _ database: Connection, _ steps: Steps
  ) throws -> [Staging.Result] {
    guard purpose != .recomputation else { return try readNothing(database) }
    let keeping = try NameKeeping(settings, in: database, mayChange: isReconstruction)
    names = keeping
    if case .oblivion = purpose { return try readNothing(database) }
    let intake = IntakeSettings(settings, trusting: roots, naming: keeping.pseudonyms)
    if case .reconstruction(let archives) = purpose {
      return try readCounted(in: archives, intake, database: database, steps: steps)
    }
    return try readInbox(into: &summary, intake, database: database, steps: steps)
  }

  /// Reads the new files of the inbox into the staging tables.
  func readInbox(
    into summary: inout Summary, _ intake: IntakeSettings, database: Connection, steps: Steps
  ) throws -> [Staging.Result] {
    let inbox = try Inbox.open(settings.inbox)
    let fetched = try fetchCatalogues(intake, in: inbox, into: &summary, steps: steps)
    // Keeps the files that a dry run fetched until the end of this function.
    defer { withExtendedLifetime(fetched) {} }
    if !settings.dryRun { try noteAnswers(of: fetched, in: database) }
    var (files, ignored) = try Inbox.files(of: inbox)
    for name in ignored {
      summary.warnings.append(
        """
        \(name) is in the inbox but not in one of its folders (receipts, deliveries, catalog, client, \
        acknowledgements, apple), and was not read.
        """
      )
    }
    let all = files.count
    files = try KnownPaths(database: database, settings: settings.recorded).unread(files)
    summary.unchangedFiles = all - files.count
    try OpenFiles(in: database).note(in: &files)
    files += fetched?.unkept ?? []
    try steps.measure("empty staging") { try Staging.empty(database) }
    let next = try database.run(
      "select coalesce(max(file_id), 0) + 1 from tieout.input_file", step: "count files")
    let staging = Staging(
      database: self.database,
      settings: intake, connections: settings.loadConnections, stop: stop)
    let firstFileID = next.first.flatMap { Int32($0) } ?? 1
    return try steps.measure("read") {
      try staging.fill(files, fileID: { firstFileID + Int32($0) }) {
        steps.advance(to: $0, of: $1)
      }
    }
  }

  private var isReconstruction: Bool {
    if case .reconstruction = purpose { true } else { false }
  }

  /// Reads nothing, and removes the staged rows of earlier runs.
  func readNothing(_ database: Connection) throws -> [Staging.Result] {
    try Staging.empty(database)
    return []
  }

  /// Fetches the catalogues that come from addresses, if the settings contain addresses.
  private func fetchCatalogues(
    _ intake: IntakeSettings, in inbox: OpenFolder, into summary: inout Summary, steps: Steps
  ) throws -> CatalogueFetch? {
    guard !settings.catalogueAddresses.isEmpty else { return nil }
    let fetch = CatalogueFetch(
      settings: settings, inbox: inbox, intake: intake, version: version, stop: stop)
    try steps.measure("fetch catalogues") { try fetch.fetch() }
    summary.warnings += fetch.warnings
    return fetch
  }

  /// Records which addresses answered, so that an address that no longer answers is noticed.
  private func noteAnswers(of fetch: CatalogueFetch?, in database: Connection) throws {
    for answer in fetch?.answers ?? [] {
      try database.run(
        """
        insert into tieout.feed_day (feed, environment, day, first_at, last_at)
        select $1, '', (answered.at at time zone 'UTC')::date, answered.at, answered.at
        from (values ($2::timestamptz)) as answered (at)
        on conflict (feed, environment, day) do update
            set
                first_at = least(feed_day.first_at, excluded.first_at),
                last_at = greatest(feed_day.last_at, excluded.last_at)
        """, [answer.address, answer.at.ISO8601Format()], step: "fetch catalogues")
    }
  }
}
