import ExactText
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
    /// Why no run reads the file, if it is in the inbox; otherwise nil.
    let note: String?
    /// Whether the note is enough, because the user named a folder above the file.
    let isOnlyNoted: Bool
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
      let below = pathInInbox(path)
      return [
        File(
          path: path, place: FilePlace(anywhere: path), refusal: refusal(of: below),
          folder: folder(of: path, below), note: note(of: below), isOnlyNoted: false)
      ]
    }
    var files: [File] = []
    root.walk(longestPath: Inbox.longestPath, leavingOut: Inbox.isLeftAlone) { found in
      let whole = path.ends(withBytesOf: "/") ? path + found.path : "\(path)/\(found.path)"
      let below = pathInInbox(whole)
      let top = Self.top(of: below ?? found.path)
      let note = note(of: below)
      files.append(
        File(
          path: whole, place: FilePlace(found.path, in: root),
          refusal: found.problem.map { .error($0) } ?? refusal(of: below),
          folder: top.flatMap { Folder(rawValue: $0) } ?? folder(of: whole, below), note: note,
          isOnlyNoted: note != nil))
    }
    // In byte order, as in a run.
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return files
  }

  /// The path below the inbox; nil for a file elsewhere.
  private func pathInInbox(_ path: String) -> String? {
    Inbox.writtenPath(below: inbox, of: path) ?? Inbox.path(below: inbox, of: path)
  }

  /// The first folder of a path; nil if the path has none.
  private static func top(of path: String) -> String? {
    path.parts(between: "/").dropLast().first
  }

  /// The reason why a run rejects a file of the inbox without opening it; nil if it does not.
  private func refusal(of below: String?) -> FileRefusal? {
    guard let top = below.flatMap(Self.top(of:)), Folder(rawValue: top) == nil,
      !Inbox.isLeftAlone(top)
    else { return nil }
    return Inbox.likelyFolder(top).map { .misspelledFolder($0) }
  }

  /// Why a run passes over a file of the inbox; nil if it does not.
  private func note(of below: String?) -> String? {
    let names = below?.parts(between: "/") ?? []
    guard let first = names.first, refusal(of: below) == nil else { return nil }
    if let name = names.first(where: Inbox.isLeftAlone) {
      return """
        A run does not read it: \(name) is hidden, or ends in .tmp, .part or ~, and is left alone until it is renamed.
        """
    }
    guard Folder(rawValue: first) == nil else { return nil }
    return "\(Inbox.wordsOfIgnored(first)), so a run does not read it. Move it into one of them."
  }

  /// The folder directly below the inbox, or, outside the inbox, the nearest one with such a name.
  private func folder(of path: String, _ below: String?) -> Folder? {
    if let below { return Self.top(of: below).flatMap { Folder(rawValue: $0) } }
    return URL(filePath: path).standardized.path.parts(between: "/").dropLast().reversed().lazy
      .compactMap { Folder(rawValue: $0) }.first
  }
}
