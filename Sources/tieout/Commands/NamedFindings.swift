import ArgumentParser
import Configuration
import Findings

/// The options of `tieout acknowledge` and `tieout reopen`: where the findings are, and which ones.
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

/// The option of these commands that names the person.
struct PersonOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Name of the person. Default: the effective user, after sudo root.", valueName: "name"))
  var by: String?
}
