import Configuration
import Logging
import Reconciliation

/// What the commands that do a night's work have in common.
enum NightCommand {
  /// Does the work, shows where it is, and tells what it did: the summary, or where that is not wanted the
  /// warnings alone.
  ///
  /// - Parameter status: The exit status that a summary stands for, which metrics tell of.
  static func run(
    _ settings: Settings, for purpose: Night.Purpose, status: (Summary) -> Int32 = { _ in 0 }
  ) throws -> Summary {
    let log = Log(settings)
    let metrics = RunMetrics(settings, logger: log.logger)
    let stop = StopRequest()
    let signals = StopSignals(stop)
    defer { signals.end() }
    let bar = ProgressBar(isWanted: !settings.quiet)
    // An error's line stands by itself, not behind the bar.
    defer { bar.clear() }
    let summary = try metrics.telling(status) {
      try Database.use(settings, logger: log.logger) { database in
        try metrics.telling(status, from: database) {
          try Night(
            settings: settings, database: database, version: Version.text, purpose: purpose,
            logger: log.logger, stop: stop, progress: { bar.show($0) }
          ).run()
        }
      }
    }
    bar.clear()
    if settings.quiet {
      for warning in summary.warnings { log.logger.warning("\(warning)") }
    } else {
      print(SummaryText(summary).text, terminator: "")
    }
    return summary
  }
}
