import ArgumentParser
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
