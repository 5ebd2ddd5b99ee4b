import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout refresh-receipts`: asks Apple again about raw receipts.
struct RefreshReceiptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh-receipts",
    abstract: "Asks Apple's verifyReceipt again about the raw receipts of the inbox.",
    discussion: """
      Asks about each receipt-data in receipts/ that was not asked about for refresh_after hours, and \
      puts the answers into receipts/refreshed/, where the next run loads them. The shared secret comes \
      from the file that shared_secret_file names, or from TIEOUT_SHARED_SECRET.

      Exit status: 0 done · 2 some receipts could not be refreshed · 69 no database · 73 an answer \
      cannot be written · 75 another refresh, or told to stop: what was answered is kept · \
      78 configuration, or Apple does not accept the shared secret.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(
    help: ArgumentHelp("Folder with receipts/. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(help: ArgumentHelp("Ask about this many receipts at most.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Ask nobody; tell how many receipts would be asked about.")
  var dryRun = false

  @Flag(help: "Print no summary.")
  var quiet = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit has to be at least 1.") }
  }

  func run() throws {
    try Ending.explained {
      let settings = try places.settings([
        ("inbox", inbox, "--inbox"), ("dry_run", dryRun ? "true" : nil, "--dry-run"),
        ("quiet", quiet ? "true" : nil, "--quiet"),
      ])
      let secret = try SharedSecret.find(
        file: settings.sharedSecretFile, environment: ProcessInfo.processInfo.environment)
      let log = Log(settings)
      let stop = StopRequest()
      let signals = StopSignals(stop)
      defer { signals.end() }
      let bar = ProgressBar(isWanted: !settings.quiet)
      defer { bar.clear() }
      let summary = try Database.use(settings, logger: log.logger) { database in
        try ReceiptRefresh(
          settings: settings, database: database, secret: secret, version: Version.text,
          logger: log.logger, stop: stop, limit: limit, progress: { bar.show($0) }
        ).run()
      }
      bar.clear()
      if !settings.quiet { print(RefreshText(summary).text, terminator: "") }
      if summary.isIncomplete { throw ExitCode(2) }
    }
  }
}
