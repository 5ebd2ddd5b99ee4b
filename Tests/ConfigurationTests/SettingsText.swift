import Configuration
import Foundation

/// The settings that some YAML gives, by way of a real file.
func settings(
  yaml: String,
  environment: [String: String] = [:],
  overrides: [(key: String, value: String, origin: String)] = []
) throws -> Settings {
  try withFile(Data(yaml.utf8)) { path in
    try Settings.load(
      file: path, explicitFile: true, environment: environment, overrides: overrides)
  }
}

/// The message that some YAML earns, with `tieout.yaml` for the name of the file.
func complaint(yaml: String) throws -> String {
  try complaint(bytes: Data(yaml.utf8))
}

/// The message that a file of these bytes earns, with `tieout.yaml` for its name.
func complaint(bytes: Data) throws -> String {
  try withFile(bytes) { path in
    try complaint { () throws(ConfigurationError) in
      try Settings.load(file: path, explicitFile: true, environment: [:])
    }
    .replacing(path, with: "tieout.yaml")
  }
}

/// The message that an environment variable earns.
func complaint(variable: String, _ value: String) throws -> String {
  try complaint { () throws(ConfigurationError) in
    try Settings.load(file: nil, explicitFile: false, environment: [variable: value])
  }
}

/// The message that a value of the command line earns.
func complaint(option: String, key: String, _ value: String) throws -> String {
  try complaint { () throws(ConfigurationError) in
    try Settings.load(
      file: nil, explicitFile: false, environment: [:], overrides: [(key, value, option)])
  }
}

/// The settings that hold if one is given by text alone.
func settings(_ key: String, _ value: String) throws -> Settings {
  try Settings.load(
    file: nil, explicitFile: false, environment: [:], overrides: [(key, value, "--\(key)")])
}

/// A file of the package, by its path from the top.
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
