import ArgumentParser
import Configuration
import Page
import Reports
import Runs

/// `tieout show`: the files of an edition as they were published.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows what was published: the files of an edition, or one of them.",
    discussion: """
      DAY is a day, which stands for its newest edition; an edition such as 2026-11-20.2; latest; or a month, \
      which stands for its last day. Without FILE the command lists the files with size and SHA-256. With FILE \
      it writes the bytes of that file to standard output. Before that it checks the edition against its \
      manifest. Reads only the reports folder and uses no database.

      Exit status: 0 done · 1 the edition is not what was published, and nothing is shown · 64 there is no such \
      edition or file · 73 a file or a folder cannot be read · 75 stopped · 78 configuration.
      """)

  @Argument(help: ArgumentHelp("Day, edition or month.", valueName: "day"))
  var day: String

  @Argument(help: ArgumentHelp("Name of a file, such as months.csv.", valueName: "file"))
  var file: String?

  @Option(help: ArgumentHelp("Edition of the day. Default: the newest.", valueName: "n"))
  var edition: Int?

  @OptionGroup var folder: ReportsOption

  @OptionGroup var settingsFile: SettingsFileOption

  func validate() throws {
    if let edition, edition < 1 { throw ValidationError("--edition must be at least 1.") }
    if edition != nil, day == Publication.latest {
      throw ValidationError("--edition needs a day, such as 2026-11-20.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try CommonOptions.settings(file: settingsFile.config, [folder.given])
      let found = try PublishedEdition(reports: settings.reports, day, number: edition)
      if let file { return try found.bytes(of: file) { try StandardOutput.write($0) } }
      try StandardOutput.write(Self.text(of: found))
    }
  }

  private static func text(of found: PublishedEdition) -> String {
    let said = "as of \(found.asOf), publication \(found.publication): as published."
    let rows = found.files.map {
      [
        Visible.text($0.name), Figure.grouped($0.bytes),
        $0.sha256.map { Visible.text($0) } ?? "",
      ]
    }
    return "\(found.edition.folder), \(said)\n\n"
      + TextTable(header: ["file", "bytes", "sha256"], rows: rows).text
  }
}
