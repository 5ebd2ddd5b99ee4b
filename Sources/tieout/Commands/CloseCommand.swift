import ArgumentParser
import Configuration
import Reports
import Runs

/// The options of the commands that change a period.
///
/// Each of them shows the state of the period in the calendar of the reports folder.
struct ClosingOptions: ParsableArguments {
  @OptionGroup var places: PlaceOptions

  @Option(
    help: ArgumentHelp("Folder for the reports of each day. Default: reports.", valueName: "dir"))
  var reports: String?

  @Argument(help: ArgumentHelp("The period.", valueName: "period"))
  var period: String

  /// Calls `body` with the period and the actions on periods, in the database of the settings.
  func act(_ body: (ClosingActs, Period) throws -> Void) throws {
    let settings = try places.settings([("reports", reports, "--reports")])
    let period = try Period(period)
    try Database.use(settings, logger: Log(settings).logger) { database in
      let acts = try ClosingActs(settings: settings, database: database, version: Version.text)
      do { try body(acts, period) } catch {
        // A part can be done.
        try? acts.showState()
        throw error
      }
      try acts.showState()
    }
  }
}

/// `tieout close`: freezes the amounts of a period.
struct CloseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Closes a period: freezes its amounts, for another person to approve.",
    discussion: """
      PERIOD is a month (2026-10), a month of Apple's fiscal calendar (FY2027-P01) or days \
      (2026-10-01..2026-10-15). Its amounts are those of the newest night, whose day must be after the \
      period. They are written into closed/PERIOD/ in the reports folder and never change. What arrives \
      later is in the next period that is closed, marked prior_period. Each day is in one closed \
      period. The person is the role that is logged in. The private server knows at most two persons: \
      its own user and root, before PostgreSQL 16 only one.

      Exit status: 0 done · 64 PERIOD is not a period, has not ended or is closed already, a withdrawn file \
      still counts, or the newest run is one of a past day · 73 the folder cannot be written · 75 a run is at \
      work · 78 no night was done yet.
      """)

  @OptionGroup var closing: ClosingOptions

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try StandardOutput.write(
          ClosingText.of(acts.close(period), period, isSingleSigner: acts.settings.singleSigner))
      }
    }
  }
}

/// `tieout approve`: approves a closed period.
struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approves a closed period: writes its certificate.",
    discussion: """
      Another person than the one who closed the period approves it: another role of the database. The \
      private server knows at most two persons: its own user and root, before PostgreSQL 16 only one. With \
      single_signer: true one person is enough, and the certificate says so. If the period changes by \
      materiality or more afterwards, the finding certificate_withdrawn stays open until the period is \
      approved again or reopened, or until the change is undone.

      Exit status: 0 done · 64 the period is not closed, the same person closed it, or a withdrawn file \
      still counts · 73 the pack was changed, or the certificate cannot be written · 75 a run is at work.
      """)

  @OptionGroup var closing: ClosingOptions

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try StandardOutput.write(ClosingText.of(acts.approve(period), period))
      }
    }
  }
}

/// `tieout reopen-period`: opens a closed period again.
struct ReopenPeriodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen-period",
    abstract: "Opens a closed period again; its pack and certificate stay.",
    discussion: """
      Periods that were closed later hold what has changed in this one, so they must be reopened first. \
      The database keeps who reopened it, when and why.

      Exit status: 0 done · 64 the period is not closed, or a later one is · 73 the calendar \
      cannot be written · 75 a run is at work.
      """)

  @OptionGroup var closing: ClosingOptions

  @Option(help: ArgumentHelp("Reason.", valueName: "text"))
  var because: String

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try acts.reopen(period, because: because)
        try StandardOutput.writeLine("\(period.name) is open again.")
      }
    }
  }
}

/// `tieout periods`: the closed periods.
struct PeriodsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "periods",
    abstract: "Lists closed periods: who closed and approved them, and what has changed since.",
    discussion: """
      The state is prepared (closed and not approved yet), certified (closed and approved), withdrawn (its \
      certificate: a finding certificate_withdrawn is open) or reopened.
      """)

  @OptionGroup var places: PlaceOptions

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      try Database.use(settings, logger: Log(settings).logger) { database in
        let table = try ClosedPeriods.table(in: database)
        let rows = table.rows.map { row in row.map { Visible.text($0) } }
        try StandardOutput.write(
          rows.isEmpty
            ? "No period was closed yet.\n" : TextTable(header: table.header, rows: rows).text)
      }
    }
  }
}
