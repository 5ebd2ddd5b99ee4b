import Foundation
import Testing

/// The genuine files.
///
/// They are next to the project in `../shared/corpus`, or in `corpus` below the folder that
/// `TIEOUT_SHARED` names.
public enum Corpus {
  /// Their folder; nil if it does not exist.
  public static let folder: String? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["TIEOUT_SHARED"]
      ?? package.deletingLastPathComponent().appending(path: "shared").path
    let corpus = shared + "/corpus"
    return FileManager.default.fileExists(atPath: corpus) ? corpus : nil
  }()

  /// The path of one of these files or folders.
  public static func path(_ name: String) throws -> String {
    try #require(folder) + "/" + name
  }

  /// The bytes of a file.
  public static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The names in a folder, sorted.
  public static func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// The paths of all files below a folder, sorted.
  public static func files(_ name: String) throws -> [String] {
    let root = try path(name)
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      .map { root + "/" + $0 }.filter { !isFolder($0) }
  }

  private static func isFolder(_ path: String) -> Bool {
    let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type]
    return type as? FileAttributeType == .typeDirectory
  }
}
