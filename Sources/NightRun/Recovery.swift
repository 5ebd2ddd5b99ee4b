import Configuration
import Foundation
import Logging
import PostgreSQL
import Reports
import Rules
import Runs
import Waiting

/// Completes the work of killed runs.
struct Recovery {
  let settings: Settings
  /// The version of the program.
  let version: String
  let logger: Logger
  let stop: StopRequest

  /// Marks killed runs, and publishes the edition of a day whose run committed but did not publish
  /// it.
  ///
  /// The caller holds the lock, so a run that is still recorded as running was killed.
  func recover(_ database: Connection) throws {
    try LedgerCluster.recover(database)
    let killed = try database.alone(
      """
      update tieout.run set outcome = 'killed', finished_at = clock_timestamp()
      where outcome = 'running'
      """, step: "recover")
    if killed.affected > 0 {
      logger.notice("An earlier run was killed; none of its work was stored.")
    }
    guard !settings.dryRun else { return }
    // Only the last run of a day counts: the newest edition must not return to an earlier run's
    // result.
    let hidden = try database.run(
      """
      select
          run_id,
          to_char(as_of_on::timestamp, 'YYYY-MM-DD'),
          reports_folder
      from (
          select distinct on (as_of_on, reports_folder) *
          from tieout.run
          where outcome = 'done'
          order by as_of_on, reports_folder, run_id desc
      ) as last
      where not is_published
      order by as_of_on
      """, step: "recover")
    for row in hidden.values {
      guard let runID = row[0], let day = row[1], let reports = row[2] else { continue }
      logger.notice("The reports of \(day) were not published by their run; publishing them now.")
      do {
        try show(day, of: runID, in: reports, database: database)
      } catch {
        // Tonight's run continues without this folder; the next run tries again.
        try stop.check()
        logger.warning("The reports of \(day) still cannot be published: \(error)")
      }
    }
  }

  /// Judges everything again as of a run, and publishes the edition of its day unless it is there.
  private func show(
    _ day: String, of runID: String, in reports: String, database: Connection
  ) throws {
    let steps = Steps(logger: logger, stop: stop) { _ in }
    let publication = try Publication(reports: reports, day: day)
    let written: WrittenEdition
    try database.run(Schema.begin, step: "recover")
    do {
      try database.run(Schema.transactionSettings, step: "recover")
      try Judgement.ofPast(runID, database: database, steps: steps)
      written = try publication.write(
        from: database, steps: steps, settings: settings, version: version,
        money: Money(from: database))
      try database.run("rollback", step: "recover")
    } catch {
      _ = try? database.run("rollback", step: "recover")
      publication.discard()
      throw error
    }
    do {
      // Tonight's run brings the calendar up to date.
      try publication.show(written, nights: nil)
    } catch {
      // Readers find it, so it is not to be published again with what is known later.
      if publication.hasShown(written) { try markShown(written, day, in: reports, database) }
      throw error
    }
    try markShown(written, day, in: reports, database)
  }

  /// Records that readers find the reports of a day's runs.
  private func markShown(
    _ written: WrittenEdition, _ day: String, in reports: String, _ database: Connection
  ) throws {
    try database.run(
      """
      update tieout.run
      set is_published = true, edition = $3::integer
      where
          as_of_on = $1::date and reports_folder = $2 and outcome = 'done' and not is_published
      """, [day, reports, "\(written.edition.number)"], step: "recover")
  }
}
