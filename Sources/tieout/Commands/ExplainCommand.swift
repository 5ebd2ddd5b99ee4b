import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout explain`: why something was or was not found.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tells the cause of one gap: what happened, what is owed, what each rule says.",
    discussion: """
      ID is a transaction (of any environment), a delivery, a web order line item, an account, or the \
      name of a finding (F-907b3f91ac94, or its beginning); all that fits is explained. Of an account the newest hundred purchases and \
      deliveries are shown. It speaks of the newest night, judged anew by the night's own statements, takes no \
      lock and changes nothing; a run may go on beside it.

      tieout explain ID --sql | tieout psql    gives the same rows in psql

      Exit status: 0 something is known · 1 nothing is known by this name · 69 no database · \
      78 configuration, or no night was done yet.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "A transaction, delivery, web order line item, account or finding.", valueName: "id"))
  var name: String

  @Flag(help: "Print JSON: every value exactly as it is.")
  var json = false

  @Flag(help: "Print the statements that give it, for psql.")
  var sql = false

  func validate() throws {
    if json, sql { throw ValidationError("--json and --sql are two outputs; give one of them.") }
  }

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      let inquiry = try Database.use(settings, logger: Log(settings).logger) { database in
        try Inquiry(about: name, database: database)
      }
      if sql {
        print(inquiry.script, terminator: "")
      } else if json {
        print(try JSONDocument.text(of: inquiry.explanation, keys: .convertToSnakeCase))
      } else {
        print(
          ExplanationText(inquiry.explanation, width: Terminal.width).text, terminator: "")
      }
      if inquiry.explanation.isEmpty { throw ExitCode(1) }
    }
  }
}
