import ArgumentParser
import Reports

/// The options of the commands that change a period.
///
/// Each of them shows the state of the period in the calendar of the reports folder.
struct ClosingOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @OptionGroup var folder: ReportsOption

  @Argument(help: ArgumentHelp("The period.", valueName: "period"))
  var period: String

  /// Calls `body` with the period and the actions on periods, in the database of the settings, and
  /// prints the text that it returns.
  func act(_ body: (ClosingActs, Period) throws -> String) throws {
    let settings = try common.settings([folder.given])
    let period = try Period(period)
    var text: String?
    let end = Result {
      try Database.useOfNights(settings, logger: Log(settings).logger) { database in
        let acts = try ClosingActs(settings: settings, database: database, version: Version.text)
        do { text = try body(acts, period) } catch {
          // A part can be done.
          try? acts.showState()
          throw error
        }
        try acts.showState()
      }
    }
    // The calendar can fail after the command is done.
    if let text { try StandardOutput.writeResult(text) }
    try end.get()
  }
}
