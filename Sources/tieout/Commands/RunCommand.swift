import ArgumentParser
import Configuration
import NightRun
import Runs

/// `tieout run`: one night.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs the night: loads new files, applies the rules, writes the reports.",
    discussion: """
      Reads receipts/, deliveries/, catalog/, client/, acknowledgements/ and apple/ in the inbox, each file once. \
      Writes the reports of the as-of day to DIR/<day>/; DIR/latest points to the newest day. If a run \
      is killed, all of its changes are stored or none. Start it again.

      Every option except --config and --ignore-future-nights can also be set in tieout.yaml (see tieout.example.yaml) or as an \
      environment variable (TIEOUT_INBOX, …); TIEOUT_CONFIG names the settings file. The command line takes precedence over the environment, and the \
      environment over the file.
      """)

  @OptionGroup var common: CommonOptions

  @Option(
    help: ArgumentHelp(
      "Folder with receipts/, deliveries/, catalog/, client/, acknowledgements/, apple/. Default: inbox.",
      valueName: "dir"))
  var inbox: String?

  @OptionGroup var folder: ReportsOption

  @Option(
    help: ArgumentHelp(
      "Instant that the run is about, in RFC 3339 format. Default: now.",
      discussion: """
        An as-of before that of the newest night loads new files and writes that day's statements again, but changes \
        no finding.
        """,
      valueName: "instant"))
  var asOf: String?

  @Flag(help: "Accept an as-of, books_begin or revenue_since in the future.")
  var allowFuture = false

  @Flag(
    help: ArgumentHelp(
      "Make nights whose as-of is in the future runs of a past day.",
      discussion:
        "Until that instant, other runs would be runs of a past day and change no finding."))
  var ignoreFutureNights = false

  @Option(
    help: ArgumentHelp(
      "Exit with status 1 if an open finding has at least this level: info, warning or error.",
      discussion: """
        new-warning and new-error count only findings that this run opened or reopened; never: no finding. \
        Acknowledged findings do not count.
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

  @Option(
    help: ArgumentHelp(
      "Append the head of the chain of manifests to this file.",
      discussion: "Keep it where the users of this machine cannot change it.", valueName: "file"))
  var anchor: String?

  @OptionGroup var trial: DryRunOption

  @OptionGroup var unattended: UnattendedOptions

  func run() throws {
    try Ending.explained {
      let settings = try common.settings(
        [
          ("inbox", inbox), folder.given, ("as_of", asOf),
          ("allow_future", allowFuture ? "true" : nil), ("fail_on", failOn),
          ("max_rejected", maxRejected), ("metrics_file", metricsFile), ("anchor", anchor),
          trial.given,
        ] + unattended.given)
      try NightCommand.run(
        "run", settings, file: common.config, for: .run,
        ignoringFutureNights: ignoreFutureNights, status: { Self.status(of: $0, settings) })
    }
  }

  /// The exit status of a night that is done.
  private static func status(of summary: Summary, _ settings: Settings) -> Int32 {
    // If an earlier run has an as-of in the future, this run changes neither findings nor `latest`.
    // If the reports folder has lost its editions, its disk may not be mounted; if another database
    // publishes there too, the reports of the two are mixed. Status 1 makes a quiet run report that.
    let needsPerson = summary.laterNight != nil || summary.folderDoubt != nil
    if needsPerson || summary.fires(settings.failOn) { return 1 }
    return summary.rejectedWithRecovered > 0 ? 2 : 0
  }
}
