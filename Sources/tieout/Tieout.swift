import ArgumentParser
import Foundation

/// The command: options in, exit status out.
@main
struct Tieout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout",
    abstract: "Compares App Store receipts with delivery records.",
    discussion: """
      Loads new files of the inbox (receipts/, deliveries/, catalog/, client/, acknowledgements/, apple/) into \
      PostgreSQL, finds missing deliveries, products that are not for sale, too many restores and other problems, \
      and writes reports (CSV files, a page, a workbook). Without a connection setting it starts a private PostgreSQL \
      server.

      A crontab for every night at three, without output unless a person is needed:

        PATH=/usr/local/bin:/usr/bin:/bin
        TIEOUT_LOG_FILE=/var/log/tieout/tieout.log
        0 3 * * *  cd /srv/tieout && tieout run --quiet

      Warnings that change no exit status are only in the log. With --fail-on new-error it also ends with 1 if there \
      are new errors.

      Exit status: 0 done · 1 done, but a finding has the level of --fail-on, a night in the future keeps this one \
      from being the newest, or the reports folder lost editions or has those of another database; verify, show: \
      not as published; explain, delivery-status: an unknown ID · 2 done, with rejections; refresh-receipts: some \
      receipts could not be refreshed · 64 usage · 65 too many rejections · 69 no database · 70 internal error, or \
      totals that do not agree · 73 a report, the log or the output cannot be written · 75 another run is at work, or the command was stopped; try \
      again · 78 configuration.
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, CheckCommand.self, RecomputeCommand.self, RefreshReceiptsCommand.self,
      RunsCommand.self, DiffCommand.self, RestateCommand.self, CloseCommand.self,
      ApproveCommand.self, ReopenPeriodCommand.self, PeriodsCommand.self, JournalCommand.self,
      VerifyCommand.self, ShowCommand.self,
      FindingsCommand.self, AcknowledgeCommand.self, ReopenCommand.self, ExplainCommand.self,
      DeliveryStatusCommand.self, WithdrawCommand.self, RebuildCommand.self, ForgetCommand.self,
      RolesCommand.self, ClusterCommand.self, PsqlCommand.self, UpgradeServerCommand.self,
    ])

  /// Runs the command in the arguments.
  ///
  /// New files are readable by the user and the group at most. A stricter umask stays, except that
  /// it cannot remove the rights of the user, who has to read and remove these files later.
  static func main() {
    StandardStream.openClosed()
    // Must run before there is another thread that reads the environment.
    _ = ProgramEnvironment.variables
    umask(umask(0o077) & 0o077 | 0o027)
    do {
      try Ending.explained { try StopSignals.listen() }
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      let text = Visible.text(explained(error, code), keepingLines: true)
      if !text.isEmpty, !code.isSuccess { StandardError.writeLine(text) }
      if !text.isEmpty, code.isSuccess {
        do { try StandardOutput.writeResult("\(text)\n") } catch {
          Ending.tell(error)
          Foundation.exit(Ending.status(of: error))
        }
      }
      Foundation.exit(code.rawValue)
    }
  }

  /// The full message about an error, with advice if it is about the arguments.
  private static func explained(_ error: any Error, _ code: ExitCode) -> String {
    let (full, said) = (fullMessage(for: error), message(for: error))
    guard code == .validationFailure, !said.isEmpty else { return full }
    let arguments = Array(CommandLine.arguments.dropFirst())
    return full.replacing(
      said, with: UsageAdvice.completing(said, about: arguments), maxReplacements: 1)
  }
}

/// The program's version.
enum Version {
  static let text = "0.1.0"
}
