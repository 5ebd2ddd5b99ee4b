import FileSystem
import Foundation
import Intake

/// The files that the given paths name, with the inbox folders that their paths indicate.
struct CheckedPaths {
  /// A file that is to be checked.
  struct File {
    /// The path as the user gave it.
    let path: String
    /// Where its bytes are.
    let place: FilePlace
    /// The reason not to open the file, if one is already known.
    let refusal: FileRefusal?
    /// The inbox folder that the path indicates; nil if it indicates none.
    let folder: Folder?
  }

  /// The path of the configured inbox.
  private let inbox: String

  init(inbox: String) {
    self.inbox = inbox
  }

  /// The file itself, or all files that a run would read in a folder, in the order of their paths.
  func files(at path: String) -> [File] {
    guard let status = try? FilePlace(anywhere: path).status(), status.kind == .folder,
      let root = try? OpenFolder(path, calling: path)
    else {
      let place = FilePlace(anywhere: path)
      return [File(path: path, place: place, refusal: refusal(of: path), folder: folder(of: path))]
    }
    var files: [File] = []
    root.walk(longestPath: Inbox.longestPath, leavingOut: Inbox.isLeftAlone) { found in
      let whole = path.hasSuffix("/") ? path + found.path : "\(path)/\(found.path)"
      let top = found.path.split(separator: "/").dropLast().first.map(String.init)
      files.append(
        File(
          path: whole, place: FilePlace(found.path, in: root),
          refusal: found.problem.map { .error($0) } ?? refusal(of: whole),
          folder: top.flatMap { Folder(rawValue: $0) } ?? folder(of: whole)))
    }
    // In byte order, as in a run.
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return files
  }

  /// The reason why a run does not read a file of the inbox; nil if it does.
  private func refusal(of path: String) -> FileRefusal? {
    guard let below = Inbox.path(below: inbox, of: path),
      let top = below.split(separator: "/").dropLast().first.map(String.init),
      Folder(rawValue: top) == nil
    else { return nil }
    return Inbox.likelyFolder(top).map { .misspelledFolder($0) }
  }

  /// The folder directly below the inbox, or, outside the inbox, the nearest one with such a name.
  private func folder(of path: String) -> Folder? {
    if let below = Inbox.path(below: inbox, of: path) {
      return below.split(separator: "/").dropLast().first.flatMap { Folder(rawValue: String($0)) }
    }
    return URL(filePath: path).standardized.path.split(separator: "/").dropLast().reversed().lazy
      .compactMap { Folder(rawValue: String($0)) }.first
  }
}
