import ArgumentParser
import Configuration
import Reports

/// `tieout close`: freezes the amounts of a period.
struct CloseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Closes a period: freezes its amounts, for another person to approve.",
    discussion: """
      PERIOD is a month (2026-10), a month of Apple's fiscal calendar (FY2027-P01) or days \
      (2026-10-01..2026-10-15). Its amounts are those of the newest night, whose day must be after the \
      period. They are written into closed/PERIOD/ in the reports folder and never change. Changes \
      that become known later are in the next period that is closed, marked prior_period. Each day is in one closed \
      period. The person is the role that is logged in. The private server knows at most two persons: \
      its own user and root, before PostgreSQL 16 only one.

      The command warns of unreadable files, of units of the period without an amount, of days of the period without a \
      report of Sales and Trends, and of countries that Apple's Financial Report no longer has.

      Exit status: 0 done · 64 PERIOD is not a period, has not ended or is closed already, a withdrawn file \
      still counts, the reports folder lacks the newest night or is that of another database, the newest night has \
      not published its reports, or a run of a past day has loaded new files that no night has judged · 70 a month of \
      the period, an earlier closed period or the liabilities do not add up · 73 the folder cannot be opened or \
      written · 75 a run is at work · 78 no night was done yet.
      """)

  @OptionGroup var closing: ClosingOptions

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try ClosingText.of(
          acts.close(period), period, isSingleSigner: acts.settings.singleSigner)
      }
    }
  }
}
