import ArgumentParser
import Foundation

/// The command: options in, exit status out.
@main
struct Tieout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout",
    abstract: "Ties app receipts and delivery records out, every night.",
    discussion: """
      Reads what is new in the inbox (receipts/, deliveries/, catalog/, client/, acknowledgements/) into PostgreSQL, \
      flags invalid product identifiers, missing deliveries and duplicate restored transactions, and \
      writes CSV reports. Without any connection setting it keeps a private PostgreSQL of its own.

      Every night at three, silent unless something needs a person:

        0 3 * * *  cd /srv/tieout && tieout run --quiet --fail-on error

      Exit status: 0 done · 1 done, and --fail-on fired · 2 done, but something was rejected · \
      64 usage · 65 too much was rejected · 69 no database · 70 internal error, or sums that do not \
      close · 73 a report cannot be written · 75 another run, or told to stop: try again · \
      78 configuration.
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, RecomputeCommand.self, RefreshReceiptsCommand.self, RunsCommand.self,
      FindingsCommand.self, AcknowledgeCommand.self, ReopenCommand.self, ExplainCommand.self,
      DeliveryStatusCommand.self, WithdrawCommand.self, RebuildCommand.self, ForgetCommand.self,
      RolesCommand.self, PsqlCommand.self, UpgradeServerCommand.self,
    ],
    defaultSubcommand: nil)

  /// Runs the command that the words name; what is said of words that it does not know quotes them.
  ///
  /// Whatever it makes is at most for its user and group; what the user keeps from the group as well stays kept.
  static func main() {
    umask(umask(0o077) | 0o027)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      let text = Visible.text(fullMessage(for: error), keepingLines: true)
      let stream = code.isSuccess ? FileHandle.standardOutput : FileHandle.standardError
      if !text.isEmpty { stream.write(Data("\(text)\n".utf8)) }
      Foundation.exit(code.rawValue)
    }
  }
}

/// The program's version.
enum Version {
  static let text = "0.1.0"
}
