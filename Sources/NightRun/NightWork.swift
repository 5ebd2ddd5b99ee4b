import Configuration
import Findings
import Ledger
import Logging
import Page
import PostgreSQL
import ReconciliationSQL
import Reports
import Rules
import Runs
import SignatureVerification
import Waiting

/// The steps of a night that are the same for each task, in their order.
final class NightWork {
  /// The night's settings and purpose.
  let night: Night
  /// The connection of the night's transaction; another one if it broke during the commit.
  private(set) var database: Connection
  let roots: TrustedRoots
  let steps: Steps
  var summary = Summary()
  /// How the tables keep the names of accounts and devices; nil until the task has read it, and for
  /// `recompute`.
  var names: NameKeeping?

  var settings: Settings { night.settings }

  /// The written folder, until it is published.
  private var publication: Publication?
  private var isCommitted = false
  /// Whether the connection ended during the commit, so that the server may have committed.
  private var mayBeCommitted = false
  /// Whether the ledger is on the workers of a cluster.
  private var isDistributed = false

  init(_ night: Night, on database: Connection, trusting roots: TrustedRoots, steps: Steps) {
    self.night = night
    self.database = database
    self.roots = roots
    self.steps = steps
    summary.purpose = night.purpose
  }

  /// Records the beginning of the task's run.
  func begin(for task: any NightTask) throws -> RunRecord {
    var settings = self.settings
    if task.usesNewestAsOf { settings.asOf = try RunRecord.newestAsOf(in: database) }
    // Outside of a transaction, settings of the role would apply. A dry run has begun one already.
    guard !settings.dryRun else { return try begin(with: settings) }
    return try database.inTransaction("begin", endingWith: .end) { try begin(with: settings) }
  }

  private func begin(with settings: Settings) throws -> RunRecord {
    if night.ignoresFutureNights {
      summary.warnings += try RunRecord.ignoreFutureNights(in: database)
    }
    return try RunRecord.begin(settings, version: night.version, in: database)
  }

  /// Warns if the reports folder may belong to another database, or if it lacks editions that
  /// earlier runs have published.
  func checkReportsFolder(forDay day: String?) throws {
    guard let doubt = try FolderDoubt.check(settings.reports, day: day, in: database) else {
      return
    }
    summary.warnings.append(doubt.words)
    if doubt.kind != .isNew { summary.folderDoubt = doubt.words }
  }

  func beginTransaction() throws {
    try database.run(Schema.begin, step: "begin")
    try database.run(Schema.transactionSettings, step: "begin")
    isDistributed = try LedgerCluster.isDistributed(database, step: "begin")
    try database.run(Schema.judgingSettings, step: "begin")
  }

  /// Selects the run: all later SQL statements of the transaction use its number and its as-of.
  func scope(to record: RunRecord) throws {
    summary.asOf = record.asOf
    summary.isOfPastDay = record.isOfPastDay
    summary.isDryRun = settings.dryRun
    if record.isOfPastDay { try warnOfLaterNight() }
    try database.select(run: record.runID, step: "begin")
    if !night.purpose.isRebuild, let warning = try RunRecord.wordsOfChangedReading(in: database) {
      summary.warnings.append(warning)
    }
    try names?.note(in: database)
  }

  /// Warns about the night in the future that makes this run one of a past day.
  private func warnOfLaterNight() throws {
    let isOfNow = settings.asOf == nil
    guard let words = try RunRecord.wordsOfLaterNight(in: database, isKnown: isOfNow)
    else { return }
    summary.warnings.append(words)
    if isOfNow { summary.laterNight = words }
  }

  /// Copies the counts of the loaded records to the summary.
  func summarizeLoad(_ counts: Ledger.Counts) throws {
    summary.lines = Ledger.Section.allCases.map { section in
      Summary.Line(
        kind: section.rawValue, read: counts[section, .read], new: counts[section, .new],
        alreadyKnown: counts[section, .alreadyKnown], rejected: counts[section, .rejected])
    }
    if let warning = try Withdrawal.warning(in: database) { summary.warnings.append(warning) }
  }

  /// The changes of the findings in this night.
  var findings: FindingChanges { FindingChanges(database: database, steps: steps) }

  /// Changes the findings and what is carried forward, and removes names and data that may not be
  /// kept.
  func changeFindings(by judgement: Judgement) throws {
    try findings.update()
    if names?.isChanged == true { try run(.rebuildPrivacy) }
    if settings.keepClosedDays > 0 { try run(.retentionDrop) }
    try judgement.carryForward()
    try removeNamesFromStatistics()
  }

  /// Removes forgotten names, and names that a changed setting hides, from the planner's statistics.
  private func removeNamesFromStatistics() throws {
    guard summary.forgotten != nil || names?.isChanged == true else { return }
    let step = SQLFile.privacyStatistics.name
    try database.samplingFewRows(step: step) {
      try run(.privacyStatistics)
      if try LedgerCluster.isDistributed(database, step: step) {
        try database.analyzeOnWorkers(step: step)
      }
    }
  }

  /// Reads what the summary says about the judged night.
  ///
  /// - Parameter judgement: The judgement, which has corrected what earlier nights had left wrong.
  func summarize(_ ledger: Ledger, _ record: RunRecord, correctedBy judgement: Judgement) throws {
    summary.correctedTables = judgement.correctedTables
    summary.correctedSums = judgement.correctedSums
    summary.wrongPeriods = try judgement.months.wrongPeriods()
    if let warning = summary.correctionWords { summary.warnings.append(warning) }
    if let warning = try ledger.warningOfCountedRejections() { summary.warnings.append(warning) }
    summary.warnings += try ledger.warningsOfReports()
    summary.warnings += try AffectedRecords(database: database).wordsOfLargeChains()
    try summary.readFindings(from: database, runID: record.runID)
    try summary.readMissing(from: database)
    summary.comparison = try Comparison(from: database)
    summary.money = try Money(from: database)
    if settings.quiet {
      try summary.readWorst(
        from: database,
        newIn: settings.failOn.isOfNew ? [record.runID] + summary.recovered.map(\.runID) : [])
    }
    guard summary.rejected > 0 else { return }
    (summary.rejections, summary.rejectionReasons) = try Summary.commonestRejections(
      of: record.runID, limit: Summary.shownRejections, in: database)
  }

