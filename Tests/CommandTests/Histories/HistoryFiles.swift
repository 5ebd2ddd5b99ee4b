import DamageTestSupport
import Foundation
import LibCrypto
import Oracle
import ReconciliationTestSupport

/// The files of a history: the files that still have to arrive, the files in the inbox, and the
/// files in the archive.
final class HistoryFiles {
  let inbox: URL
  let archive: URL
  /// The files that still have to arrive, by their paths below the inbox.
  ///
  /// The last one arrives next.
  private var coming: [(path: String, bytes: Data)] = []
  private(set) var present: [String: Data] = [:]
  private(set) var archived: [String: Data] = [:]
  /// The complete contents of files that have arrived in part, by their paths.
  private var growing: [String: Data] = [:]
  /// The paths of files that arrived in part first.
  ///
  /// A withdrawal of the part would not include the complete file, so these files are not
  /// withdrawn, moved or renamed.
  private var grown: Set<String> = []
  /// The SHA-256 of files that a run has loaded, and of files that are withdrawn.
  private var loaded: Set<String> = []
  private(set) var withdrawn: Set<String> = []
  private var count = 0

  /// - Parameter folder: The folder of the inbox and the archive.
  init(_ input: NightInput, seed: UInt64, in folder: URL, signedBy sign: (String) throws -> String)
    throws
  {
    inbox = folder.appending(path: "inbox")
    archive = folder.appending(path: "archive")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
    var random = Dice(seed)
    for (number, part) in input.nights(3, seed: seed).enumerated() {
      let place = folder.appending(path: "coming-\(number)")
      try part.write(
        to: place, files: 2, seed: seed &+ UInt64(number), gzip: number == 2, signedBy: sign)
      for path in try Self.files(in: place) {
        let bytes = try Data(contentsOf: place.appending(path: path))
        let parts = path.split(separator: "/", maxSplits: 1)
        coming.append(("\(parts[0])/\(number)/\(parts[1])", bytes))
      }
      try FileManager.default.removeItem(at: place)
    }
    // Of one day there is one report, so the order in which they arrive does not matter.
    for number in 0..<3 {
      let day = Instant(seconds: input.asOf - (13 + number) * 86_400).rfc3339.prefix(10)
      let report = AppleReports.sales(
        String(day), ["\(input.plainProduct) US 1 0.70 USD 0.99 USD"])
      coming.append(("apple/\(number).txt", Data(report.utf8)))
    }
    coming.append(("receipts/status.ndjson", Data("{\"status\":21003}\n".utf8)))
    coming.append(("deliveries/empty.csv", Data("delivery_id,status\n1,delivered\n".utf8)))
    coming.shuffle(using: &random)
  }

  /// Lets at most `most` files arrive, and may complete files that have arrived in part.
  ///
  /// - Returns: The names of the files that arrived, as readable text.
  func arrive(_ most: Int, _ random: inout Dice) throws -> String {
    var names: [String] = []
    for path in growing.keys.sorted() where random.chance(60) {
      try write(growing.removeValue(forKey: path), at: path)
      names.append("the rest of \(path)")
    }
    for _ in 0..<most {
      guard let (path, bytes) = coming.popLast() else { break }
      let isLog = path.hasPrefix("deliveries/") && !path.hasSuffix(".gz")
      let ends = isLog ? bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") } : []
      if ends.count > 2, random.chance(40) {
        let end = ends[random.number(0...(ends.count - 2))]
        try write(bytes[...end], at: path)
        growing[path] = bytes
        grown.insert(path)
        names.append("a part of \(path)")
      } else {
        try write(bytes, at: path)
        names.append(path)
      }
    }
    return names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }

  /// Completes all files that have arrived in part.
  func complete() throws {
    for (path, bytes) in growing { try write(bytes, at: path) }
    growing = [:]
  }

  /// Puts a file with this text into the inbox.
  func add(_ text: String, at path: String) throws {
    try write(Data(text.utf8), at: path)
  }

  /// Records that a run has loaded all files in the inbox that are not withdrawn.
  func areLoaded() {
    loaded.formUnion(present.values.map(Self.sha256).filter { !withdrawn.contains($0) })
  }

