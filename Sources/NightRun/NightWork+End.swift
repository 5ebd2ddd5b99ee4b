import Configuration
import Ledger
import Logging
import Page
import PostgreSQL
import Reports
import Runs
import Waiting

extension NightWork {
  /// Does the work after publication; a failure is only a warning, because the next run does the
  /// rest.
  func tidyUp(after record: RunRecord, publishedIn edition: Edition) {
    do {
      try record.markPublished(in: edition, database)
      // Without this, the staged rows of a first night take disk space until the next night.
      try steps.measure("empty staging") { try Staging.empty(database, unlessHeld: true) }
      try steps.measure("vacuum") { Vacuum(database: database, logger: night.logger).pass() }
      try database.inTransaction("begin", endingWith: .end) {
        try steps.keep(in: database, runID: record.runID)
      }
    } catch {
      if night.stop.isMade {
        let reason = Self.isStop(error) ? "." : ": \(error)"
        night.logger.notice("Stopped after the night was done; the next run does the rest\(reason)")
        return
      }
      night.logger.warning(
        """
        The night is done and its reports are published, but one of the last steps failed. The next run repeats \
        them: \(error)
        """)
    }
  }

  /// Whether an error only says that the run was told to stop.
  ///
  /// Its words can ask to start the command again, although the night is done.
  private static func isStop(_ error: any Error) -> Bool {
    (error as? ReconciliationError)?.code == .stopped
      || (error as? PostgreSQLError)?.code == .cancelled
  }

  /// Removes the staged rows of a run that has stored nothing, and releases its lock.
  func removeStaged(releasing lock: RunLock) {
    do { try Staging.empty(releasing: lock) } catch {
      night.logger.notice(
        "The records that this run had read could not be removed; the next run removes them: \(error)"
      )
    }
  }

  /// Records how a failed run ended, and shows it in the calendar.
  ///
  /// The error of the run is what matters, so a failure here is only in the log.
  func showEnd(of record: RunRecord, after error: any Error) {
    let database: Connection
    do {
      database = try record.end(after: error, having: steps, in: night.database)
    } catch {
      night.logger.notice(
        """
        How this run ended could not be recorded; if its end is missing, the next run shows it as killed: \(error)
        """)
      return
    }
    do {
      try CalendarPage.showEnd(ofRun: record.runID, in: settings.reports, database)
    } catch {
      night.logger.notice(
        """
        The calendar in \(settings.reports) does not show this run yet; the next run adds it: \(error)
        """)
    }
  }
}
