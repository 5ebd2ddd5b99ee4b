import ArgumentParser
import Configuration
import Foundation

/// The options that say where things are; every command has them.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "libpq connection string.",
      discussion: "Default: libpq's environment (PGHOST, PGSERVICE, …), else a private PostgreSQL.",
      valueName: "url"))
  var database: String?

  @Option(
    help: ArgumentHelp("Settings file. Default: tieout.yaml if it is there.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Least severe message to log: trace, debug, info, notice, warning, error, critical.",
      valueName: "level"))
  var logLevel: String?

  @Option(help: ArgumentHelp("How log lines are written: plain or json.", valueName: "format"))
  var logFormat: String?

  /// The settings from file, environment and these options.
  func settings(
    _ more: [(key: String, value: String?, origin: String)] = []
  ) throws(ConfigurationError) -> Settings {
    let given: [(key: String, value: String?, origin: String)] =
      [
        ("database", database, "--database"), ("log_level", logLevel, "--log-level"),
        ("log_format", logFormat, "--log-format"),
      ] + more
    return try Settings.load(
      file: config ?? Settings.defaultFile, explicitFile: config != nil,
      environment: ProcessInfo.processInfo.environment,
      overrides: given.compactMap { setting in
        setting.value.map { (setting.key, $0, setting.origin) }
      })
  }
}
