import ArgumentParser
import Configuration

/// The options of every command that cron may start.
struct UnattendedOptions: ParsableArguments {
  @Flag(
    help: """
      Print nothing if the exit status is 0, otherwise at most ten lines on standard error, made for a mail.
      """)
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "File to which the log is appended; - for standard error.",
      discussion: "Default: standard error; with --quiet no log is written.", valueName: "file"))
  var logFile: String?

  /// These options as settings.
  var given: [(key: String, value: String?)] {
    [("quiet", quiet ? "true" : nil), ("log_file", logFile)]
  }
}

/// The option of every command that uses the folder of the reports.
struct ReportsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Folder for the reports of each day. Default: reports.", valueName: "dir"))
  var reports: String?

  /// The option as a setting.
  var given: (key: String, value: String?) { ("reports", reports) }
}

/// The option of every command that does the work of a night.
struct DryRunOption: ParsableArguments {
  @Flag(help: "Do all the work and print the summary, but save and publish nothing.")
  var dryRun = false

  /// The option as a setting.
  var given: (key: String, value: String?) { ("dry_run", dryRun ? "true" : nil) }
}

/// The option of every command that reads settings.
struct SettingsFileOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Settings file. Default: tieout.yaml, if it exists.", valueName: "file"))
  var config: String?
}

/// The options that are common to the commands that use the database.
struct CommonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "libpq connection string.",
      discussion: "Default: libpq's environment (PGHOST, PGSERVICE, …), else a private PostgreSQL.",
      valueName: "url"))
  var database: String?

  @OptionGroup var settingsFile: SettingsFileOption

  @Option(
    help: ArgumentHelp(
      "Lowest level to log: trace, debug, info, notice, warning, error, critical.",
      valueName: "level"))
  var logLevel: String?

  @Option(help: ArgumentHelp("Format of log lines: plain or json.", valueName: "format"))
  var logFormat: String?

  /// The settings file that `--config` names.
  var config: String? { settingsFile.config }

  /// The settings from file, environment and these options.
  func settings(
    _ more: [(key: String, value: String?)] = []
  ) throws(ConfigurationError) -> Settings {
    let given: [(key: String, value: String?)] =
      [
        ("database", database), ("log_level", logLevel), ("log_format", logFormat),
      ] + more
    return try Self.settings(file: config, given)
  }

  /// The settings from a file, the environment and options.
  ///
  /// - Parameters:
  ///   - file: The file that `--config` names; nil: `tieout.yaml`, if it is there.
  ///   - given: The options; those without a value are left out.
  static func settings(
    file: String?, _ given: [(key: String, value: String?)] = []
  ) throws(ConfigurationError) -> Settings {
    try Settings.load(
      file: file ?? Settings.defaultFile, explicitFile: file != nil,
      environment: ProgramEnvironment.variables,
      overrides: given.compactMap { setting in
        setting.value.map { (setting.key, $0) }
      })
  }
}
