import ArgumentParser
import Configuration
import Findings

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

  @OptionGroup var named: NamedFindings

  @Option(help: ArgumentHelp("Reason why it should not alert.", valueName: "text"))
  var because: String

  @Option(
    help: ArgumentHelp(
      "Last day of the acknowledgement, in the configured time zone. Default: until the finding resolves.",
      valueName: "yyyy-mm-dd"))
  var until: String?

  @OptionGroup var person: PersonOption

  func run() throws {
    let end = until.map { "until the end of \($0)" } ?? "until it resolves"
    try named.act(as: person.by, result: "acknowledged \(end)") { acts, findings in
      try acts.acknowledge(findings, because: because, until: until)
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

  @OptionGroup var named: NamedFindings

  @Option(help: ArgumentHelp("Reason.", valueName: "text"))
  var because: String?

  @OptionGroup var person: PersonOption

  func run() throws {
    try named.act(as: person.by, result: "open again") { try $0.reopen($1, note: because) }
  }
}

/// The option of both that names who does it.
struct PersonOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Name of the person. Default: the effective user, after sudo root.", valueName: "name"))
  var by: String?
}

/// The options of both: where the findings are, and which ones.
struct NamedFindings: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Argument(
    help: ArgumentHelp(
      "Name of the finding as tieout findings shows it, or at least its first four digits.",
      valueName: "finding"))
  var findings: [String]

  /// Changes the findings, and prints for each of them what it is now.
  func act(
    as person: String?, result: String,
    _ change: (FindingActs, [String]) throws -> [FindingActs.Done]
  ) throws {
    try Ending.explained {
      let settings = try common.settings()
      let changed = try Database.useOfNights(settings, logger: Log(settings).logger) { database in
        try change(FindingActs(settings: settings, database: database, person: person), findings)
      }
      let lines = changed.map {
        Visible.text("\($0.name) is \(result): \($0.rule) \($0.subject)") + "\n"
      }
      try StandardOutput.writeResult(lines.joined())
    }
  }
}