  /// Draws a file to withdraw, and returns its name for the command and its SHA-256; nil if there
  /// is none.
  func drawToWithdraw(_ random: inout Dice) -> (name: String, sha256: String)? {
    let all = present.merging(archived) { one, _ in one }
    let paths = all.keys.filter { path in
      guard let bytes = all[path], !grown.contains(path) else { return false }
      return !path.hasPrefix("acknowledgements/") && !withdrawn.contains(Self.sha256(bytes))
    }
    guard let path = paths.sorted().randomElement(using: &random), let bytes = all[path] else {
      return nil
    }
    // Two files may have the same bytes. A withdrawal includes all files with these bytes.
    let sha256 = Self.sha256(bytes)
    return (present[path] == nil ? sha256 : path, sha256)
  }

  func withdraw(_ sha256: String) { withdrawn.insert(sha256) }
  func takeBack(_ sha256: String) { withdrawn.remove(sha256) }

  /// Moves some loaded files from the inbox to the archive.
  func archive(_ random: inout Dice) throws -> String {
    let paths = present.keys.sorted().filter { path in
      guard let bytes = present[path], !grown.contains(path) else { return false }
      return !path.hasPrefix("acknowledgements/") && loaded.contains(Self.sha256(bytes))
        && random.chance(30)
    }
    for path in paths {
      let place = archive.appending(path: path)
      try Self.makeFolder(of: place)
      try FileManager.default.moveItem(at: inbox.appending(path: path), to: place)
      archived[path] = present.removeValue(forKey: path)
    }
    return paths.isEmpty ? "nothing" : paths.joined(separator: ", ")
  }

  /// Gives some files of the inbox other names in the same folder of the inbox.
  func rename(_ random: inout Dice) throws -> String {
    let paths = present.keys.sorted().filter { !grown.contains($0) }.filter { _ in
      random.chance(30)
    }
    for path in paths {
      count += 1
      let ending = path.hasSuffix(".gz") ? ".gz" : random.pick("", ".txt", ".json")
      let name = "\(path.prefix { $0 != "/" })/renamed/\(count)\(ending)"
      let place = inbox.appending(path: name)
      try Self.makeFolder(of: place)
      try FileManager.default.moveItem(at: inbox.appending(path: path), to: place)
      present[name] = present.removeValue(forKey: path)
    }
    return paths.isEmpty ? "nothing" : paths.joined(separator: ", ")
  }

  /// Writes all files that count, and no other files, into another inbox.
  func writeCounted(to folder: URL) throws {
    for (name, files) in [("inbox", present), ("archive", archived)] {
      for (path, bytes) in files where !withdrawn.contains(Self.sha256(bytes)) {
        let parts = path.split(separator: "/", maxSplits: 1)
        let place = folder.appending(path: "\(parts[0])/\(name)/\(parts[1])")
        try Self.makeFolder(of: place)
        try bytes.write(to: place)
      }
    }
  }

  /// The changes of the program to the inbox.
  ///
  /// It must not make any.
  func problems() throws -> [String] {
    let paths = try Self.files(in: inbox)
    return paths.filter { present[$0] == nil }.map { "\($0) was put into the inbox" }
      + present.filter { path, bytes in
        (try? Data(contentsOf: inbox.appending(path: path))) != bytes
      }.map { "\($0.key) of the inbox is not as it was" }
  }

  private func write(_ bytes: Data?, at path: String) throws {
    guard let bytes else { return }
    let place = inbox.appending(path: path)
    try Self.makeFolder(of: place)
    // A log that grows keeps its inode.
    if let file = FileHandle(forWritingAtPath: place.path) {
      try file.write(contentsOf: bytes)
      try file.close()
    } else {
      try bytes.write(to: place)
    }
    present[path] = bytes
  }

  private static func makeFolder(of place: URL) throws {
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  private static func files(in folder: URL) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.filter { path in
      var isFolder: ObjCBool = false
      let place = folder.appending(path: path).path
      return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  private static func sha256(_ bytes: Data) -> String {
    HashFunction.sha256.digest(of: bytes).hexadecimal
  }
}
