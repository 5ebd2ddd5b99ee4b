import FileSystem
import Foundation
import Intake

/// The files that paths name, and the folders of the inbox that their paths say they are meant for.
struct CheckedPaths {
  /// A file that is to be checked.
  struct File {
    /// The path as it was named.
    let path: String
    /// Where its bytes are.
    let place: FilePlace
    /// Why it is not to be opened, where that is known already.
    let refusal: FileSystemError?
    /// The folder of the inbox that the path tells; nil: it tells none.
    let folder: Folder?
  }

  /// The configured inbox, with the sign that ends a folder.
  private let inbox: String

  init(inbox: String) {
    self.inbox = URL(filePath: inbox).standardized.path + "/"
  }

  /// The file itself, or, of a folder, the files that a run would read there, in the order of their paths.
  func files(at path: String) -> [File] {
    guard let status = try? FilePlace(anywhere: path).status(), status.kind == .folder,
      let root = try? OpenFolder(path, calling: path)
    else {
      let place = FilePlace(anywhere: path)
      return [File(path: path, place: place, refusal: nil, folder: folder(of: path))]
    }
    var files: [File] = []
    root.walk(longestPath: Inbox.longestPath, leavingOut: Inbox.isLeftAlone) { found in
      let whole = path.hasSuffix("/") ? path + found.path : "\(path)/\(found.path)"
      let top = found.path.split(separator: "/").dropLast().first.map(String.init)
      files.append(
        File(
          path: whole, place: FilePlace(found.path, in: root), refusal: found.problem,
          folder: top.flatMap { Folder(rawValue: $0) } ?? folder(of: whole)))
    }
    // Byte by byte, as a run does.
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return files
  }

  /// The folder right below the inbox, or, outside of it, the nearest one with the name of such a folder.
  private func folder(of path: String) -> Folder? {
    let absolute = URL(filePath: path).standardized.path
    if absolute.hasPrefix(inbox) {
      let below = absolute.dropFirst(inbox.count).split(separator: "/").dropLast()
      return below.first.flatMap { Folder(rawValue: String($0)) }
    }
    return absolute.split(separator: "/").dropLast().reversed().lazy
      .compactMap { Folder(rawValue: String($0)) }.first
  }
}
