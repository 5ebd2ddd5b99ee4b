import ArgumentParser
import Configuration
import Reports

/// `tieout diff`: the rows that were added, removed and changed from one night to another.
struct DiffCommand: ParsableCommand {
  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Shows the rows that were added, removed and changed from one night to another.",
    discussion: """
      Compares the statements of two published editions. A day stands for its newest edition; 2026-11-20.2 is \
      its second edition, 2026-11-20.1 its first one, and latest the newest edition of the newest day. Two \
      rows are the same row if the columns that say what it is about are equal. hours_overdue, which grows with \
      every night, is not compared. Other CSV files, such as rejected_records.csv, are only named if they differ. \
      Before that the command checks both editions against their manifests. Reads only the reports folder and \
      uses no database.

      Exit status: 0 compared, with or without differences · 1 an edition is not what was published, and nothing \
      is compared · 64 there is no such edition · 73 the reports folder or a file of an edition cannot be read · \
      75 stopped · 78 configuration.
      """)

  @Argument(help: ArgumentHelp("Day or edition to compare.", valueName: "before"))
  var before: String

  @Argument(help: ArgumentHelp("Day or edition to compare it with.", valueName: "after"))
  var after: String

  @OptionGroup var folder: ReportsOption

  @Option(
    help: ArgumentHelp(
      "Only this statement, such as revenue or missing_deliveries.", valueName: "statement"))
  var statement: [String] = []

  @Option(help: "Output format.")
  var format = Format.text

  @Option(
    help: ArgumentHelp(
      "Maximum number of rows of each statement. Default: 20; csv: all.", valueName: "n"))
  var limit: Int?

  @OptionGroup var settingsFile: SettingsFileOption

  func validate() throws {
    let names = EditionDiff.statementNames
    for name in statement where !names.contains(name) {
      throw ValidationError(
        "There is no statement \(name).\(UsageAdvice.aboutSeveral(in: name)) The statements are "
          + "\(names.joined(separator: ", ")).")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
  }

  func run() throws {
    try Ending.explained {
      let settings = try CommonOptions.settings(file: settingsFile.config, [folder.given])
      let diff = try EditionDiff(reports: settings.reports, before: before, after: after)
      let text = DiffText(
        diff, limit: limit ?? (format == .text ? 20 : .max), isCSV: format == .csv)
      try text.write(statement)
    }
  }
}
