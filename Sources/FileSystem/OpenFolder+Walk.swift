import Glibc

extension OpenFolder {
  /// Something below a folder that is not a folder, or a folder that cannot be listed.
  package struct Found: Sendable {
    /// The path below the folder.
    package let path: String
    /// The status of a link's target if it is below the folder; otherwise of the entry itself.
    package let status: FileStatus
    /// The reason why it can be neither read nor listed, if one is already known.
    package let problem: FileSystemError?
  }

  /// Visits everything below a path of this folder, without following links to folders.
  ///
  /// One folder is open at a time, at any depth. A path that is longer than the limit is passed to
  /// `each` with `ENAMETOOLONG`; nothing below it is visited.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes of a path that begins with the path of this folder;
  ///     less than Linux takes in one call.
  ///   - isLeftAlone: Whether a name is skipped.
  package func walk(
    below start: String = "", longestPath limit: Int, leavingOut isLeftAlone: (String) -> Bool,
    each: (Found) -> Void
  ) {
    var waiting = [start]
    while let path = waiting.popLast() {
      let entries: [FolderEntry]
      do throws(FileSystemError) {
        entries = try path.isEmpty ? self.entries() : walked(path).entries()
      } catch {
        // A folder that has just been moved away does not have to be reported.
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
