import Configuration
import Foundation

/// Loads settings from YAML text, through a real file.
func settings(
  yaml: String,
  environment: [String: String] = [:],
  overrides: [(key: String, value: String)] = []
) throws -> Settings {
  try withFile(Data(yaml.utf8)) { path in
    try Settings.load(
      file: path, explicitFile: true, environment: environment, overrides: overrides)
  }
}

/// The message about YAML text; the file's name is `tieout.yaml`.
func complaint(yaml: String) throws -> String {
  try complaint(bytes: Data(yaml.utf8))
}

/// The message about a file with these bytes; its name is `tieout.yaml`.
func complaint(bytes: Data) throws -> String {
  try withFile(bytes) { path in
    try complaint { () throws(ConfigurationError) in
      try Settings.load(file: path, explicitFile: true, environment: [:])
    }
    .replacing(path, with: "tieout.yaml")
  }
}

/// The message about an environment variable.
func complaint(variable: String, _ value: String) throws -> String {
  try complaint { () throws(ConfigurationError) in
    try Settings.load(file: nil, explicitFile: false, environment: [variable: value])
  }
}

/// The message about a value of the command line.
func complaint(key: String, _ value: String) throws -> String {
  try complaint { () throws(ConfigurationError) in
    try Settings.load(file: nil, explicitFile: false, environment: [:], overrides: [(key, value)])
  }
}

/// The settings if only one is given, as text.
func settings(_ key: String, _ value: String) throws -> Settings {
  try Settings.load(file: nil, explicitFile: false, environment: [:], overrides: [(key, value)])
}

/// The text of a file of the package; the path is relative to the package's folder.
func packageFile(_ path: String) throws -> String {
  let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return try String(contentsOf: top.appending(path: path), encoding: .utf8)
}

struct NoComplaint: Error {
  let settings: Settings
}

func complaint(_ load: () throws(ConfigurationError) -> Settings) throws -> String {
  let loaded: Settings
  do {
    loaded = try load()
  } catch {
    return error.description
  }
  throw NoComplaint(settings: loaded)
}

func withFile<Result>(_ bytes: Data, _ body: (String) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: "tieout.yaml")
  try bytes.write(to: file)
  return try body(file.path)
}
