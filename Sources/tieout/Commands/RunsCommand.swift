import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout runs`: what the database remembers of the runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Lists the newest runs: as-of, outcome, who, where, how long; or the steps of one.",
    discussion: """
      Of each step: seconds; records that it read or rows that its statements wrote; megabytes that it \
      read from files or wrote into them; and how many of either in a second. The last step of a run \
      that failed or was stopped is the one in which it ended. Of a killed run no steps are known.
      """)

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
        guard let number else {
          Self.show(try history.newest(last))
          return
        }
        let run = try history.run(number)
        guard !run.rows.isEmpty else {
          let words = "tieout: There is no run \(number); tieout runs lists the newest.\n"
          FileHandle.standardError.write(Data(words.utf8))
          throw ExitCode(64)
        }
        Self.show(run)
        let steps = try history.steps(of: number)
        print(steps.rows.isEmpty ? "\nIts steps are not known." : "")
        if !steps.rows.isEmpty { Self.show(steps) }
      }
    }
  }

  private static func show(_ table: RunHistory.Table) {
    // The names of users and machines come from outside as well.
    let rows = table.rows.map { row in row.map { Visible.text($0) } }
    print(TextTable(header: table.header, rows: rows).text, terminator: "")
  }
}
