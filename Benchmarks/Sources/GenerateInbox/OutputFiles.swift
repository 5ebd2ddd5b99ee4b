import Foundation

/// Splits one text into several files of about equal size, written one after the other.
final class OutputFiles {
  var text = TextBuffer(capacity: 1 << 20)
  private(set) var byteCount = 0
  private let folder: String
  private let suffix: String
  private let header: String
  private let files: Int
  private let total: Int
  private var current = -1
  private var handle: FileHandle?

  /// Prepares `files` files with the names `part-00001` and so on, for `total` units of text.
  init(folder: String, suffix: String, header: String = "", files: Int, total: Int) throws {
    self.folder = folder
    self.suffix = suffix
    self.header = header
    self.files = files
    self.total = max(1, total)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  /// Opens the next file if `done` units are enough for the current one.
  func advance(done: Int) throws {
    let wanted = min(files - 1, done * files / total)
    while current < wanted {
      try close()
      current += 1
      let place = String(current + 1)
      let padded = String(repeating: "0", count: max(0, 5 - place.count)) + place
      let path = "\(folder)/part-\(padded)\(suffix)"
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
      }
      handle = FileHandle(forWritingAtPath: path)
      text.text(header)
    }
    if text.bytes.count > 900_000 { try flush() }
  }

  /// Writes the rest and closes the last file.
  func close() throws {
    try flush()
    try handle?.close()
    handle = nil
  }

  private func flush() throws {
    byteCount += text.bytes.count
    try handle?.write(contentsOf: Data(text.bytes))
    text.removeAll()
  }
}
