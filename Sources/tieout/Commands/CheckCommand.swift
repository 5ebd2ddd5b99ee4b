import ArgumentParser
import Configuration
import Foundation
import Inbox

/// `tieout check`: shows what files contain and what a run would reject.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Shows what files contain and what a run would reject.",
    discussion: """
      Reads the files as a run does. Loads nothing and uses no database. If the argument is a folder, all files \
      in it are checked. The folder of the inbox comes from --folder, otherwise from the path, otherwise from \
      the content.

      The command does not check whether a record was loaded before, or whether the findings in \
      acknowledgements exist: only the database contains this.

      Exit status: 0 nothing would be rejected · 2 something would be rejected · 64 usage, or no such file · 75 stopped · \
      78 configuration.
      """)

  @Argument(
    help: ArgumentHelp("Files, or folders with files.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Folder of the inbox that the files belong to.",
      discussion: "Default: from the path, otherwise from the content.",
      valueName: "folder"),
    completion: .list(FileCheck.folders))
  var folder: String?

  @OptionGroup var settingsFile: SettingsFileOption

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    try Ending.explained {
      let settings = try CommonOptions.settings(file: settingsFile.config)
      let check = try FileCheck(settings: settings, folder: folder)
      for path in files { try check.require(path) }
      var report = CheckText()
      var checked: [CheckedFile] = []
      for path in files {
        try check.check(path) { file in
          if json { checked.append(file) }
          if !json { try StandardOutput.write(report.text(of: file)) }
          report.count(file)
        }
      }
      if json {
        try StandardOutput.writeLine(
          JSONDocument.text(of: ["files": checked], keys: .convertToSnakeCase))
      } else {
        try StandardOutput.write(report.ending)
      }
      if report.rejected > 0 { throw ExitCode(2) }
    }
  }
}
