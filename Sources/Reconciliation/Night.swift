public import Configuration
import Intake
public import Logging
import PostgreSQL
import ReconciliationSQL

/// One night's work, from the inbox to the day's folder.
///
/// Start reading here. Data flows one way: inbox → evidence → ledger → findings → reports. Until the ledger's one
/// transaction commits nothing has happened; after it only the folder has to be shown, and the next
/// run does that if this one could not.
public struct Night {
  private let settings: Settings
  private let database: String
  private let version: String
  private let logger: Logger
  private let stop: StopRequest
  private let progress: @Sendable (RunProgress) -> Void

  /// Prepares a night.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - version: The program's version, for the run's record.
  public init(
    settings: Settings, database: String, version: String, logger: Logger,
    stop: StopRequest = StopRequest(),
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    self.settings = settings
    self.database = database
    self.version = version
    self.logger = logger
    self.stop = stop
    self.progress = progress
  }

  /// Does the work.
  ///
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`; nothing has happened then.
  public func run() throws -> Summary {
    let start = ContinuousClock.now
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout run")
    stop.covers(connection)
    try Schema.bringUpToDate(connection)
    try Recovery(settings: settings, logger: logger, stop: stop).recover(connection)
    var summary: Summary
    if settings.dryRun {
      summary = try work(on: connection, record: nil)
    } else {
      let record = try RunRecord.begin(settings, version: version, in: connection)
      do { summary = try work(on: connection, record: record) } catch {
        keepOutcome(of: error, record: record)
        throw error
      }
    }
    let seconds = (ContinuousClock.now - start).components
    summary.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return summary
  }

  private func work(on database: Connection, record begun: RunRecord?) throws -> Summary {
    let progress = progress
    let steps = Steps(logger: logger, stop: stop) { progress(RunProgress(step: $0)) }
    var summary = Summary()

    let inbox = try readInbox(into: &summary, database: database, steps: steps)

    try database.run("begin", step: "begin")
    var publication: Publication?
    var isCommitted = false
    do {
      try database.run(Schema.transactionSettings, step: "begin")
      try database.run(Self.nightSettings, step: "begin")
      let record =
        try begun
        ?? RunRecord.begin(settings, version: version, in: database)
      summary.asOf = record.asOf
      summary.isRebuild = record.isRebuild
      summary.isDryRun = settings.dryRun
      if settings.asOf == nil, record.isRebuild {
        summary.warnings.append(try RunRecord.wordsOfLaterNight(in: database))
      }

      let ledger = Ledger(database: database, runID: record.runID)
      let new = try ledger.register(inbox)
      let counts = try ledger.load(new: new, all: inbox, step: steps)
      summary.lines = Ledger.Section.allCases.map { section in
        Summary.Line(
          kind: section.rawValue, read: counts[section, .read], new: counts[section, .new],
          alreadyKnown: counts[section, .alreadyKnown], rejected: counts[section, .rejected])
      }
      try assertBearable(counts)

      try Judgement(database: database, runID: record.runID).pass(step: steps)
      if !record.isRebuild {
        try steps.measure(SQLFile.findingsLive.name) {
          try database.run(SQLFile.findingsLive.text, step: SQLFile.findingsLive.name)
        }
      }
      try summary.readFindings(from: database, runID: record.runID)

      let folder = try Publication(reports: settings.reports, day: record.day)
      publication = folder
      let rows = try folder.write(from: database, step: steps)
      try assertReported(rows, in: database)
      guard !settings.dryRun else {
        folder.discard()
        try database.run("rollback", step: "rollback")
        return summary
      }
      try stop.check()
      try steps.keep(in: database, runID: record.runID)
      try record.end("done", in: database)
      stop.isTooLateFromHere()
      try database.run("commit", step: "commit")
      isCommitted = true
      try folder.show(asLatest: !record.isRebuild, logger: logger)
      try record.isShown(in: database)
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

  /// Reads what is new in the inbox into the staging tables.
  private func readInbox(
    into summary: inout Summary, database: Connection, steps: Steps
  ) throws -> [Staging.Result] {
    let (all, ignored) = try Inbox.files(of: settings.inbox)
    for name in ignored {
      summary.warnings.append(
        "\(name) lies in the inbox beside its folders (receipts, deliveries, catalog) and was not read."
      )
    }
    let changed = try unread(all, database: database)
    summary.unchangedFiles = all.count - changed.count
    try steps.measure("empty staging") { try Staging.empty(database) }
    let next = try database.run(
      "select coalesce(max(file_id), 0) + 1 from tieout.input_file", step: "count files")
    let progress = progress
    let staging = Staging(
      database: self.database,
      settings: IntakeSettings(
        documentLimitBytes: settings.documentLimitBytes,
        rejectionLimitBytes: settings.rejectionLimitBytes,
        bundleIDs: settings.bundleIDs, deliveryColumns: settings.deliveryColumns),
      connections: settings.loadConnections, stop: stop
    ) { done, all in progress(RunProgress(step: "reading", done: done, all: all)) }
    return try steps.measure("read") {
      try staging.fill(changed, firstFileID: next.first.flatMap { Int32($0) } ?? 1)
    }
  }

  /// The files that are new or have changed since they were loaded: path, size, time and inode.
  private func unread(_ files: [InboxFile], database: Connection) throws -> [InboxFile] {
    let rows = try database.run(
      "select path, bytes, modified_ns, inode from tieout.inbox_path", step: "known paths")
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

  /// What one session may use while it judges; for the run's transaction alone.
  ///
  /// The large joins are on text keys of relations made a moment ago: hashing them beats sorting them,
  /// and the planner, which knows little of a query's inner relations, would sometimes sort.
  private static let nightSettings = """
    set local work_mem = '256MB';
    set local enable_mergejoin = off;
    set local jit = off;
    set local max_parallel_workers_per_gather = 0
    """

  private func assertBearable(_ counts: Ledger.Counts) throws {
    guard let limit = settings.maxRejected, !limit.bears(counts.rejected, of: counts.read) else {
      return
    }
    throw ReconciliationError(
      .tooMuchRejected,
      """
      \(counts.rejected) of \(counts.read) records were rejected, more than max_rejected allows. \
      Nothing was loaded, nothing published. Look at them with --dry-run, or allow more.
      """)
  }

  /// A statement has a row for each finding of its rule; more only where two subjects read alike.
  private func assertReported(_ rows: [Report: Int], in database: Connection) throws {
    let found = try database.run(
      "select rule, count(*) from found group by rule", step: "assert reports")
    var counts: [String: Int] = [:]
    for row in found.values { counts[row[0] ?? ""] = row[1].flatMap { Int($0) } ?? 0 }
    let pairs = [
      ("missing_deliveries.csv", "missing_delivery"),
      ("invalid_product_ids.csv", "invalid_product_id"),
      ("duplicate_restores.csv", "duplicate_restore"),
    ]
    for (report, count) in rows {
      let findings =
        report.fileName == "findings.csv"
        ? counts.values.reduce(0, +)
        : pairs.first { $0.0 == report.fileName }.map { counts[$0.1] ?? 0 }
      guard let findings, count < findings else { continue }
      throw ReconciliationError(
        .totals,
        """
        \(report.fileName) has \(count) rows for \(findings) findings. Nothing was published.
        """)
    }
  }

  private func keepOutcome(of error: any Error, record: RunRecord) {
    let outcome =
      switch (error as? ReconciliationError)?.code {
      case .stopped: "stopped"
      case .tooMuchRejected: "rejected"
      default: "failed"
      }
    // The run's own connection may be broken; a server that is gone keeps no record.
    guard let connection = try? Connection(database, applicationName: "tieout run") else { return }
    _ = try? connection.run(
      """
      update tieout.run set outcome = $2, finished_at = clock_timestamp()
      where run_id = $1::bigint and outcome = 'running'
      """, [record.runID, outcome], step: "end run")
  }
}

extension RejectionLimit {
  /// Whether so many rejections of so many records are allowed.
  func bears(_ rejected: Int64, of read: Int64) -> Bool {
    switch self {
    case .count(let most): rejected <= most
    case .percent(let most): Double(rejected) * 100 <= most * Double(read)
    }
  }
}
