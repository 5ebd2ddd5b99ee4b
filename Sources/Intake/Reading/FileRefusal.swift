package import FileSystem

/// The reason not to open a file of the inbox, if it is known before.
package enum FileRefusal: Sendable {
  /// The path cannot be opened, or leads out of the inbox.
  case error(FileSystemError)
  /// This is no file but a folder, and its name was most likely meant to be that of this folder.
  case misspelledFolder(Folder)
}

extension RecordProblem {
  /// The problem of a file that must not be opened.
  init(_ refusal: FileRefusal) {
    switch refusal {
    case .error(let error): self.init(error)
    case .misspelledFolder(let meant):
      self.init(
        .misspelledFolder,
        "The inbox has no folder of this name, and no file in it was read. If you meant \(meant.rawValue)/, rename "
          + "it or move its files there; if not, move it out of the inbox.")
    }
  }
}
