import ArgumentParser
import Runs

/// `tieout runs`: the list of runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Lists the newest runs, or the steps of one run.",
    discussion: """
      Shows for each step: seconds; the number of records that it read or of rows that its SQL wrote; the \
      megabytes that it read from files or wrote to them; and both per second. If a run failed or was \
      stopped, its last step is the step in which it ended. The steps of a killed run are unknown.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: ArgumentHelp("Number of runs.", valueName: "n"))
  var last = 20

  @Argument(help: ArgumentHelp("Number of the run whose steps to show.", valueName: "run"))
  var number: Int?

  func validate() throws {
    if last < 1 { throw ValidationError("--last must be at least 1.") }
  }

  func run() throws {
    try common.useDatabase { database in
      let history = RunHistory(database: database)
      guard let number else { return try history.write(history.newest(last)) }
      let run = try history.run(number)
      guard !run.rows.isEmpty else {
        let words = try history.wordsIfBeforeFirstNight()
        throw ReconciliationError(
          .unknown,
          """
          Run \(number) does not exist. Dry runs use up numbers and are not listed. tieout runs lists the newest \
          runs.\(words.map { " \($0)" } ?? "")
          """)
      }
      try StandardOutput.write(TextTable(run).text)
      let steps = try history.steps(of: number)
      try StandardOutput.writeLine(
        steps.rows.isEmpty ? "\nThe steps of this run are unknown." : "")
      if !steps.rows.isEmpty { try StandardOutput.write(TextTable(steps).text) }
    }
  }
}

extension RunHistory {
  /// Prints a table; if it has no rows, that no night was done yet.
  func write(_ table: QueryTable) throws {
    if table.rows.isEmpty, let words = try wordsIfBeforeFirstNight() {
      return try StandardOutput.writeLine(words)
    }
    try StandardOutput.write(TextTable(table).text)
  }
}
