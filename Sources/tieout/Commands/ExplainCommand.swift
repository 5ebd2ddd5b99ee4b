import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout explain`: why a finding exists, or does not.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains one case: what happened, what is owed, what each rule found.",
    discussion: """
      ID is a transaction (of any environment), a delivery, a web order line item, an account, or the \
      name of a finding (F-907b3f91ac94, or its beginning). Everything with this ID is explained. For an \
      account, the newest hundred purchases and deliveries are shown. The answer is about the newest \
      night and is computed with the night's own SQL. The command takes no lock and changes nothing; it \
      can run beside a night.

      tieout explain ID --sql | tieout psql    prints the same rows in psql

      Exit status: 0 the ID is known · 1 the ID is unknown · 69 no database · \
      78 configuration, or no run has finished yet.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(
    help: ArgumentHelp(
      "ID of a transaction, delivery, web order line item or account, or name of a finding.",
      valueName: "id"))
  var name: String

  @Flag(help: "Print JSON, with every value unchanged.")
  var json = false

  @Flag(help: "Print the SQL statements of the answer, for psql.")
  var sql = false

  func validate() throws {
    if json, sql { throw ValidationError("Give either --json or --sql.") }
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
