import Glibc

extension OpenFolder {
  /// Something below a folder that is no folder itself, or a folder that cannot be listed.
  public struct Found: Sendable {
    /// The path below the folder.
    public let path: String
    /// What lies there: of a link that leads to something below the folder that, of every other the link itself.
    public let status: FileStatus
    /// Why it can be neither read nor listed, where that is known already.
    public let problem: FileSystemError?
  }

  /// Goes through all that lies below a path of this folder, without following a link to a folder.
  ///
  /// One folder is open at a time, however deep they lie in each other. A path that is longer than the limit is handed
  /// out with `ENAMETOOLONG`; what lies below it is not looked at.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of a path with that of this folder in front; less than Linux takes in one call.
  ///   - isLeftAlone: Whether a name is passed over.
  public func walk(
    below start: String = "", longestPath limit: Int, leavingOut isLeftAlone: (String) -> Bool,
    each: (Found) -> Void
  ) {
    var waiting = [start]
    while let path = waiting.popLast() {
      let entries: [FolderEntry]
      do throws(FileSystemError) {
        entries = try path.isEmpty ? self.entries() : walked(path).entries()
      } catch {
        // What has just been moved away is nobody's loss.
        if error.code != ENOENT {
          each(Found(path: path, status: FileStatus(), problem: error))
        }
        continue
      }
      for entry in entries where !isLeftAlone(entry.name) {
        let below = path.isEmpty ? entry.name : "\(path)/\(entry.name)"
        if let problem = problem(of: entry, below, limit) {
          each(Found(path: below, status: entry.status, problem: problem))
        } else if entry.status.kind == .folder {
          waiting.append(below)
        } else {
          let target = entry.status.kind == .link ? try? FilePlace(below, in: self).status() : nil
          each(Found(path: below, status: target ?? entry.status, problem: nil))
        }
      }
    }
  }

  private func walked(_ path: String) throws(FileSystemError) -> OpenFolder {
    OpenFolder(
      path: "\(self.path)/\(path)",
      descriptor: try open(beneath: path, O_RDONLY | O_DIRECTORY))
  }

  private func problem(
    of entry: FolderEntry, _ below: String, _ limit: Int
  ) -> FileSystemError? {
    guard entry.isText else {
      return FileSystemError(
        below, "opened", code: EILSEQ, words: "its name is not UTF-8")
    }
    let bytes = path.utf8.count + 1 + below.utf8.count
    guard bytes <= limit else {
      return FileSystemError(
        below, "opened", code: ENAMETOOLONG,
        words: "its path has \(bytes) bytes, the limit is \(limit)")
    }
    return nil
  }
}
