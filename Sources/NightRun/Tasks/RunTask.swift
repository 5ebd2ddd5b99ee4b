import Configuration
import FileSystem
import Foundation
import Inbox
import Intake
import Ledger
import PostgreSQL
import Remote
import ReconciliationSQL
import Rules
import Runs

/// Loads the new files of the inbox, and judges the affected records.
final class RunTask: NightTask {
  let work: NightWork
  var extent: Judgement.Extent { .affected }
  var usesNewestAsOf: Bool { false }
  /// The addresses of catalogues that answered, and when.
  private var answers: [(address: String, at: Date)] = []

  init(work: NightWork) {
    self.work = work
  }

  /// Reads the new files of the inbox into the staging tables.
  func read() throws -> [Staging.Result] {
    let (settings, steps, database) = (work.settings, work.steps, work.database)
    let keeping = try NameKeeping(settings, in: database)
    work.names = keeping
    let intake = IntakeSettings(settings, trusting: work.roots, naming: keeping.pseudonyms)
    let inbox = try Inbox.open(settings)
    let fetched = try fetchCatalogues(intake, in: inbox)
    // Keeps the files that a dry run fetched until the end of this function.
    defer { withExtendedLifetime(fetched) {} }
    answers = fetched?.answers ?? []
    let files = try newFiles(of: inbox) + (fetched?.unkept ?? [])
    try steps.measure("empty staging") { try Staging.empty(database) }
    guard let firstFileID = try database.run(SQLFile.loadNextFile).first.flatMap({ Int32($0) })
    else {
      throw ReconciliationError(
        .totals, "The database returned no number for the next file. Nothing was loaded.")
    }
    let staging = Staging(
      database: work.night.database, settings: intake, connections: settings.loadConnections,
      stop: work.night.stop)
    return try steps.measure("read", size: StepSize.init(of:)) {
      try staging.fill(files, fileID: { firstFileID + Int32($0) }) {
        steps.advance(to: $0, of: $1)
      }
    }
  }

  /// Loads the files that are new, and records which addresses answered.
  ///
  /// - Throws: ``ReconciliationError`` with `tooMuchRejected` if more was rejected than the
  ///   settings allow.
  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    let loaded = try loadNew(read, into: ledger, judgingBefore: judgeBeforeLoad)
    try recordAnswers(answers)
    if let warning = try ledger.warningOfMovedFiles() { work.summary.warnings.append(warning) }
    // A run of a past day usually reads records that are later.
    if !work.summary.isOfPastDay {
      work.summary.warnings += try ledger.warningsOfUncounted(
        notIn: work.settings.environments, after: work.summary.asOf)
    }
    try work.requireFewRejections(loaded.counts.rejected, of: loaded.counts.read, in: ledger)
    return loaded
  }

  /// The files of the inbox that are new, or have changed since they were read.
  private func newFiles(of inbox: OpenFolder) throws -> [InboxFile] {
    let (all, ignored) = try Inbox.files(of: inbox)
    for name in ignored {
      work.summary.warnings.append(
        "\(Inbox.wordsOfIgnored(name)), so it was not read. Move it into one of them.")
    }
    try requireFolders(of: inbox)
    var files = try KnownPaths(database: work.database, settings: try work.settings.recorded)
      .unread(all)
    work.summary.unchangedFiles = all.count - files.count
    try FilesWithOpenLine(in: work.database).addEarlier(to: &files)
    return files
  }

  /// Checks that the inbox has a folder of receipts or deliveries, if earlier nights have loaded
  /// files from one.
  ///
  /// An inbox is often on another disk or machine. If that is not mounted, the folder is empty, and
  /// deliveries whose files were not read would be called missing.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration`.
  private func requireFolders(of inbox: OpenFolder) throws {
    let folders = [Folder.receipts, .deliveries].map(\.rawValue)
    guard folders.allSatisfy({ inbox.status(of: $0) == nil }) else { return }
    let loaded = try work.database.run(SQLFile.inboxIsKnown, [PostgreSQLArray.text(folders)])
    guard try loaded.isTrue else { return }
    throw ReconciliationError(
      .configuration,
      """
      The inbox \(inbox.path) has neither receipts/ nor deliveries/, but earlier nights have loaded files from there. \
      Nothing changed. Check that its disk is mounted; if there are no files on purpose, make an empty folder receipts/.
      """)
  }
}
