import Foundation
import LibCrypto
import ReconciliationTestSupport
import Reports
import Testing

/// A copy of published reports, which a test damages.
struct PublishedReports {
  /// The reports folder.
  let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  /// The paths of all files of editions, below the folder.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("2") && $0.contains("/")
    }.sorted()
  }

  func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: folder.appending(path: path))
  }

  func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(
      at: folder.appending(path: path), to: folder.appending(path: other))
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: folder.appending(path: path))
  }

  /// An instant after the as-of of all nights.
  private static let later = Date(timeIntervalSince1970: 7_258_118_400)

  /// What is verified, of the whole folder or of a path in it.
  @discardableResult
  func verify(
    _ path: String = "", anchor: URL? = nil, now: Date = later
  ) throws -> FolderProof.Result {
    let whole = path.isEmpty ? folder : folder.appending(path: path)
    return try FolderProof(whole.path, anchor: anchor?.path, now: now).check()
  }

  /// The words about what is wrong; nil if nothing is.
  func fault(_ path: String = "", anchor: URL? = nil, now: Date = later) throws -> String? {
    do {
      try verify(path, anchor: anchor, now: now)
      return nil
    } catch let fault as ProofFault { return fault.description }
  }

  /// Replaces text in a file of an edition as a forger would who corrects the manifest, the checksums
  /// and the list of editions too.
  func forge(_ path: String, replacing text: String, with other: String) throws {
    let old = try bytes(path)
    let changed = String(decoding: old, as: UTF8.self).replacing(text, with: other)
    try #require(changed.utf8.count == old.count && Array(changed.utf8) != old)
    try write(Array(changed.utf8), path)
    let edition = path.split(separator: "/")[0]
    var pairs = [(Self.hash(old), Self.hash(Array(changed.utf8)))]
    if !path.hasSuffix("manifest.json") {
      pairs.append(try replace(pairs, "\(edition)/manifest.json"))
    }
    _ = try replace(pairs, "\(edition)/SHA256SUMS")
    if FileManager.default.fileExists(atPath: folder.appending(path: "editions.txt").path) {
      _ = try replace(pairs, "editions.txt")
    }
  }

  /// - Returns: the checksums of the file before and after.
  private func replace(_ pairs: [(String, String)], _ path: String) throws -> (String, String) {
    let old = try bytes(path)
    var text = String(decoding: old, as: UTF8.self)
    for (one, other) in pairs { text = text.replacing(one, with: other) }
    try write(Array(text.utf8), path)
    return (Self.hash(old), Self.hash(Array(text.utf8)))
  }

  static func hash(_ bytes: [UInt8]) -> String {
    HashFunction.sha256.digest(of: bytes).hexadecimal
  }
}
