import Configuration
import Logging
import Reconciliation

/// What the commands that do a night's work have in common.
enum NightCommand {
  /// Does the work, shows where it is, and tells what it did: the summary, or where that is not wanted the
  /// warnings alone.
  static func run(_ settings: Settings, for purpose: Night.Purpose) throws -> Summary {
    let log = Log(settings)
    let stop = StopRequest()
    let signals = StopSignals(stop)
    defer { signals.end() }
    let bar = ProgressBar(isWanted: !settings.quiet)
    // An error's line stands by itself, not behind the bar.
    defer { bar.clear() }
    let summary = try Database.use(settings, logger: log.logger) { database in
      try Night(
        settings: settings, database: database, version: Version.text, purpose: purpose,
        logger: log.logger, stop: stop, progress: { bar.show($0) }
      ).run()
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
