import ArgumentParser
import Configuration
import Reconciliation

/// `tieout runs`: what the database remembers of the runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Lists the newest runs: as-of, outcome, who, where, how long; or the steps of one.")

  @OptionGroup var places: PlaceOptions

  @Option(help: ArgumentHelp("How many.", valueName: "n"))
  var last = 20

  @Argument(help: ArgumentHelp("The number of a run whose steps to show.", valueName: "run"))
  var number: Int?

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let history = RunHistory(database: database)
        let table = try number.map { try history.steps(of: $0) } ?? history.newest(last)
        print(TextTable(header: table.header, rows: table.rows).text, terminator: "")
      }
    }
  }
}
