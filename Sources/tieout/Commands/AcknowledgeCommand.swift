import ArgumentParser
import Configuration
import Findings
import Foundation

/// `tieout acknowledge`: marks findings as known.
struct AcknowledgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge",
    abstract: "Marks findings as known, so that they stop alerting.",
    discussion: """
      An acknowledged finding stays in the reports with the status acknowledged and does not count for \
      --fail-on. It is open again after the day given with --until, or when its level rises. When the \
      finding resolves, the acknowledgement ends. The database keeps who acknowledged it, when and why. \
      To acknowledge many findings, put a CSV file with the columns finding, until, because, by into \
      inbox/acknowledgements/.

      Exit status: 0 done · 64 the finding does not exist or is resolved, or the day has passed; nothing \
      changed · 75 a run is changing the finding; try again.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "Name of the finding as tieout findings shows it, or at least its first four digits.",
      valueName: "finding"))
  var findings: [String]

  @Option(help: ArgumentHelp("Reason why it should not alert.", valueName: "text"))
  var because: String

  @Option(
    help: ArgumentHelp(
      "Last day of the acknowledgement, in the configured time zone. Default: until the finding resolves.",
      valueName: "yyyy-mm-dd"))
  var until: String?

  @Option(
    help: ArgumentHelp("Name of the person. Default: the logged-in user.", valueName: "name"))
  var by: String?

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let done = try FindingActs(settings: settings, database: database, person: by)
          .acknowledge(findings, because: because, until: until)
        let end = until.map { "until the end of \($0)" } ?? "until it resolves"
        for finding in done {
          try StandardOutput.writeLine(
            Visible.text("\(finding.name) is acknowledged \(end): \(finding.about)"))
        }
      }
    }
  }
}

/// `tieout reopen`: ends acknowledgements.
struct ReopenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Ends acknowledgements: the findings are open and alert again.",
    discussion: """
      Exit status: 0 done · 64 the finding does not exist or is not acknowledged; nothing changed · \
      75 a run is changing the finding; try again.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "Name of the finding as tieout findings shows it, or at least its first four digits.",
      valueName: "finding"))
  var findings: [String]

  @Option(help: ArgumentHelp("Reason.", valueName: "text"))
  var because: String?

  @Option(
    help: ArgumentHelp("Name of the person. Default: the logged-in user.", valueName: "name"))
  var by: String?

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let done = try FindingActs(settings: settings, database: database, person: by)
          .reopen(findings, note: because)
        for finding in done {
          try StandardOutput.writeLine(
            Visible.text("\(finding.name) is open again: \(finding.about)"))
        }
      }
    }
  }
}

extension FindingActs.Done {
  /// The finding's rule and subject.
  fileprivate var about: String { "\(rule) \(subject)" }
}
