import Foundation
import Intake

/// A file of an inbox, in a folder that is removed at the end of the benchmarks.
struct SampleFile: Sendable {
  static let parent = FileManager.default.temporaryDirectory
    .appending(path: "tieout-micro-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")

  let folder: Folder
  let path: String

  /// Writes a text to the file.
  init(_ name: String, in folder: Folder, text: String) throws {
    self.folder = folder
    let file = Self.parent.appending(path: name)
    path = file.path
    try FileManager.default.createDirectory(at: Self.parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Compresses another file with gzip.
  init(packing file: SampleFile) throws {
    folder = file.folder
    path = file.path + ".gz"
    let gzip = Process()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", "--keep", "--force", file.path]
    try gzip.run()
    gzip.waitUntilExit()
  }

  /// Reads the whole file.
  func blocks() -> [Block] {
    var blocks: [Block] = []
    read { blocks.append($0) }
    return blocks
  }

  /// Reads the file block by block.
  func read(_ body: (Block) -> Void) {
    let reader = FileReader(path: path, folder: folder, fileID: 1, settings: IntakeSettings())
    while let block = reader.next() { body(block) }
    precondition(reader.fileRejection == nil, "\(path) is rejected")
  }
}
