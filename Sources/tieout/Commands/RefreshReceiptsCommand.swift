import ArgumentParser
import Configuration
import Remote
import Waiting

/// `tieout refresh-receipts`: sends raw receipts to Apple again.
struct RefreshReceiptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh-receipts",
    abstract: "Sends the raw receipts of the inbox to Apple's verifyReceipt again.",
    discussion: """
      Sends each receipt-data in receipts/ that was not sent during the last refresh_after hours, and \
      writes the answers to receipts/refreshed/, where the next run loads them. The shared secret comes \
      from the file that shared_secret_file names, or from TIEOUT_SHARED_SECRET.

      Exit status: 0 done · 2 some receipts could not be refreshed · 69 no database · 73 an answer \
      cannot be written · 75 another refresh is at work, or the command was stopped; received answers are \
      kept · 78 configuration, or Apple does not accept the shared secret.
      """)

  @OptionGroup var common: CommonOptions

  @Option(
    help: ArgumentHelp("Folder with receipts/. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(help: ArgumentHelp("Maximum number of receipts to send.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Send nothing; print the number of receipts that would be sent.")
  var dryRun = false

  @OptionGroup var unattended: UnattendedOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() throws {
    try Ending.explained {
      let settings = try common.settings(
        [("inbox", inbox), ("dry_run", dryRun ? "true" : nil)] + unattended.given)
      let secret = try SharedSecret.find(
        file: settings.sharedSecretFile, environment: ProgramEnvironment.variables)
      try Unattended(command: "refresh-receipts", settings: settings).run { logger, _, tell in
        let summary = try Database.use(settings, logger: logger) { database in
          let bar = ProgressBar(isWanted: !settings.quiet)
          defer { bar.clear() }
          return try ReceiptRefresh(
            settings: settings, database: database, secret: secret, version: Version.text,
            logger: logger, stop: .ofProcess, limit: limit, progress: { bar.show($0) }
          ).run()
        }
        let text = RefreshText.of(summary)
        let lines = text.split(separator: "\n").map(String.init)
        _ = tell(
          Unattended.End(
            status: summary.isIncomplete ? 2 : 0,
            message: "tieout refresh-receipts: "
              + lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") }
              .joined(separator: ", "),
            output: text, mail: ["tieout refresh-receipts: exit status 2."] + lines.prefix(8)))
      }
    }
  }
}
