import ArgumentParser
import Reports

/// `tieout reopen-period`: opens a closed period again.
struct ReopenPeriodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen-period",
    abstract: "Opens a closed period again; its pack and certificate stay.",
    discussion: """
      Periods that were closed later contain the changes of this one, so they must be reopened first. \
      The database keeps who reopened it, when and why.

      Exit status: 0 done · 64 the period is not closed, or a later one is · 73 the reports folder cannot \
      be opened, or the calendar, or what a killed close or approve left to do, cannot be written · 75 a run is at work.
      """)

  @OptionGroup var closing: ClosingOptions

  @Option(help: ArgumentHelp("Reason.", valueName: "text"))
  var because: String

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try acts.reopen(period, because: because)
        return "\(period.name) is open again.\n"
      }
    }
  }
}
