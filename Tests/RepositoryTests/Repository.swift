import Foundation

/// The files of the package.
enum Repository {
  /// The package's folder.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file; the path is below the package's folder.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The paths of all files below a folder, sorted, without hidden files.
  static func files(below folder: String, ending: String = "") throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: folder).path)
    return names.filter { name in
      var isFolder: ObjCBool = false
      let path = root.appending(path: "\(folder)/\(name)").path
      return name.hasSuffix(ending) && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted().map { "\(folder)/\($0)" }
  }

  /// The paths of all files that people write.
  static func writtenFiles() throws -> [String] {
    let folders = ["Sources", "Tests", "sql", "docs", "packaging", "scripts", "sample", ".ci"]
    let beside = try FileManager.default.contentsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") || $0.hasSuffix(".yaml") }
    return try folders.flatMap { try files(below: $0) } + beside.sorted() + ["reports/README.md"]
  }

  /// The text of a written file; nil for a compressed sample and for a compiled file of Python.
  ///
  /// - Throws: An error for any other file that is no text.
  static func textOfWritten(_ path: String) throws -> String? {
    if [".gz", ".bz2", ".xz", ".zst", ".pyc"].contains(where: path.hasSuffix) { return nil }
    return try text(path)
  }
}
