import ArgumentParser
import Runs

/// `tieout journal`: who did what.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Lists who did what, the newest last.",
    discussion: """
      The journal has the beginning and the end of each run, settings that changed, acknowledgements and \
      their ends, withdrawn files, forgotten names, and closed, approved and reopened periods. The database \
      writes it and never changes it. The person is the role that is logged in. The private server \
      knows at most two persons: its own user and root, before PostgreSQL 16 only one.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: ArgumentHelp("Number of entries.", valueName: "n"))
  var last = 50

  func validate() throws {
    if last < 1 { throw ValidationError("--last must be at least 1.") }
  }

  func run() throws {
    try common.useDatabase { database in
      let history = RunHistory(database: database)
      try history.write(history.journal(last))
    }
  }
}
