import ArgumentParser
import Configuration
import Foundation
import Logging
import Reconciliation

/// `tieout run`: the whole night's work.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Does the night's work: load what is new, apply the rules, write the reports.",
    discussion: """
      Reads receipts/, deliveries/, catalog/, client/ and acknowledgements/ below the inbox, each file once, and writes \
      the reports of the as-of day to DIR/<day>/; DIR/latest points at the newest day. A run that is \
      killed leaves nothing half done: start it again.

      Every option can also be given in tieout.yaml (see tieout.example.yaml) or as an environment \
      variable (TIEOUT_INBOX, …); the command line wins, then the environment, then the file.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(
    help: ArgumentHelp(
      "Folder with receipts/, deliveries/, catalog/, client/, acknowledgements/. Default: inbox.",
      valueName: "dir"))
  var inbox: String?

  @Option(
    help: ArgumentHelp("Folder for the reports of each day. Default: reports.", valueName: "dir"))
  var reports: String?

  @Option(
    help: ArgumentHelp(
      "The instant the run speaks about, as RFC 3339. Default: now.",
      discussion: "One before the last run's only rebuilds that day's statements.",
      valueName: "instant"))
  var asOf: String?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if an open finding is at least this level: info, warning, error, never.",
      discussion: """
        new-warning and new-error look at what opened or reopened tonight alone. What is acknowledged \
        never counts.
        """,
      valueName: "level"))
  var failOn: String?

  @Option(
    help: ArgumentHelp(
      "Load and publish nothing if more records than this are rejected: N or P%.",
      valueName: "limit"))
  var maxRejected: String?

  @Option(
    help: ArgumentHelp(
      "Tell Prometheus of the run in this file, for the textfile collector.", valueName: "file"))
  var metricsFile: String?

  @Flag(help: "Do everything, print the summary, keep and publish nothing.")
  var dryRun = false

  @Flag(help: "Print no summary.")
  var quiet = false

  func run() throws {
    try Ending.explained {
      let settings = try places.settings([
        ("inbox", inbox, "--inbox"), ("reports", reports, "--reports"),
        ("as_of", asOf, "--as-of"), ("fail_on", failOn, "--fail-on"),
        ("max_rejected", maxRejected, "--max-rejected"),
        ("metrics_file", metricsFile, "--metrics-file"),
        ("dry_run", dryRun ? "true" : nil, "--dry-run"), ("quiet", quiet ? "true" : nil, "--quiet"),
      ])
      let summary = try NightCommand.run(settings, for: .news) { Self.status(of: $0, settings) }
      let status = Self.status(of: summary, settings)
      if status != 0 { throw ExitCode(status) }
    }
  }

  /// The exit status of a night that is done.
  private static func status(of summary: Summary, _ settings: Settings) -> Int32 {
    if summary.fires(settings.failOn) { return 1 }
    return summary.rejected > 0 ? 2 : 0
  }
}
