import Configuration
import Logging
import Page
import PostgreSQL
import ReconciliationSQL
import Reports
import Rules
import Runs
import Waiting

/// Completes the work of runs that were killed, or that could not publish their reports.
struct Recovery {
  let settings: Settings
  /// The version of the program.
  let version: String
  let logger: Logger
  let stop: StopRequest

  /// Marks killed runs, publishes the edition of a day whose run committed but did not publish it,
  /// and writes the files of killed closings and approvals.
  ///
  /// A dry run does none of it.
  ///
  /// The caller holds the lock, so a run that is still recorded as running was killed.
  ///
  /// - Returns: the earlier runs whose results no command has reported.
  func recover(_ database: Connection) throws -> [RecoveredNight] {
    try LedgerCluster.settle(database)
    guard !settings.dryRun else { return [] }
    let killed = try database.alone(SQLFile.recoverKilled)
    if killed.affected > 0 {
      logger.warning("An earlier run was killed; none of its work was stored.")
    }
    try finishClosings(database)
    let published = try publishHidden(database)
    return try database.run(SQLFile.recoverUnreported).records.map { row in
      let runID = row.text("run_id")
      return try RecoveredNight(
        row.text("day"), of: runID, isPublishedNow: published.contains(runID), in: database)
    }
  }

  /// Publishes the editions of days whose run committed but did not publish them.
  ///
  /// - Returns: the numbers of the runs whose reports are published now.
  private func publishHidden(_ database: Connection) throws -> Set<String> {
    var published: Set<String> = []
    for row in try database.run(SQLFile.recoverUnpublished).records {
      let (runID, day) = (row.text("run_id"), row.text("day"))
      let reports = row.text("reports_folder")
      do {
        // A disk that is not mounted would get reports that nobody finds later. Tonight's run says the
        // same of its own folder.
        if let doubt = try FolderDoubt.check(reports, in: database), doubt.kind == .hasLostEditions
        {
          logger.warning(
            """
            The reports of \(day) are not published yet: \(reports) has no editions. Is its disk mounted?
            """)
          continue
        }
        logger.notice(
          "The reports of \(day) were not published by their run; publishing them now.")
        try published.formUnion(publish(day, of: runID, in: reports, database: database))
      } catch {
        // Tonight's run continues without this folder; the next run tries again.
        try stop.check()
        logger.warning(
          "The reports of \(day) still cannot be published; the next run tries again: \(error)")
      }
    }
    return published
  }

  /// Writes the files of closings and approvals that were killed after their commit.
  private func finishClosings(_ database: Connection) throws {
    // Tonight's run does not need them; the next run tries again.
    func warn(_ error: any Error) throws {
      try stop.check()
      logger.warning(
        """
        The files of a closed period still cannot be written; the next run tries again: \(error)
        """)
    }
    do {
      try UnfinishedClosing.finish(
        in: settings.reports, database, done: { logger.notice("\($0)") }, failed: warn)
    } catch {
      try warn(error)
    }
  }

  /// Judges everything again as of a run, and publishes the edition of its day unless it is there.
  ///
  /// - Returns: the numbers of the runs whose reports are published now.
  private func publish(
    _ day: String, of runID: String, in reports: String, database: Connection
  ) throws -> [String] {
    let steps = Steps(logger: logger, stop: stop) { _ in }
    let publication = try Publication(reports: reports, day: day)
    let written: WrittenEdition
    do {
      written = try database.inTransaction(endingWith: .rollback) {
        try Judgement.ofPast(
          runID, database: database, steps: steps,
          mostCoordinatorRows: settings.maxCoordinatorRows)
        return try publication.write(
          from: database, steps: steps, settings: settings, version: version,
          comparison: Comparison(from: database), cause: Cause.strongest(in: database),
          money: Money(from: database))
      }
    } catch {
      publication.discard()
      throw error
    }
    do {
      // Tonight's run brings the calendar up to date.
      try publication.publish(written, nights: nil)
    } catch {
      // Readers can see it already. It must not be published again with later data.
      guard publication.hasPublished(written) else { throw error }
      logger.warning(
        """
        The reports of \(day) are published now, but latest, editions.txt or the calendar is not up to date: \(error)
        """)
    }
    return try markPublished(written, day, in: reports, database)
  }

  /// Records that the reports of a day's runs are published.
  ///
  /// - Returns: the numbers of these runs, without those that had published their reports.
  private func markPublished(
    _ written: WrittenEdition, _ day: String, in reports: String, _ database: Connection
  ) throws -> [String] {
    try database.run(SQLFile.recoverPublished, [day, reports, "\(written.edition.number)"])
      .records.compactMap { $0["run_id"] }
  }
}
