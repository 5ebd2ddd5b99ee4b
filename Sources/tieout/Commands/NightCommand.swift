import Configuration
import Logging
import NightRun
import Page
import Reports
import Waiting

/// The part that is common to the commands that change the ledger.
enum NightCommand {
  /// Does the work, shows its progress, and prints the summary unless `quiet` is set.
  ///
  /// - Parameters:
  ///   - command: The command's name, such as `run`.
  ///   - file: The file that `--config` names.
  ///   - ignoringFutureNights: Whether nights whose as-of is in the future become runs of a past day.
  ///   - status: Returns the exit status of a summary.
  /// - Throws: `ExitCode` and the error of the work, as ``Unattended/run(_:)`` does.
  static func run(
    _ command: String, _ settings: Settings, file: String?, for purpose: Night.Purpose,
    ignoringFutureNights: Bool = false, status: (Summary) -> Int32 = { _ in 0 }
  ) throws {
    func endStatus(_ summary: Summary) -> Int32 {
      summary.anchorFailure.map { Ending.status(of: $0) } ?? status(summary)
    }
    let unattended = Unattended(
      command: command, settings: settings, isMonitored: purpose == .run && !settings.dryRun)
    try unattended.run { logger, log, tell in
      let metrics = RunMetrics(settings, logger: logger, log: log)
      _ = try metrics.telling(endStatus) {
        // The other commands use the as-of of the newest night.
        if purpose == .run { try FutureSettings.refuseAsOf(settings) }
        try FutureSettings.refuse(settings, file: file)
        return try Database.use(settings, logger: logger) { database in
          let summary = try metrics.telling(endStatus, from: database) {
            let bar = ProgressBar(isWanted: !settings.quiet)
            // Otherwise the next text follows the bar on the same line.
            defer { bar.clear() }
            return try Night(
              settings: settings, database: database, version: Version.text, purpose: purpose,
              ignoringFutureNights: ignoringFutureNights, logger: logger, stop: .ofProcess,
              progress: { bar.show($0) }
            ).run()
          }
          logNotes(of: summary, settings, logger)
          let isPrinted = tell(
            end(
              command, of: summary, endStatus(summary), settings,
              besideLines: log.ownLines + (metrics.hasPrinted ? 1 : 0)))
          // A quiet command that ends with 0 has printed nothing. Only the status of `run` counts
          // the recovered nights.
          let hasReportedRecovered = purpose == .run || !settings.quiet || endStatus(summary) != 0
          if isPrinted {
            markReported(summary, andRecovered: hasReportedRecovered, in: database, logger)
          }
          return summary
        }
      }
    }
  }

  /// Logs the warnings of a night, and prints or logs why its anchor could not be written.
  private static func logNotes(of summary: Summary, _ settings: Settings, _ logger: Logger) {
    let isLogged = settings.quiet || settings.logFile != nil
    if isLogged {
      // A later night does not reject a file again that it could open, so no other line names it.
      let unread = summary.comparison.unreadSentences { $0 }
      for warning in summary.warnings + unread { logger.warning("\(warning)") }
    }
    guard let failure = summary.anchorFailure else { return }
    if isLogged { logger.error("\(Ending.words(of: failure))") }
    if !settings.quiet { Ending.tell(failure) }
  }

  /// The end of a night that is done.
  private static func end(
    _ command: String, of summary: Summary, _ status: Int32, _ settings: Settings, besideLines: Int
  ) -> Unattended.End {
    Unattended.End(
      status: status, message: message(command, summary), facts: facts(summary),
      output: SummaryText.of(summary), quietOutput: SummaryText.remains(of: summary),
      mail: MailText.lines(
        of: summary, status: status, command: command, settings: settings, besideLines: besideLines)
    )
  }

  /// Records that this command has reported what the night found, and perhaps what its recovered
  /// nights found.
  ///
  /// If that fails, the next run reports it again.
  private static func markReported(
    _ summary: Summary, andRecovered: Bool, in database: String, _ logger: Logger
  ) {
    do { try Night.markReported(summary, andRecovered: andRecovered, in: database) } catch {
      logger.notice(
        """
        The database did not record that this run has reported its result; the next run reports it again: \(error)
        """
      )
    }
  }

  /// The log line of a night that is done, with the cause that missing deliveries have in common.
  private static func message(_ command: String, _ summary: Summary) -> String {
    let kind = summary.isDryRun ? " (dry run)" : ""
    let cause = summary.cause.map { " \($0.sentence)" } ?? ""
    return "tieout \(command) as of \(summary.asOf) is done\(kind).\(cause)"
  }

  private static func facts(_ summary: Summary) -> Logger.Metadata {
    let findings = summary.findings
    let read = summary.lines.first { $0.kind == "files" }?.read ?? 0
    var facts: Logger.Metadata = [
      "files": .stringConvertible(read), "rejected": .stringConvertible(summary.rejected),
      "findings": .stringConvertible(findings.reduce(0) { $0 + $1.open - $1.acknowledged }),
      "new": .stringConvertible(findings.reduce(0) { $0 + $1.new }),
      "reopened": .stringConvertible(findings.reduce(0) { $0 + $1.reopened }),
      "seconds": .stringConvertible((summary.seconds * 10).rounded() / 10),
    ]
    if let corrections = summary.corrections {
      facts["corrections"] = .stringConvertible(corrections)
    }
    if let folder = summary.folder { facts["reports"] = "\(folder)" }
    if let head = summary.head { facts["head"] = "\(head.publication):\(head.sha256)" }
    return facts
  }
}
