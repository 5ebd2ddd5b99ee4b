import ArgumentParser
import Configuration
import Foundation
import Logging
import Reconciliation

/// `tieout run`: one night.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs the night: loads new files, applies the rules, writes the reports.",
    discussion: """
      Reads receipts/, deliveries/, catalog/, client/ and acknowledgements/ in the inbox, each file once. \
      Writes the reports of the as-of day to DIR/<day>/; DIR/latest points to the newest day. A run that \
      is killed changes nothing or everything: start it again.

      Every option can also be set in tieout.yaml (see tieout.example.yaml) or as an environment \
      variable (TIEOUT_INBOX, …). The command line takes precedence over the environment, and the \
      environment over the file.
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
      "Instant that the run is about, in RFC 3339 format. Default: now.",
      discussion: """
        An instant before the last run's writes that day's reports again and changes nothing else.
        """,
      valueName: "instant"))
  var asOf: String?

  @Option(
    help: ArgumentHelp(
      "Exit with status 1 if an open finding has at least this level: info, warning, error, never.",
      discussion: """
        new-warning and new-error count only findings that this run opened or reopened. Acknowledged \
        findings do not count.
        """,
      valueName: "level"))
  var failOn: String?

  @Option(
    help: ArgumentHelp(
      "Load and publish nothing if more records are rejected: a number or a percentage (N or P%).",
      valueName: "limit"))
  var maxRejected: String?

  @Option(
    help: ArgumentHelp(
      "Write metrics to this file, for the textfile collector of Prometheus.", valueName: "file"))
  var metricsFile: String?

  @Flag(help: "Do all the work and print the summary, but save and publish nothing.")
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
