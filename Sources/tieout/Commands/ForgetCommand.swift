import ArgumentParser
import Configuration
import NightRun
import Runs

/// `tieout forget`: replaces an account's name in all tables by a token.
struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Replaces an account's name in all tables by a random token, permanently.",
    discussion: """
      Also replaces the devices and appAccountTokens that appear with this account and with no other. All \
      totals stay the same. The newest day gets another edition if its reports contained a replaced name. \
      The database keeps a digest of the name, not the name: records that are loaded later, also by a rebuild, \
      get the same token.

      Input files, archives and backups do not change. Earlier editions of the reports are removed only with \
      --remove-editions. The command lists the files and the editions that contain the name, also with --quiet, because \
      a second run does not find all of them. `-` reads the account from standard input, so that the list of \
      processes does not show it. To replace a device or an appAccountToken that several accounts share, \
      give it as the account.

      Exit status: 0 done · 64 the account is empty · 69 no database · 73 a report cannot be written · 75 another \
      run is at work, or the command was stopped · 78 configuration, or no night was done yet.
      """)

  @OptionGroup var common: CommonOptions

  @OptionGroup var folder: ReportsOption

  @Flag(
    help: ArgumentHelp(
      "Remove the published editions that contain the name.",
      discussion: "The newest edition of the newest day stays."))
  var removeEditions = false

  @OptionGroup var trial: DryRunOption

  @OptionGroup var unattended: UnattendedOptions

  @Argument(
    help: ArgumentHelp(
      "Account as the input files name it; - for standard input.", valueName: "account"))
  var account: String

  func run() throws {
    try Ending.explained {
      let settings = try common.settings(
        [folder.given, trial.given] + unattended.given)
      let name = account == "-" ? readLine() ?? "" : account
      guard name.contains(where: { !$0.isWhitespace }), !name.utf8.contains(0) else {
        throw ReconciliationError(
          .unknown, "The account is empty or blank, or contains a NUL. Nothing changed.")
      }
      try NightCommand.run(
        "forget", settings, file: common.config,
        for: .forget(account: name, removesEditions: removeEditions))
    }
  }
}