  /// Writes the reports into a hidden folder.
  func write(_ record: RunRecord) throws -> PendingPublication {
    let folder = try Publication(reports: settings.reports, day: record.day)
    publication = folder
    if let warning = folder.warning { summary.warnings.append(warning) }
    let written = try folder.write(
      from: database, steps: steps, settings: settings, version: night.version,
      comparison: summary.comparison, cause: summary.cause, money: summary.money)
    if !record.isOfPastDay, let later = folder.laterEdition(than: written.edition) {
      summary.warnings.append(
        """
        The link latest still leads to \(later.folder), because the day of this night is earlier: \(record.day) in \
        \(settings.timeZone). The link moves with the next night of \(later.day) or a later day.
        """)
    }
    summary.edition = written.edition
    summary.isNewEdition = written.isNew
    return PendingPublication(folder: folder, written: written)
  }

  /// Records the ended months that the written edition stands for.
  ///
  /// A run of a past day records none. A night that has the same reports as the edition of such a run
  /// records them.
  func recordMonths(of written: WrittenEdition) throws {
    try steps.measure(SQLFile.restatedPublished.name, size: StepSize.written) {
      try database.run(
        "select set_config('tieout.edition', $1, true)", ["\(written.edition.number)"],
        step: SQLFile.restatedPublished.name)
      return try database.run(SQLFile.restatedPublished)
    }
  }

  /// Ends a dry run: nothing was saved or published.
  func discard(_ publication: PendingPublication) throws {
    if publication.written.isNew { publication.folder.discard() }
    try database.run("rollback", step: "rollback")
  }

  /// Commits the night's one transaction.
  ///
  /// If the connection ends during the commit, the server is asked whether it has committed.
  ///
  /// - Returns: the nights of the calendar, as the transaction sees them.
  func commit(_ record: RunRecord) throws -> [CalendarPage.Night] {
    try night.stop.check()
    let nights = try CalendarPage.nights(from: database)
    try steps.keep(in: database, runID: record.runID)
    try record.markDone(in: database)
    night.stop.refuseFromNow()
    do {
      try steps.measure("commit", size: StepSize.written) {
        try database.run("commit", step: "commit")
      }
    } catch {
      mayBeCommitted = (error as? PostgreSQLError)?.hasNoAnswer == true
      guard mayBeCommitted,
        let living = record.foundDone(after: error, having: steps, in: night.database)
      else {
        // Elsewhere no node can be the reason, and a server that is gone would be waited for again.
        if isDistributed { try LedgerCluster.assertAnswering(after: error, in: night.database) }
        throw error
      }
      night.logger.notice(
        "The connection broke during the commit of the night; the server completed it.")
      database = living
    }
    isCommitted = true
    try LedgerCluster.assertCommitted(on: database, in: night.database)
    return nights
  }

  /// Publishes the written folder, and then does the last steps.
  ///
  /// If a step of ``tidyUp(after:publishedIn:)`` fails, the next run does it.
  ///
  /// - Parameter nights: The nights of the calendar.
  func publish(
    _ publication: PendingPublication, among nights: [CalendarPage.Night],
    leavingOut removed: [Edition], _ record: RunRecord
  ) throws {
    let (folder, written) = (publication.folder, publication.written)
    summary.head = try steps.measure("publish") {
      try folder.publish(written, nights: nights, leavingOut: removed).head
    }
    night.stop.acceptAgain()
    tidyUp(after: record, publishedIn: written.edition)
    summary.runID = record.runID
    summary.folder = "\(folder.reports)/\(written.edition.folder)"
    try folder.remove(removed, after: "The account is forgotten")
    guard let anchor = settings.anchor else { return }
    // The night is done, so its findings are reported in any case.
    do { try Anchor(anchor).append(listOf: folder.reports) } catch {
      summary.anchorFailure = error
    }
  }

  /// Rolls back everything that is not committed, and throws the error that made it necessary.
  func rollBack(after error: any Error) throws -> Never {
    // If the connection broke, the server has rolled the transaction back.
    _ = try? database.run("rollback", step: "rollback")
    if !isCommitted { publication?.discard() }
    try night.stop.check()
    throw error
  }

  /// The error of the run.
  ///
  /// If the run was told to stop before its commit, the error says that no record and no finding
  /// changed. If `forget` fails after its commit, or if the server may have committed, the error
  /// lists what still contains the account.
  func sayingWhatChanged(_ error: any Error) -> any Error {
    if isCommitted || mayBeCommitted {
      guard let unfinished = UnfinishedForgetting(error, summary.forgotten) else { return error }
      return unfinished
    }
    guard night.stop.isMade, (error as? ReconciliationError)?.code == .stopped else {
      return error
    }
    return ReconciliationError(
      .stopped, "Stopped: no record and no finding changed. Start it again.")
  }

  private func run(_ file: SQLFile) throws {
    try steps.run(file, in: database)
  }
}

/// The reports that this night has written, until it publishes them.
///
/// If an earlier run has published the same reports, ``written`` is that edition, and there is no
/// hidden folder.
struct PendingPublication {
  let folder: Publication
  let written: WrittenEdition
}
