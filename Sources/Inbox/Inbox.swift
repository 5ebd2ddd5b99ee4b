package import Configuration
import ExactText
package import FileSystem
import Foundation
import Intake
package import Runs

extension Settings {
  /// The code of the error if there is no inbox: `unknown` if an option names it, else
  /// `configuration`.
  package var codeOfMissingInbox: ReconciliationError.Code {
    onCommandLine.contains("inbox") ? .unknown : .configuration
  }
}

/// The folder that the night's files arrive in.
package enum Inbox {
  /// The maximum size of a file's whole path, in bytes.
  ///
  /// The database's index of paths takes at most 2,704 bytes of a page of 8 kB (PostgreSQL, "B-Tree
  /// Indexes: Limitations"). Linux takes at most 4,096 bytes in one call.
  package static let longestPath = 2_500

  /// The path below the inbox of a place on disk, with links followed; nil for a place elsewhere.
  package static func path(below inbox: String, of place: String) -> String? {
    let root = URL(filePath: inbox).resolvingSymlinksInPath().path
    let place = URL(filePath: place).resolvingSymlinksInPath().path
    guard place.utf8.starts(with: "\(root)/".utf8) else { return nil }
    return String(decoding: place.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
  }

  /// The path below the inbox of a place on disk, with no link in this path followed; nil for a
  /// place elsewhere.
  ///
  /// A night uses this path, because a link in the inbox can lead anywhere.
  package static func writtenPath(below inbox: String, of place: String) -> String? {
    let roots = [
      URL(filePath: inbox).absoluteURL.standardized.path,
      URL(filePath: inbox).resolvingSymlinksInPath().path,
    ]
    let place = URL(filePath: place).absoluteURL.standardized.path
    guard let root = roots.first(where: { place.utf8.starts(with: "\($0)/".utf8) }) else {
      return nil
    }
    return String(decoding: place.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
  }

  /// Opens the inbox.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if it cannot be opened, or if one of
  ///   its folders contains the reports folder; with `unknown` if an option names no folder.
  package static func open(_ settings: Settings) throws -> OpenFolder {
    let inbox = settings.inbox
    let code = settings.codeOfMissingInbox
    let path = URL(filePath: inbox).resolvingSymlinksInPath().path
    try refuse(settings.reports, inside: path)
    do { return try OpenFolder(inbox, calling: path) } catch {
      guard error.isNotThere else {
        throw ReconciliationError(
          .configuration,
          "The inbox folder \(inbox) cannot be opened: \(error.words). Correct this, or name another folder with --inbox."
        )
      }
      guard error.code == ENOENT else {
        throw ReconciliationError(
          code,
          """
          The inbox \(inbox) is a file or is below one, and must be a folder. Name the folder that contains \
          receipts/ and deliveries/ with --inbox. To look into a file, use: tieout check FILE.
          """)
      }
      throw ReconciliationError(
        code,
        "There is no inbox folder \(inbox). Create it, or name another folder with --inbox.")
    }
  }

  /// Refuses a reports folder inside of the inbox's folders: the next night would read its own
  /// reports.
  private static func refuse(_ reports: String, inside inbox: String) throws {
    let path = URL(filePath: reports).resolvingSymlinksInPath().path + "/"
    let folder = Folder.allCases.first { path.hasPrefix("\(inbox)/\($0.rawValue)/") }
    guard let folder else { return }
    throw ReconciliationError(
      .configuration,
      """
      The reports folder \(reports) is inside the folder \(folder.rawValue) of the inbox, so the next night would \
      read its own reports. Name another one with --reports.
      """)
  }

  /// All files of the inbox's folders, in the order of their paths.
  ///
  /// Hidden files and files that end in `.tmp`, `.part` or `~` are still being written and are
  /// ignored. Links to files of the inbox are followed. Links to folders and links that lead out of
  /// the inbox are not followed. Such a link, a folder that may not be listed, and a folder whose
  /// name is a misspelling are returned as files; their reader reports the problem.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if the inbox cannot be listed.
  package static func files(of root: OpenFolder) throws -> (files: [InboxFile], ignored: [String]) {
    let top: [FolderEntry]
    do { top = try root.entries() } catch {
      throw ReconciliationError(
        .configuration,
        """
        The inbox folder \(root.path) cannot be listed: \(error.words). Correct this, or name another folder with \
        --inbox.
        """)
    }
    var files: [InboxFile] = []
    var ignored: [String] = []
    for entry in top.sorted(by: { $0.name < $1.name }) {
      guard let folder = Folder(rawValue: entry.name) else {
        if isLeftAlone(entry.name) { continue }
        if entry.status.kind == .folder, let meant = likelyFolder(entry.name) {
          files.append(
            InboxFile(
              path: entry.name, place: FilePlace(entry.name, in: root), folder: meant,
              status: entry.status, refusal: .misspelledFolder(meant)))
        } else {
          ignored.append(entry.name)
        }
        continue
      }
      func take(_ path: String, _ status: FileStatus, _ problem: FileSystemError?) {
        files.append(
          InboxFile(
            path: path, place: FilePlace(path, in: root), folder: folder, status: status,
            refusal: problem.map { .error($0) }))
      }
      guard entry.status.kind == .folder else {
        take(entry.name, entry.status, nil)
        continue
      }
      root.walk(below: entry.name, longestPath: longestPath, leavingOut: isLeftAlone) {
        take($0.path, $0.status, $0.problem)
      }
    }
    // In byte order, because the order of the machine's locale must not matter.
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return (files, ignored)
  }

  /// The beginning of a sentence about a name in the inbox that no run reads.
  package static func wordsOfIgnored(_ name: String) -> String {
    let folders = Folder.allCases.map(\.rawValue).joined(separator: ", ")
    return "\(name) is in the inbox but in none of its folders (\(folders))"
  }

  /// The folder of the inbox that a name was most likely meant for.
  ///
  /// The name differs in upper and lower case, or in at most a third of the folder's letters.
  static func likelyFolder(_ name: String) -> Folder? {
    let given = Array(name.lowercased())
    return Folder.allCases.first { folder in
      editDistance(given, Array(folder.rawValue)) <= folder.rawValue.count / 3
    }
  }

  /// Whether a name is ignored: it is hidden, or its ending says that the file is still being
  /// written.
  static func isLeftAlone(_ name: String) -> Bool {
    name.begins(withBytesOf: ".")
      || [".tmp", ".part", "~"].contains { name.ends(withBytesOf: $0) }
  }
}
