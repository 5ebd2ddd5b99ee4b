import Foundation
import Intake

/// One file of the inbox, as the directory walk found it.
struct InboxFile: Sendable {
  /// The path below the inbox, as reports name it.
  let path: String
  /// The inbox, links resolved; or the file's own location, where it lies elsewhere.
  private let root: String
  private let liesElsewhere: Bool
  let folder: Folder
  let bytes: Int64
  let modifiedNanoseconds: Int64
  let inode: UInt64
  /// Of a file that has grown since, the bytes that it had when it was loaded; nil: all of it.
  var byteLimit: Int64?

  /// A file of an inbox, or one that is taken for such and lies elsewhere.
  init(path: String, root: String, location: String? = nil, folder: Folder, status: FileStatus) {
    self.path = path
    self.root = location ?? root
    liesElsewhere = location != nil
    self.folder = folder
    bytes = status.bytes
    modifiedNanoseconds = status.modifiedNanoseconds
    inode = status.inode
  }

  /// The whole path, links resolved as far as the inbox itself; put together when it is needed, as an
  /// inbox can hold a hundred thousand.
  var location: String { liesElsewhere ? root : "\(root)/\(path)" }
}

/// The folder that the night's files arrive in.
enum Inbox {
  /// All files of the inbox's folders, in the order of their paths.
  ///
  /// Hidden files and those that end in `.tmp`, `.part` or `~` are still being written and left alone.
  /// Links to files are followed, links to folders are not (they could lead in circles): such a link,
  /// and a folder that may not be listed, is handed on as a file, whose reader says what is wrong.
  ///
  /// - Throws: ``ReconciliationError`` with `configuration` if there is no such folder.
  static func files(of inbox: String) throws -> (files: [InboxFile], ignored: [String]) {
    let root = URL(filePath: inbox).resolvingSymlinksInPath().path
    guard FileStatus(of: root, followingLinks: true)?.kind == .folder else {
      throw ReconciliationError(
        .configuration,
        "There is no inbox folder \(inbox). Create it, or name another one with --inbox.")
    }
    var files: [InboxFile] = []
    var ignored: [String] = []
    let top: [String]
    do { top = try FileManager.default.contentsOfDirectory(atPath: root) } catch {
      throw ReconciliationError(
        .configuration, "The inbox folder \(inbox) cannot be listed: \(error.localizedDescription)")
    }
    for name in top.sorted() {
      if let folder = Folder(rawValue: name) {
        walk(folder, root: root, below: name, into: &files)
      } else if !isLeftAlone(name) {
        ignored.append(name)
      }
    }
    // Byte by byte: the order of the machine's locale must not matter.
    files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return (files, ignored)
  }

  private static func isLeftAlone(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasSuffix(".tmp") || name.hasSuffix(".part") || name.hasSuffix("~")
  }

  private static func walk(
    _ folder: Folder, root: String, below: String, into files: inout [InboxFile]
  ) {
    // A folder that cannot be listed is handed on as a file, which then is a rejection: what lies in it
    // must not be missed in silence.
    let place = "\(root)/\(below)"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
      if let status = FileStatus(of: place, followingLinks: true) {
        files.append(InboxFile(path: below, root: root, folder: folder, status: status))
      }
      return
    }
    for name in names where !isLeftAlone(name) {
      let path = "\(below)/\(name)"
      let location = "\(root)/\(path)"
      guard let status = FileStatus(of: location, followingLinks: false) else {
        // What has just been moved away is nobody's loss; a name that is no UTF-8 cannot be opened.
        if name.unicodeScalars.contains("\u{fffd}") {
          files.append(InboxFile(path: path, root: root, folder: folder, status: FileStatus()))
        }
        continue
      }
      switch status.kind {
      case .folder:
        walk(folder, root: root, below: path, into: &files)
      case .link:
        // A link to a folder, to nothing or to itself is no file, and is rejected as one.
        let target = FileStatus(of: location, followingLinks: true)
        files.append(InboxFile(path: path, root: root, folder: folder, status: target ?? status))
      case .other:
        files.append(InboxFile(path: path, root: root, folder: folder, status: status))
      }
    }
  }
}
