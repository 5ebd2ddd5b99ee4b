import ArgumentParser
import Configuration
import Reports
import Runs

/// `tieout restate`: how ended months differ from what was published.
struct RestateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restate",
    abstract: "Shows how ended months differ from what was last published about them.",
    discussion: """
      Prints the rows of restatement.csv after the newest night: each number of a month, product and currency \
      that has changed since its edition, with the causes of the difference. A month that is not listed is \
      as it was published. Numbers whose causes cancel each other are only in \
      restatement.csv. The transactions of a row: tieout explain "2026-10 PRODUCT CURRENCY".

      Exit status: 0 done · 64 MONTH is not a month · 69 no database · 78 configuration.
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: ArgumentHelp("Only this month, such as 2026-10.", valueName: "month"))
  var month: String?

  func validate() throws {
    guard let month else { return }
    guard CalendarDay("\(month)-01".utf8) != nil else {
      throw ValidationError("“\(month)” is not a month. Give a month such as 2026-10.")
    }
  }

  func run() throws {
    try common.useDatabase { database in
      let restatement = try Restatement(of: month, in: database)
      try StandardOutput.write(RestatementText.of(restatement, month))
      if !restatement.hasPublished,
        let words = try RunHistory(database: database).wordsIfBeforeFirstNight()
      {
        try StandardOutput.writeLine(words)
      }
    }
  }
}
