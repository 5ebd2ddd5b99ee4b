import ArgumentParser
import Configuration
import Ledger
import NightRun

/// `tieout rebuild`: builds the ledger again from its files.
struct RebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Builds all tables again from their files, without withdrawn files.",
    discussion: """
      Reads every file that was loaded and is not withdrawn, in the inbox and in the archives, and judges \
      all transactions as of the newest night. Findings keep their history, and past days keep their \
      control totals. New files in the inbox wait for the next run. If a file with usable records is \
      missing, nothing changes and the command lists the missing files. If the command is killed, nothing \
      changes.

      Exit status: 0 done · 2 done, with new rejections · 69 no database · \
      73 a report cannot be written · 75 another run is at work, or the command was stopped · \
      78 files are missing, no night was done yet, or configuration.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: ArgumentHelp("Folder with the input files. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Folders with files that were moved out of the inbox. Order and names do not matter.",
      valueName: "dir"))
  var archive: [String] = []

  @OptionGroup var folder: ReportsOption

  @OptionGroup var trial: DryRunOption

  @OptionGroup var unattended: UnattendedOptions

  func run() throws {
    try Ending.explained {
      let settings = try common.settings(
        [("inbox", inbox), folder.given, trial.given] + unattended.given)
      do {
        try NightCommand.run(
          "rebuild", settings, file: common.config, for: .rebuild(archives: archive),
          status: { $0.rejectedForTheFirstTime > 0 ? 2 : 0 })
      } catch {
        // The error itself matters more than a list that cannot be written.
        if let missing = error as? MissingFiles { try? Self.list(missing) }
        throw error
      }
    }
  }

  /// Lists all missing files on standard output, because the error message has one line.
  private static func list(_ missing: MissingFiles) throws {
    let rows = missing.files.map {
      [Visible.text($0.path), $0.sha256, "\($0.bytes)", $0.loadedAt]
    }
    let header = ["missing", "sha256", "bytes", "loaded"]
    try StandardOutput.writeResult(TextTable(header: header, rows: rows).text)
  }
}
