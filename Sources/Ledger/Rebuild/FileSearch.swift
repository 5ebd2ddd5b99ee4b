package import Configuration
import FileSystem
import Foundation
package import Inbox
import Intake
import Runs
package import Waiting

/// Finds the files that count by their bytes, under any name, in the inbox and in archives.
package struct FileSearch {
  /// A file that was found.
  private struct Place {
    let file: FilePlace
    /// Whether these bytes are only the first part of the file on disk.
    var isStart = false
    /// The longer file, if each line of this file is also a line of the longer one.
    var container: FileHash?
  }

  private var files: [(place: FilePlace, bytes: Int64, isOfInbox: Bool)] = []
  private var places: [FileHash: Place] = [:]
  /// The paths below the inbox where there is a file, as UTF-8.
  private var inboxPaths: Set<[UInt8]> = []
  private let stop: StopRequest

  /// Lists the folders.
  ///
  /// - Parameter archives: Folders that the command line names.
  /// - Throws: ``ReconciliationError`` with `configuration` if one cannot be opened; with `unknown`
  ///   if an option names no folder.
  package init(
    inboxOf settings: Settings, archives: [String], stop: StopRequest
  ) throws {
    self.stop = stop
    let folders =
      [(settings.inbox, "--inbox", settings.codeOfMissingInbox)]
      + archives.map { ($0, "--archive", .unknown) }
    for (folder, option, code) in folders {
      let path = URL(filePath: folder).resolvingSymlinksInPath().path
      let root: OpenFolder
      do { root = try OpenFolder(folder, calling: path) } catch {
        throw ReconciliationError(
          error.isNotThere ? code : .configuration,
          """
          The folder \(folder) cannot be opened: \(error.words); nothing was rebuilt. Name another one with \
          \(option).
          """)
      }
      root.walk(longestPath: Inbox.longestPath, leavingOut: { _ in false }) { found in
        guard found.problem == nil else { return }
        var place = FilePlace(found.path, in: root)
        var status: FileStatus? = found.status
        if status?.kind == .link {
          // An archive may consist of links. Only bytes with a known hash are used, so the links
          // may point to any file.
          place = FilePlace(anywhere: place.location)
          status = try? place.status()
        }
        guard let status, status.kind == .file else { return }
        let isOfInbox = option == "--inbox"
        files.append((place, status.bytes, isOfInbox))
        if isOfInbox { inboxPaths.insert(Array(found.path.utf8)) }
      }
    }
    // Sorted, so that the result does not depend on the order in which folders are listed. Compared
    // as bytes: differently composed accents are equal in Swift, but not in the file system.
    files.sort {
      $0.bytes == $1.bytes
        ? $0.place.location.utf8.lexicographicallyPrecedes($1.place.location.utf8)
        : $0.bytes < $1.bytes
    }
  }

  /// Finds the given files.
  ///
  /// - Returns: the files to read, each with its counted file. A file without records is left out
  ///   if it is not found.
  /// - Throws: ``MissingFiles``.
  package mutating func find(_ counted: [CountedFile]) throws -> [(CountedFile, InboxFile)] {
    var wanted: [Int64: Set<FileHash>] = [:]
    for file in counted { wanted[file.bytes, default: []].insert(file.sha256) }
    try findWhole(&wanted)
    try findStarts(&wanted)
    // A file without usable records may be missing: it has probably been corrected in place.
    let missing = counted.filter { $0.hasRecords && places[$0.sha256] == nil }
    guard missing.isEmpty else { throw MissingFiles(missing, inboxPaths: inboxPaths) }
    return filesToRead(counted)
  }

  /// Finds the files that are on disk with exactly these bytes, and removes them from `wanted`.
  private mutating func findWhole(_ wanted: inout [Int64: Set<FileHash>]) throws {
    for (place, bytes, isOfInbox) in files where wanted[bytes]?.isEmpty == false {
      let found = try hashes(of: place, [bytes])
      // A file that cannot be read is not reported as changed, because its bytes are unknown.
      if found == nil, isOfInbox { inboxPaths.remove(Array(place.path.utf8)) }
      take(found, of: place, bytes: bytes, from: &wanted)
    }
    wanted = wanted.filter { !$0.value.isEmpty }
  }

  /// Finds the files that are the first bytes of longer files, and removes them from `wanted`.
  private mutating func findStarts(_ wanted: inout [Int64: Set<FileHash>]) throws {
    // The longest files come first, because they contain the most.
    for (place, bytes, _) in files.reversed() where wanted.keys.contains(where: { $0 < bytes }) {
      let lengths = wanted.keys.filter { $0 < bytes }
      take(try hashes(of: place, lengths + [bytes]), of: place, bytes: bytes, from: &wanted)
      wanted = wanted.filter { !$0.value.isEmpty }
    }
  }

  /// The files to read, without logs whose lines are all in a longer file that is read too.
  private func filesToRead(_ counted: [CountedFile]) -> [(CountedFile, InboxFile)] {
    let logs = [Folder.deliveries, .client]
    let read = logs.map { folder in
      Set(counted.filter { $0.folder == folder }.map(\.sha256))
    }
    return counted.compactMap { file in
      guard let place = places[file.sha256] else { return nil }
      // The lines of the shorter log are read with the longer file.
      if let container = place.container, let number = logs.firstIndex(of: file.folder),
        read[number].contains(container)
      {
        return nil
      }
      var found = InboxFile(
        path: file.path, place: place.file, folder: file.folder,
        status: FileStatus(bytes: file.bytes))
      if place.isStart { found.byteLimit = file.bytes }
      found.passesOverOpenLine = file.hasGrown
      return (file, found)
    }
  }

  private func hashes(of place: FilePlace, _ lengths: [Int64]) throws -> StartHashes? {
    do { return try StartHashes(of: place, lengths: lengths, stop: stop) } catch {
      // A file that cannot be read counts as missing and is reported as missing.
      guard error is ReconciliationError else { return nil }
      throw error
    }
  }

  private mutating func take(
    _ hashes: StartHashes?, of place: FilePlace, bytes: Int64,
    from wanted: inout [Int64: Set<FileHash>]
  ) {
    guard let hashes, let last = hashes.starts.last else { return }
    for start in hashes.starts where wanted[start.bytes]?.remove(start.sha256) != nil {
      let isStart = start.bytes < bytes
      let isOfLines = start.endsWithLine && !hashes.isCompressed && last.bytes == bytes
      places[start.sha256] = Place(
        file: place, isStart: isStart, container: isStart && isOfLines ? last.sha256 : nil)
    }
  }
}
