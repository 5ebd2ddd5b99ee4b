public import Configuration
public import Logging
import PostgreSQL
import ReconciliationSQL
import Verification

/// One night's work, from the inbox to the day's folder.
///
/// Start reading here. Data flows one way: inbox → evidence → ledger → findings → reports. Until the ledger's one
/// transaction commits nothing has happened; after it only the folder has to be shown, and the next
/// run does that if this one could not.
public struct Night {
  /// What a night is for.
  public enum Purpose: Sendable {
    /// To load what is new and judge what it touches.
    case news
    /// To judge everything from scratch, as of the newest night unless another as-of is set; the inbox is
    /// not looked at.
    case recomputation
  }

  let settings: Settings
  let database: String
  let version: String
  let purpose: Purpose
  let logger: Logger
  let stop: StopRequest
  let progress: @Sendable (RunProgress) -> Void

  /// Prepares a night.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - version: The program's version, for the run's record.
  public init(
    settings: Settings, database: String, version: String, purpose: Purpose = .news,
    logger: Logger, stop: StopRequest = StopRequest(),
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    self.settings = settings
    self.database = database
    self.version = version
    self.purpose = purpose
    self.logger = logger
    self.stop = stop
    self.progress = progress
  }

  /// Does the work.
  ///
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`; nothing has happened then.
  public func run() throws -> Summary {
    let start = ContinuousClock.now
    let roots = try settings.certificates
    let steps = Steps(logger: logger, stop: stop, shows: progress)
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout run")
    stop.covers(connection)
    try steps.measure("schema") { try Schema.bringUpToDate(connection) }
    try steps.measure("recover") {
      try Recovery(settings: settings, logger: logger, stop: stop).recover(connection)
    }
    var summary: Summary
    if settings.dryRun {
      steps.expect(try UsualSteps(of: connection, isRebuild: false))
      summary = try work(on: connection, record: nil, trusting: roots, steps: steps)
    } else {
      let record = try begin(in: connection)
      steps.expect(try UsualSteps(of: connection, isRebuild: record.isRebuild))
      do {
        summary = try work(on: connection, record: record, trusting: roots, steps: steps)
      } catch {
        record.end(after: error, having: steps, in: self.database)
        throw error
      }
    }
    let seconds = (ContinuousClock.now - start).components
    summary.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return summary
  }

  private func begin(in database: Connection) throws -> RunRecord {
    var settings = settings
    if purpose == .recomputation, settings.asOf == nil {
      settings.asOf = try RunRecord.newestAsOf(in: database)
    }
    var record = try RunRecord.begin(settings, version: version, in: database)
    record.judgesEverything = purpose == .recomputation
    return record
  }

  private func work(
    on database: Connection, record begun: RunRecord?, trusting roots: TrustedRoots, steps: Steps
  ) throws -> Summary {
    var summary = Summary()

    let inbox =
      try purpose == .recomputation
      ? readNothing(database)
      : readInbox(into: &summary, trusting: roots, database: database, steps: steps)

    try database.run("begin", step: "begin")
    var publication: Publication?
    var isCommitted = false
    do {
      try database.run(Schema.transactionSettings, step: "begin")
      try database.run(Schema.judgingSettings, step: "begin")
      let record = try begun ?? begin(in: database)
      summary.asOf = record.asOf
      summary.isRebuild = record.isRebuild
      summary.isDryRun = settings.dryRun
      if settings.asOf == nil, record.isRebuild {
        summary.warnings.append(try RunRecord.wordsOfLaterNight(in: database))
      }

      // The night that load and judge speak of.
      try database.run(
        "select set_config('tieout.run_id', $1, true)", [record.runID], step: "begin")
      let ledger = Ledger(database: database, runID: record.runID)
      let new = try ledger.register(inbox)
      let judgement = Judgement(database: database, record: record, step: steps)
      try judgement.asItStood()
      let counts = try ledger.load(new: new, all: inbox, step: steps)
      summary.lines = Ledger.Section.allCases.map { section in
        Summary.Line(
          kind: section.rawValue, read: counts[section, .read], new: counts[section, .new],
          alreadyKnown: counts[section, .alreadyKnown], rejected: counts[section, .rejected])
      }
      try assertBearable(counts, in: database, runID: record.runID)

      try judgement.asItStands()
      summary.corrections = judgement.corrections
      summary.isRecomputation = purpose == .recomputation
      if !record.isRebuild {
        try steps.measure(SQLFile.findingsLive.name) {
          try database.run(SQLFile.findingsLive.text, step: SQLFile.findingsLive.name)
        }
        if settings.keepClosedDays > 0 {
          try steps.measure(SQLFile.retentionDrop.name) {
            try database.run(SQLFile.retentionDrop.text, step: SQLFile.retentionDrop.name)
          }
        }
        try judgement.carryForward()
        try database.run(SQLFile.findingsCount.text, step: SQLFile.findingsCount.name)
      }
      try summary.readFindings(from: database, runID: record.runID)

      let folder = try Publication(reports: settings.reports, day: record.day)
      publication = folder
      let rows = try folder.write(from: database, step: steps, settings: settings)
      try assertReported(rows, in: database)
      try judgement.end()
      guard !settings.dryRun else {
        folder.discard()
        try database.run("rollback", step: "rollback")
        return summary
      }
      try stop.check()
      try steps.keep(in: database, runID: record.runID)
      try record.end("done", in: database)
      stop.isTooLateFromHere()
      try steps.measure("commit") { try database.run("commit", step: "commit") }
      isCommitted = true
      try steps.measure("publish") {
        try folder.show(asLatest: !record.isRebuild, logger: logger)
      }
      try record.isShown(in: database)
      try steps.measure("vacuum") { Vacuum(database: database, logger: logger).pass() }
      try steps.keep(in: database, runID: record.runID)
      summary.runID = record.runID
      summary.folder = folder.folder
    } catch {
      // A broken connection has rolled back by itself.
      _ = try? database.run("rollback", step: "rollback")
      if !isCommitted { publication?.discard() }
      try stop.check()
      throw error
    }
    return summary
  }
}
