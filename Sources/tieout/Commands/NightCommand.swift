import Configuration
import Logging
import Reconciliation
import Waiting

/// The part that is common to the commands that change the ledger.
enum NightCommand {
  /// Does the work, shows its progress and prints the summary, or only the warnings if `quiet` is set.
  ///
  /// - Parameter status: Returns the exit status of a summary, for the metrics.
  static func run(
    _ settings: Settings, for purpose: Night.Purpose, status: (Summary) -> Int32 = { _ in 0 }
  ) throws -> Summary {
    let log = Log(settings)
    let metrics = RunMetrics(settings, logger: log.logger)
    let bar = ProgressBar(isWanted: !settings.quiet)
    // Otherwise an error message follows the bar on the same line.
    defer { bar.clear() }
    let summary = try metrics.telling(status) {
      try Database.use(settings, logger: log.logger) { database in
        try metrics.telling(status, from: database) {
          try Night(
            settings: settings, database: database, version: Version.text, purpose: purpose,
            logger: log.logger, stop: .ofProcess, progress: { bar.show($0) }
          ).run()
        }
      }
    }
    bar.clear()
    if settings.quiet {
      for warning in summary.warnings { log.logger.warning("\(warning)") }
      if let cause = summary.cause { log.logger.notice("\(cause.sentence)") }
    } else {
      print(SummaryText(summary).text, terminator: "")
    }
    return summary
  }
}
