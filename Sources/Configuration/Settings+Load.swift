extension Settings {
  /// The settings file that is read if it exists and no other file is named.
  package static let defaultFile = "tieout.yaml"

  /// Reads the settings from file, environment and command line; a later value replaces an earlier
  /// one.
  ///
  /// Each value is checked in its own place, even if a later one replaces it. Lists and mappings
  /// are replaced as a whole.
  ///
  /// - Parameters:
  ///   - file: The settings file; nil: none, unless `TIEOUT_CONFIG` names one.
  ///   - explicitFile: Whether the user named that file, so that it has to exist. Otherwise
  ///     `TIEOUT_CONFIG` may name another file.
  ///   - environment: All environment variables; those that begin with `TIEOUT_` are read, and an
  ///     empty one is ignored.
  ///   - overrides: The values on the command line, by key.
  public static func load(
    file: String?,
    explicitFile: Bool,
    environment: [String: String],
    overrides: [(key: String, value: String)] = []
  ) throws(ConfigurationError) -> Settings {
    var settings = Settings()
    for given in try fromFile(file, explicitFile, environment) { try settings.take(given) }
    for given in try fromEnvironment(environment) { try settings.take(given) }
    for (key, value) in overrides {
      // The commands give only settings that have an option.
      let option = Setting.named(key)?.option ?? "command line"
      try settings.take(GivenSetting(key: key, value: .text(value), place: .option(option)))
    }
    return settings
  }

  private mutating func take(_ given: GivenSetting) throws(ConfigurationError) {
    guard let setting = Setting.named(given.key) else {
      throw ConfigurationError(
        place: given.place.text, problem: "\(shownKey(given.key)) is not a setting",
        remedy: advice(for: given.key, among: Setting.all.map(\.key)))
    }
    do {
      try setting.read(given.value, &self)
      if given.place.isOption { onCommandLine.insert(setting.key) }
    } catch {
      let suggestion = error.suggestion.map { "did you mean \($0)? " } ?? ""
      throw ConfigurationError(
        place: given.place.text(ofKey: setting.key), problem: error.problem,
        remedy: "\(suggestion)allowed: \(setting.allowed)", isUsage: given.place.isOption)
    }
  }
}

/// The variable that names the settings file, as `--config` does.
private let fileVariable = "TIEOUT_CONFIG"

/// Variables that are not settings: the name of the file, the secret, and the variables of tests.
private let otherVariables: [String] = {
  let variables = [fileVariable, SharedSecret.variable]
  #if DEBUG
    // Tests set the points at which a run breaks, and the limits of its waits. A release build
    // refuses these variables.
    return variables + ["TIEOUT_EFFECTS", "TIEOUT_PATIENCE", "TIEOUT_SHARED", "TIEOUT_TEST_SERVER"]
  #else
    return variables
  #endif
}()

private func fromFile(
  _ file: String?, _ explicit: Bool, _ environment: [String: String]
) throws(ConfigurationError) -> [GivenSetting] {
  if !explicit, let named = environment[fileVariable], !named.isEmpty {
    return try SettingsFile(path: named).read(sought: .byVariable)
  }
  guard let file else { return [] }
  return try SettingsFile(path: file).read(sought: explicit ? .byOption : .byDefault)
}

private func fromEnvironment(
  _ environment: [String: String]
) throws(ConfigurationError) -> [GivenSetting] {
  var given: [GivenSetting] = []
  // Sorted, so that always the same one of two mistakes is reported.
  for (name, value) in environment.sorted(by: { $0.key < $1.key })
  where name.hasPrefix(Setting.variablePrefix) && !otherVariables.contains(name) {
    guard let setting = Setting.all.first(where: { $0.variable == name }) else {
      let known = Setting.all.map(\.variable) + [fileVariable]
      throw ConfigurationError(
        place: shownVariable(name), problem: "no setting has this variable",
        remedy: advice(for: name, among: known, after: Setting.variablePrefix))
    }
    guard !value.isEmpty else { continue }
    given.append(GivenSetting(key: setting.key, value: .text(value), place: .variable(name)))
  }
  return given
}

private func shownVariable(_ name: String) -> String {
  let shown = quoted(name)
  return String(shown.dropFirst().dropLast())
}

/// What to write instead of an unknown name.
///
/// - Parameter prefix: What all names begin with.
private func advice(
  for name: String, among known: [String], after prefix: String = ""
) -> String {
  let rests = known.map { String($0.dropFirst(prefix.count)) }
  return nearestName(to: String(name.dropFirst(prefix.count)), among: rests)
    .map { "the nearest one is \(prefix)\($0)" }
    ?? "docs/configuration.md lists all of them"
}
