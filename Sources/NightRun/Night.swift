package import Configuration
import Findings
import Inbox
import Intake
import Ledger
package import Logging
import Page
import PostgreSQL
import ReconciliationSQL
import Reports
import Rules
package import Runs
import Verification
package import Waiting

/// One night's work, from the inbox to the day's folder.
///
/// Start reading here. Data flows one way: inbox → evidence → ledger → findings → reports. Nothing
/// has changed until the ledger's one transaction commits. After that, only the folder has to be
/// published. If this run cannot publish it, the next run does.
package struct Night {
  /// The purpose of a night.
  package enum Purpose: Sendable, Equatable {
    /// To load new files and judge the records that they reach.
    case news
    /// To judge everything again, as of the newest night unless another as-of is set.
    ///
    /// The inbox is not read.
    case recomputation
    /// To build the ledger again from all loaded files that are not withdrawn.
    ///
    /// The files are found in the inbox and in these folders. Everything is judged as of the newest
    /// night.
    case reconstruction(archives: [String])
    /// To remove an account's name from everything, and judge everything as of the newest night.
    ///
    /// Published editions that contain the name are removed only if this is wanted.
    case oblivion(account: String, removesEditions: Bool)
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
  package init(
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

  /// Does the work of the night.
  ///
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`. Nothing has changed then, unless the
  ///   error occurred after the commit.
  package func run() throws -> Summary {
    let start = ContinuousClock.now
    let roots = try settings.certificates
    let steps = Steps(logger: logger, stop: stop, shows: progress)
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout run")
    stop.covers(connection)
    try steps.measure("schema") { try Schema.bringUpToDate(connection) }
    try steps.measure("recover") {
      try Recovery(settings: settings, version: version, logger: logger, stop: stop)
        .recover(connection)
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
        showEnd(of: record, after: error, having: steps)
        throw error
      }
    }
    let seconds = (ContinuousClock.now - start).components
    summary.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return summary
  }

  private func begin(in database: Connection) throws -> RunRecord {
    var settings = settings
    // A purpose that changes the tables themselves is never for a past day.
    let mayBePast = purpose == .news || purpose == .recomputation
    if !mayBePast || purpose == .recomputation && settings.asOf == nil {
      settings.asOf = try RunRecord.newestAsOf(in: database)
    }
    var record = try RunRecord.begin(settings, version: version, in: database)
    record.judgesEverything = purpose != .news
    return record
  }

  private func work(
    on database: Connection, record begun: RunRecord?, trusting roots: TrustedRoots, steps: Steps
  ) throws -> Summary {
    var summary = Summary()

    var names: NameKeeping?
    let read = try self.read(into: &summary, trusting: roots, names: &names, database, steps)

    try database.run(Schema.begin, step: "begin")
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

      // The night that the load and the judgement are about.
      try database.run(
        "select set_config('tieout.run_id', $1, true)", [record.runID], step: "begin")
      try names?.note(in: database)
      let ledger = Ledger(database: database, runID: record.runID)
      let judgement = Judgement(database: database, record: record, step: steps)
      var counts = Ledger.Counts()
      var news: [Staging.Result] = []
      switch purpose {
      case .reconstruction:
        counts = try ledger.rebuild(
          from: read, newly: &summary.rejectedForTheFirstTime, step: steps)
        try database.run(
          """
          select set_config(
              'tieout.cause',
              case
                  when exists (select from recounted_file) then 'file_withdrawn'
                  else 'settings_changed'
              end,
              true
          )
          """, step: "rebuild")
      case .oblivion(let account, _):
        summary.forgotten = try names.map { try ledger.forget(account, $0.pseudonyms) }
        try database.run(
          """
          select set_config('tieout.forgets', 'true', true), set_config('tieout.cause', 'account_forgotten', true)
          """, step: "forget")
      case .news, .recomputation:
        news = try ledger.register(read)
        try judgement.asItStood()
        counts = try ledger.load(new: news, all: read, step: steps)
        summary.rejectedForTheFirstTime = counts.rejected
      }
      summary.lines = Ledger.Section.allCases.map { section in
        Summary.Line(
          kind: section.rawValue, read: counts[section, .read], new: counts[section, .new],
          alreadyKnown: counts[section, .alreadyKnown], rejected: counts[section, .rejected])
      }
      if purpose == .news { try assertBearable(counts, in: database, runID: record.runID) }
      if let warning = try Withdrawal.warning(in: database) { summary.warnings.append(warning) }

      try judgement.asItStands()
      summary.corrections = judgement.corrections
      summary.purpose = purpose
      if !record.isRebuild {
        try steps.measure(SQLFile.findingsLive.name) {
          try database.run(SQLFile.findingsLive.text, step: SQLFile.findingsLive.name)
        }
        try FindingChanges(database: database, step: steps).make()
        if names?.isChanged == true {
          try database.run(SQLFile.rebuildPrivacy.text, step: SQLFile.rebuildPrivacy.name)
        }
        if settings.keepClosedDays > 0 {
          try steps.measure(SQLFile.retentionDrop.name) {
            try database.run(SQLFile.retentionDrop.text, step: SQLFile.retentionDrop.name)
          }
        }
        try judgement.carryForward()
      }
      if purpose == .news {
        try takeAcknowledgements(of: news, after: counts, into: &summary, database, record, steps)
      }
      if let warning = try ledger.warningOfCountedRejections() { summary.warnings.append(warning) }
      if !record.isRebuild {
        try database.run(SQLFile.findingsCount.text, step: SQLFile.findingsCount.name)
        try steps.measure(SQLFile.findingsRolled.name) {
          try database.run(SQLFile.findingsRolled.text, step: SQLFile.findingsRolled.name)
        }
      }
      try summary.readFindings(from: database, runID: record.runID)
      try summary.readMissing(from: database)
      summary.comparison = try Comparison(from: database)
      summary.money = try Money(from: database)
      if settings.quiet { try summary.readWorst(from: database) }
      if summary.rejected > 0 {
        (summary.rejections, summary.rejectionReasons) = try Summary.commonestRejections(
          of: record.runID, limit: Summary.shownRejections, in: database)
      }

      let folder = try Publication(reports: settings.reports, day: record.day)
      publication = folder
      if let warning = folder.warning { summary.warnings.append(warning) }
      let written = try folder.write(
        from: database, step: steps, settings: settings, version: version, money: summary.money)
      try assertReported(written.rows, in: database)
      try judgement.end()
      if written.isNew, !record.isRebuild {
        try steps.measure(SQLFile.restatedPublished.name) {
          try database.run(
            "select set_config('tieout.edition', $1, true)", ["\(written.edition.number)"],
            step: SQLFile.restatedPublished.name)
          return try database.run(
            SQLFile.restatedPublished.text, step: SQLFile.restatedPublished.name)
        }
      }
      let removed = nameEditions(with: names, in: folder, beside: written, into: &summary)
      summary.edition = written.edition
      summary.isNewEdition = written.isNew
      guard !settings.dryRun else {
        if written.isNew { folder.discard() }
        try database.run("rollback", step: "rollback")
        return summary
      }
      try stop.check()
      let nights = try CalendarPage.nights(from: database)
      try steps.keep(in: database, runID: record.runID)
      try record.isDone(in: database)
      stop.isTooLateFromHere()
      let living = try commit(record, on: database, steps: steps)
      isCommitted = true
      summary.head = try steps.measure("publish") {
        try folder.show(written, nights: nights, leavingOut: removed).head
      }
      stop.countsFromHere()
      tidyUp(after: record, shownIn: written.edition, on: living, steps: steps)
      summary.runID = record.runID
      summary.folder = "\(folder.reports)/\(written.edition.folder)"
      try folder.remove(removed, after: "The account is forgotten")
      if let anchor = settings.anchor { try Anchor(anchor).append(listOf: folder.reports) }
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
