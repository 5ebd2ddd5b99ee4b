import ArgumentParser
import Configuration
import Foundation
import Logging
import Reconciliation

/// `tieout recompute`: the newest night's judgement from scratch.
struct RecomputeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recompute",
    abstract:
      "Judges everything from scratch, as of the newest night, and writes its reports again.",
    discussion: """
      A night judges only what it touches and carries the rest forward from the nights before. This \
      judges all of it again and says whether anything that was carried forward was wrong; the reports \
      must come out the same. It reads no file of the inbox. It takes as long as a first night without \
      its load.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(
    help: ArgumentHelp("Folder for the reports of each day. Default: reports.", valueName: "dir"))
  var reports: String?

  @Flag(help: "Do everything, print the summary, keep and publish nothing.")
  var dryRun = false

  @Flag(help: "Print no summary.")
  var quiet = false

  func run() throws {
    try Ending.explained {
      let settings = try places.settings([
        ("reports", reports, "--reports"), ("dry_run", dryRun ? "true" : nil, "--dry-run"),
        ("quiet", quiet ? "true" : nil, "--quiet"),
      ])
      _ = try NightCommand.run(settings, for: .recomputation)
    }
  }
}
