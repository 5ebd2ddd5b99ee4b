import ArgumentParser
import Findings

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
