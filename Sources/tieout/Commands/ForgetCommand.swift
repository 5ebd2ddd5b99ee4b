import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout forget`: an account that is no longer to be known.
struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Takes an account's name out of all tables, for ever.",
    discussion: """
      A token that says nothing takes the place of the account, and of the devices and appAccountTokens that \
      stand with it and with no other account. All sums close as before; the newest day's reports are \
      written anew. What is loaded later has the token as well, also by a rebuild: the tables remember a \
      digest of the name and not the name.

      Files of the inbox and of archives, reports of earlier days and backups are not changed: those that \
      are known to hold the name are listed. `-` reads the account from standard input, so that no list of \
      processes shows it. An appAccountToken or a device that others use as well is forgotten by itself, \
      in the same way.

      Exit status: 0 done · 69 no database · 73 a report cannot be written · 75 another run, or told to \
      stop · 78 configuration, or no night was done yet.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(
    help: ArgumentHelp("Folder for the reports of each day. Default: reports.", valueName: "dir"))
  var reports: String?

  @Flag(help: "Do everything, print the summary, keep and publish nothing.")
  var dryRun = false

  @Flag(help: "Print no summary.")
  var quiet = false

  @Argument(
    help: ArgumentHelp("The account, as files name it; -: standard input.", valueName: "account"))
  var account: String

  func run() throws {
    try Ending.explained {
      let settings = try places.settings([
        ("reports", reports, "--reports"), ("dry_run", dryRun ? "true" : nil, "--dry-run"),
        ("quiet", quiet ? "true" : nil, "--quiet"),
      ])
      let name = account == "-" ? readLine() ?? "" : account
      guard !name.isEmpty else {
        throw ReconciliationError(.unknown, "The account has no name; nothing was forgotten.")
      }
      _ = try NightCommand.run(settings, for: .oblivion(account: name))
    }
  }
}
