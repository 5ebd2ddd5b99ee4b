import Foundation
import Intake

/// Where the files that count lie: by their bytes, under whatever name, in the inbox and in archives.
struct FileSearch {
  /// A file that was found.
  private struct Place {
    let path: String
    /// Whether the file on disk goes on behind it.
    var isStart = false
    /// The longer file, where each line of this one is also a line of that.
    var container: FileHash?
  }

  private var files: [(path: String, bytes: Int64)] = []
  private var places: [FileHash: Place] = [:]
  private let stop: StopRequest

  /// Lists the folders.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if one is not there.
  init(folders: [String], stop: StopRequest) throws {
    self.stop = stop
    for folder in folders {
      let root = URL(filePath: folder).resolvingSymlinksInPath().path
      guard FileStatus(of: root, followingLinks: true)?.kind == .folder else {
        throw ReconciliationError(
          .configuration, "There is no folder \(folder); nothing was rebuilt. Name another one.")
      }
      list(root)
    }
    // Whole files first, and of several places always the same one.
    files.sort { $0.bytes == $1.bytes ? $0.path < $1.path : $0.bytes < $1.bytes }
  }

  /// Finds them.
  ///
  /// - Returns: what is to be read, by the files' numbers.
  /// - Throws: ``MissingFiles``.
  mutating func find(_ counted: [CountedFile]) throws -> [(CountedFile, InboxFile)] {
    var wanted: [Int64: Set<FileHash>] = [:]
    for file in counted { wanted[file.bytes, default: []].insert(file.sha256) }
    for (path, bytes) in files where wanted[bytes]?.isEmpty == false {
      take(try hashes(of: path, [bytes]), of: path, bytes: bytes, from: &wanted)
    }
    wanted = wanted.filter { !$0.value.isEmpty }
    // What is still missing may be what a longer file was before it grew; the longest know the most.
    for (path, bytes) in files.reversed() where wanted.keys.contains(where: { $0 < bytes }) {
      let lengths = wanted.keys.filter { $0 < bytes }
      take(try hashes(of: path, lengths + [bytes]), of: path, bytes: bytes, from: &wanted)
      wanted = wanted.filter { !$0.value.isEmpty }
    }
    let missing = counted.filter { places[$0.sha256] == nil }
    guard missing.isEmpty else { throw MissingFiles(missing) }
    let logs = [Folder.deliveries, .client]
    let read = logs.map { folder in
      Set(counted.filter { $0.folder == folder }.map(\.sha256))
    }
    return counted.compactMap { file in
      guard let place = places[file.sha256] else { return nil }
      // Of a log the lines that came first are read with the longer file.
      if let container = place.container, let number = logs.firstIndex(of: file.folder),
        read[number].contains(container)
      {
        return nil
      }
      var found = InboxFile(
        path: file.path, root: "", location: place.path, folder: file.folder,
        status: FileStatus(bytes: file.bytes))
      if place.isStart { found.byteLimit = file.bytes }
      return (file, found)
    }
  }

  private func hashes(of path: String, _ lengths: [Int64]) throws -> StartHashes? {
    try stop.check()
    // What cannot be read is missing, and said to be.
    return try? StartHashes(of: path, lengths: lengths)
  }

  private mutating func take(
    _ hashes: StartHashes?, of path: String, bytes: Int64, from wanted: inout [Int64: Set<FileHash>]
  ) {
    guard let hashes, let last = hashes.starts.last else { return }
    for start in hashes.starts where wanted[start.bytes]?.remove(start.sha256) != nil {
      let isStart = start.bytes < bytes
      let isOfLines = start.endsWithLine && !hashes.isGzip && last.bytes == bytes
      places[start.sha256] = Place(
        path: path, isStart: isStart, container: isStart && isOfLines ? last.sha256 : nil)
    }
  }

  private mutating func list(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names {
      let path = "\(folder)/\(name)"
      guard let status = FileStatus(of: path, followingLinks: false) else { continue }
      switch status.kind {
      case .folder: list(path)
      case .other: files.append((path, status.bytes))
      case .link:
        // As in the inbox, links to files are followed and links to folders are not.
        if let target = FileStatus(of: path, followingLinks: true), target.kind == .other {
          files.append((path, target.bytes))
        }
      }
    }
  }
}
