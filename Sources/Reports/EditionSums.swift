import FileSystem
import Runs

/// The checksums of an edition's files, in the form that `sha256sum --check` reads.
///
/// It is written last and covers the manifest too: a folder can be checked without this program.
enum EditionSums {
  /// The file with the checksums.
  static let fileName = "SHA256SUMS"

  /// The text of the file, from the checksum of each file.
  static func text(_ sums: [String: String]) -> [UInt8] {
    let lines = sums.sorted { $0.key < $1.key }.map { name, sum in "\(sum)  \(name)\n" }
    return [UInt8](lines.joined().utf8)
  }

  /// The checksum of each file of a published edition; empty if they cannot be read.
  static func read(_ edition: Edition, in place: OpenFolder) -> [String: String] {
    guard let folder = try? place.folder(edition.folder),
      let bytes = try? FilePlace(fileName, in: folder).contents(atMost: Manifest.mostBytes)
    else { return [:] }
    return sums(in: bytes)
  }

  /// The checksums in the bytes of such a file; other lines are left out.
  static func sums(in bytes: [UInt8]) -> [String: String] {
    var sums: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { sums[parts[1].trimmingPrefix(" ").description] = String(parts[0]) }
    }
    return sums
  }
}
