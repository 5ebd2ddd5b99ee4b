import ArgumentParser
import Configuration
import NightRun

/// `tieout recompute`: judges the newest night in full.
struct RecomputeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recompute",
    abstract:
      "Judges all transactions again, as of the newest night, and writes its reports again.",
    discussion: """
      A night judges only the records that it affects and carries the other results of earlier nights forward. \
      This command judges all records. If a result that was carried forward was wrong, or an ended month was \
      published with a wrong number because of that, it corrects it, says so and ends with 1. It also ends with 1 \
      if a period was closed with wrong numbers. Otherwise the reports come out the same. It reads no file of the inbox. \
      The rules judge every chain, so it takes about as long as a first night. With --in-bulk, the chains that match are counted and summed, and the rules judge \
      the exceptions and a sample, as in a night. That takes less time.

      Exit status: 0 done · 1 done, but what was carried forward, published or closed was wrong · 69 no database · \
      73 a report cannot be written · 75 another run is at work, or \
      the command was stopped · 78 configuration, or no night was done yet.
      """)

  @OptionGroup var common: CommonOptions

  @OptionGroup var folder: ReportsOption

  @Flag(help: "Count and sum the chains that match; the rules judge the others.")
  var inBulk = false

  @OptionGroup var trial: DryRunOption

  @OptionGroup var unattended: UnattendedOptions

  func run() throws {
    try Ending.explained {
      var given = try common.settings(
        [folder.given, trial.given] + unattended.given)
      // It is about the newest night. A setting as_of is for `tieout run`.
      given.asOf = nil
      let settings = given
      try NightCommand.run(
        "recompute", settings, file: common.config, for: .recompute(inBulk: inBulk),
        // A correction means that reports were wrong. Status 1 makes a quiet command report that.
        status: { $0.hasFoundErrors ? 1 : 0 })
    }
  }
}
