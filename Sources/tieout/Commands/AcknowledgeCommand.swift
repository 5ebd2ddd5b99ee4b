import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout acknowledge`: findings that somebody has looked into leave the alarm.
struct AcknowledgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge",
    abstract: "Takes findings out of the alarm, with a reason and, if wanted, up to a day.",
    discussion: """
      Acknowledged findings stay in the reports with the status acknowledged and never fire --fail-on. \
      They come back when the day has passed or when they get worse; when they resolve, the \
      acknowledgement ends. Who, when and why are kept. Many at once: a CSV file with finding, until, \
      because, by in inbox/acknowledgements/.

      Exit status: 0 done · 64 no such finding, a resolved one, or a day that has passed: nothing has \
      changed · 75 a night is just changing it: try again.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "Its name as tieout findings shows it, or the first four digits and more.",
      valueName: "finding"))
  var findings: [String]

  @Option(help: ArgumentHelp("Why it need not ring.", valueName: "text"))
  var because: String

  @Option(
    help: ArgumentHelp(
      "The last day on which it holds, in the configured time zone. Default: until it resolves.",
      valueName: "yyyy-mm-dd"))
  var until: String?

  @Option(help: ArgumentHelp("Who says so. Default: whoever is logged in.", valueName: "name"))
  var by: String?

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let done = try FindingActs(settings: settings, database: database, person: by)
          .acknowledge(findings, because: because, until: until)
        let end = until.map { "until the end of \($0)" } ?? "until it resolves"
        for finding in done {
          print(Visible.text("\(finding.name) is acknowledged \(end): \(finding.about)"))
        }
      }
    }
  }
}

/// `tieout reopen`: acknowledged findings ring again.
struct ReopenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Takes an acknowledgement back.",
    discussion: """
      Exit status: 0 done · 64 no such finding, or one that is not acknowledged: nothing has changed · \
      75 a night is just changing it: try again.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "Its name as tieout findings shows it, or the first four digits and more.",
      valueName: "finding"))
  var findings: [String]

  @Option(help: ArgumentHelp("Why.", valueName: "text"))
  var because: String?

  @Option(help: ArgumentHelp("Who says so. Default: whoever is logged in.", valueName: "name"))
  var by: String?

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let done = try FindingActs(settings: settings, database: database, person: by)
          .reopen(findings, note: because)
        for finding in done {
          print(Visible.text("\(finding.name) is open again: \(finding.about)"))
        }
      }
    }
  }
}

extension FindingActs.Done {
  /// What it is about, for people.
  fileprivate var about: String { "\(rule) \(subject)" }
}
