import ArgumentParser
import Configuration
import Ledger
import Logging

/// A command that cron may start: its log, its monitor, and what it says with `--quiet`.
struct Unattended {
  /// How the work ended.
  struct End {
    /// The exit status.
    var status: Int32
    /// One line for the log.
    var message: String
    /// The numbers and places of the log line.
    var facts: Logger.Metadata = [:]
    /// The text for people on standard output, unless the command is quiet.
    var output: String
    /// The text on standard output if the command is quiet; usually empty.
    var quietOutput = ""
    /// The lines of the message that is sent if the command is quiet and the status is not 0.
    var mail: [String]
  }

  /// The command's name, such as `run`.
  let command: String
  let settings: Settings
  /// Whether the monitor gets its start and its end.
  var isMonitored = false

  /// Does the work and ends the command.
  ///
  /// With `quiet` it prints nothing but `quietOutput` if the status is 0, and at most ten lines
  /// otherwise.
  ///
  /// - Parameter work: The work. When it is done, it calls its last argument once, which prints and
  ///   logs its end, and returns whether the text could be printed. After that it can record that
  ///   people were told.
  /// - Throws: `ExitCode`; without `quiet` also the error of `work`.
  func run(_ work: (Logger, LogPlace, _ tell: (End) -> Bool) throws -> Void) throws {
    var logger = Log(settings, to: .nowhere).logger
    let latest = MailText.latest(of: settings)
    let ping = isMonitored ? settings.pingURL.map { Ping(address: $0) } : nil
    var hasLog = true
    var endStatus: Int32 = 0
    do {
      try StopSignals.whileAtWork {
        hasLog = false
        let place = try LogPlace(unattended: settings)
        hasLog = true
        logger = Log(settings, to: place).logger
        ping?.tellStart(logger)
        try work(logger, place) { end in
          StopSignals.whileTelling(status: end.status) {
            let told = tell(end, logger)
            endStatus = told.status
            return told.isPrinted
          }
        }
      }
      StopSignals.keep(status: endStatus)
    } catch {
      let status = Ending.status(of: error)
      StopSignals.keep(status: status)
      let words = Ending.words(of: error)
      // Without a log of its own, the message itself is on standard error.
      if settings.logFile != nil {
        logger.error(
          "tieout \(command) failed. \(words)",
          metadata: ["exit_status": .stringConvertible(Int(status))])
      }
      ping?.tellEnd(status, logger)
      guard settings.quiet else { throw error }
      Self.send(
        MailText.lines(
          of: words, about: (error as? MissingFiles)?.files ?? [], status: status, command: command,
          settings: settings, hasLog: hasLog, latestBefore: latest))
      throw ExitCode(status)
    }
    ping?.tellEnd(endStatus, logger)
    if endStatus != 0 { throw ExitCode(endStatus) }
  }

  /// Prints the text or the message of work that is done, and logs its end.
  ///
  /// - Returns: the exit status; if the text cannot be printed, the status 0 is replaced by that of
  ///   the error.
  private func tell(_ end: End, _ logger: Logger) -> (status: Int32, isPrinted: Bool) {
    var end = end
    var isPrinted = true
    let output = settings.quiet ? end.quietOutput : end.output
    if !output.isEmpty {
      do { try StandardOutput.writeResult(output) } catch {
        Ending.tell(error)
        isPrinted = false
        if end.status == 0 { end.status = Ending.status(of: error) }
      }
    }
    log(end, logger)
    if settings.quiet, end.status != 0 { Self.send(end.mail) }
    return (end.status, isPrinted)
  }

  /// Writes one line about the end of the command to the log.
  private func log(_ end: End, _ logger: Logger) {
    // On a terminal the summary says the same.
    guard settings.quiet || settings.logFile != nil || !ProgressBar.isTerminal else { return }
    var facts = end.facts
    facts["exit_status"] = .stringConvertible(Int(end.status))
    logger.log(level: end.status == 0 ? .notice : .warning, "\(end.message)", metadata: facts)
  }

  private static func send(_ lines: [String]) {
    StandardError.write(lines.map { Visible.text($0) + "\n" }.joined())
  }
}
