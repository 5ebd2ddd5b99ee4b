import ArgumentParser
import Reports
import Runs

/// `tieout periods`: the closed periods.
struct PeriodsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "periods",
    abstract: "Lists closed periods: who closed and approved them, and what has changed since.",
    discussion: """
      The state is prepared (closed and not approved yet), certified (closed and approved), withdrawn (its \
      finding certificate_withdrawn is open) or reopened.
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.useDatabase { database in
      let table = try Period.closed(in: database)
      guard table.rows.isEmpty else {
        return try StandardOutput.write(TextTable(table).text)
      }
      let words = try RunHistory(database: database).wordsIfBeforeFirstNight()
      try StandardOutput.writeLine("No period was closed yet.\(words.map { " \($0)" } ?? "")")
    }
  }
}
