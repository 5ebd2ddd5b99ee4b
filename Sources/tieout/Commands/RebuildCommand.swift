import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout rebuild`: all tables again from the files that count.
struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Builds all tables again from the files that count, without those withdrawn.",
    discussion: """
      Reads every file that was ever loaded and is not withdrawn, wherever it lies in the inbox or in an \
      archive, and judges everything as of the newest night. Findings keep their lives, past days their \
      control totals. What is new in the inbox waits for the next run. If a file is missing nothing \
      changes, and the missing files are listed. Killed at any moment it leaves everything as it was.

      Exit status: 0 done · 2 done, but something was rejected that was not before · 69 no database · \
      73 a report cannot be written · 75 another run, or told to stop · 78 files are missing, or \
      configuration.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(help: ArgumentHelp("Folder of the night's files. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Folders that hold files which have left the inbox, in any order and under any name.",
      valueName: "dir"))
  var archive: [String] = []

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
        ("inbox", inbox, "--inbox"), ("reports", reports, "--reports"),
        ("dry_run", dryRun ? "true" : nil, "--dry-run"), ("quiet", quiet ? "true" : nil, "--quiet"),
      ])
      do {
        let summary = try NightCommand.run(settings, for: .reconstruction(archives: archive))
        if summary.rejectedForTheFirstTime > 0 { throw ExitCode(2) }
      } catch {
        if let missing = error as? MissingFiles { Self.list(missing) }
        throw error
      }
    }
  }

  /// All of them, on standard output: the message has one line.
  private static func list(_ missing: MissingFiles) {
    let rows = missing.files.map {
      [Visible.text($0.path), $0.sha256, "\($0.bytes)", $0.loadedAt]
    }
    let header = ["missing", "sha256", "bytes", "loaded"]
    print(TextTable(header: header, rows: rows).text, terminator: "")
  }
}
