package import Configuration
import Findings
import Inbox
import Ledger
package import Logging
import PostgreSQL
import ReconciliationSQL
import Reports
import Rules
package import Runs
package import Waiting

/// One run that can change the ledger, from the inbox to the day's folder: `tieout run`,
/// `recompute`, `rebuild` or `forget`.
///
/// Start reading here. Data flows one way: inbox → evidence → ledger → findings → reports. The
/// ledger and the findings do not change until the night's one transaction commits. After that,
/// only the folder has to be published. If this run cannot publish it, the next run does.
package struct Night {
  /// The command that a night works for.
  package enum Purpose: Sendable, Equatable {
    /// To load new files and judge the affected records.
    case run
    /// To judge everything again, as of the newest night.
    ///
    /// The inbox is not read. The rules judge every chain; with `inBulk` they judge only the
    /// exceptions and a sample, as in a large night.
    case recompute(inBulk: Bool)
    /// To build the ledger again from all loaded files that are not withdrawn.
    ///
    /// The files are found in the inbox and in these folders. Everything is judged as of the newest
    /// night.
    case rebuild(archives: [String])
    /// To replace an account's name in all tables, and judge everything as of the newest night.
    ///
    /// Published editions that contain the name are removed only if this is wanted.
    case forget(account: String, removesEditions: Bool)

    /// Whether it is ``rebuild(archives:)``, which reads all files with the present settings.
    package var isRebuild: Bool {
      guard case .rebuild = self else { return false }
      return true
    }
  }

  let settings: Settings
  let database: String
  let version: String
  let purpose: Purpose
  /// Whether nights whose as-of is in the future become runs of a past day.
  let ignoresFutureNights: Bool
  let logger: Logger
  let stop: StopRequest
  let progress: @Sendable (RunProgress) -> Void

  /// Prepares a night.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - version: The program's version, for the run's record.
  ///   - ignoresFutureNights: Whether nights whose as-of is in the future become runs of a past day
  ///     before this one begins.
  package init(
    settings: Settings, database: String, version: String, purpose: Purpose = .run,
    ignoringFutureNights ignoresFutureNights: Bool = false, logger: Logger,
    stop: StopRequest,
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    self.settings = settings
    self.database = database
    self.version = version
    self.purpose = purpose
    self.ignoresFutureNights = ignoresFutureNights
    self.logger = logger
    self.stop = stop
    self.progress = progress
  }

  /// Does the work of the night.
  ///
  /// - Throws: ``ReconciliationError``; `PostgreSQLError`; `FileSystemError`; `ConfigurationError`
  ///   for the key of the names; `MissingFiles` in a rebuild; ``UnfinishedForgetting`` after the
  ///   commit that removed a name. The ledger and the findings have not changed then, unless the
  ///   error occurred after the commit.
  package func run() throws -> Summary {
    let start = ContinuousClock.now
    let roots = try settings.roots()
    let steps = Steps(logger: logger, stop: stop, shows: progress)
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout run")
    try steps.measure("schema") { try Schema.bringUpToDate(connection) }
    let recovered = try steps.measure("recover") {
      try Recovery(settings: settings, version: version, logger: logger, stop: stop)
        .recover(connection)
    }
    let work = NightWork(self, on: connection, trusting: roots, steps: steps)
    work.summary.recovered = recovered
    work.summary.warnings += recovered.map(\.sentence)
    let task = purpose.task(work)
    // A dry run keeps nothing, so it is recorded only inside its transaction.
    let record = try settings.dryRun ? nil : work.begin(for: task)
    do { try run(task, recorded: record) } catch {
      if let record { work.showEnd(of: record, after: error) }
      work.removeStaged(releasing: lock)
      throw work.sayingWhatChanged(error)
    }
    // Every other night has called `tidyUp`, which empties the staging tables.
    if settings.dryRun { work.removeStaged(releasing: lock) }
    let seconds = (ContinuousClock.now - start).components
    work.summary.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return work.summary
  }

  /// Records that a command has reported what this night found.
  ///
  /// If the command is killed before it calls this, the next run reports the same again.
  ///
  /// - Parameter andRecovered: Whether it has also reported what its recovered nights found.
  /// - Throws: `PostgreSQLError`.
  package static func markReported(
    _ summary: Summary, andRecovered: Bool, in database: String
  ) throws {
    // A dry run has no number, and has recovered nothing.
    guard let runID = summary.runID else { return }
    let reported = [runID] + (andRecovered ? summary.recovered.map(\.runID) : [])
    try Connection(database, applicationName: "tieout run")
      .run(SQLFile.runReported, [PostgreSQLArray.text(reported)])
  }

  /// Does the steps of the night in this order.
  ///
  /// 1. The task reads its files into the staging tables.
  /// 2. The night's transaction begins.
  /// 3. The task registers the new files. The affected records are judged as they are without these
  ///    files. Then the task loads the files into the ledger.
  /// 4. The affected records are judged again, with the new files.
  /// 5. The difference between the two judgements changes the findings and what is carried forward.
  /// 6. The reports are written into a hidden folder.
  /// 7. The transaction is committed, and the folder is published.
  ///
  /// If everything is judged, there is no judgement before the load. A run of a past day judges
  /// everything; it changes no finding and carries nothing forward.
  ///
  /// - Parameter recorded: The record of the run. It is nil for a dry run, which begins its record in
  ///   its transaction.
  private func run(_ task: any NightTask, recorded: RunRecord?) throws {
    let work = task.work
    work.steps.expect(
      try UsualSteps(of: work.database, isOfPastDay: recorded?.isOfPastDay ?? false))
    try work.checkReportsFolder(forDay: recorded?.day)
    let read = try task.read()

    do {
      try work.beginTransaction()
      let record = try recorded ?? work.begin(for: task)
      try work.scope(to: record)
      let ledger = Ledger(database: work.database, runID: record.runID)
      let judgement = Judgement(
        runID: record.runID, extent: record.isOfPastDay ? .pastDay : task.extent,
        database: work.database, steps: work.steps, correctsMonths: task.correctsMonths,
        mostCoordinatorRows: settings.maxCoordinatorRows)

      let loaded = try task.load(
        read, into: ledger, judgingBefore: { try judgement.judgeBeforeLoad() })
      try work.summarizeLoad(loaded.counts)
      try judgement.judgeAfterLoad()
      if !record.isOfPastDay { try work.changeFindings(by: judgement) }
      try task.acknowledge(loaded, in: ledger)
      if !record.isOfPastDay { try work.findings.count() }
      try judgement.noteCounts()
      try work.summarize(ledger, record, correctedBy: judgement)

      let publication = try work.write(record)
      try judgement.end()
      if !record.isOfPastDay { try work.recordMonths(of: publication.written) }
      let removed = task.editionsToRemove(beside: publication)
      if settings.dryRun { return try work.discard(publication) }
      let nights = try work.commit(record)
      try work.publish(publication, among: nights, leavingOut: removed, record)
    } catch {
      try work.rollBack(after: error)
    }
  }
}
