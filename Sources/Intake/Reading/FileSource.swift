/// A file's bytes as its records see them: expanded, if it is compressed.
final class FileSource {
  private let path: String
  private let file: RawFile
  private var gzip: GzipStream?
  private var start: [UInt8] = []

  init(path: String, byteLimit: Int64? = nil) {
    self.path = path
    file = RawFile(path: path, byteLimit: byteLimit)
  }

  /// The SHA-256 of the file as it lies on disk, as far as it was read.
  var sha256: [UInt8] { file.sha256 }
  /// How many bytes of the file were read.
  var byteCount: Int64 { file.byteCount }
  /// Why the bytes ended before the end of the file.
  var problem: RecordProblem? { gzip?.problem ?? file.problem }

  /// Opens the file and finds out from its first bytes whether it is compressed.
  func open() throws(RecordProblem) {
    try file.open()
    start = [UInt8](repeating: 0, count: 2)
    var filled = 0
    while filled < start.count {
      let count = start.withUnsafeMutableBytes {
        file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      if count == 0 { break }
      filled += count
    }
    start.removeLast(start.count - filled)
    if let problem = file.problem { throw problem }
    if start == [0x1f, 0x8b] {
      gzip = start.withUnsafeBufferPointer { GzipStream(file, alreadyRead: $0) }
      start = []
    } else if path.hasSuffix(".gz"), !start.isEmpty {
      if start == [0x1f] {
        throw RecordProblem(
          .truncatedGzip, "The compressed file ends after its first byte. Send it again in full.")
      }
      throw RecordProblem(
        .notGzip, "The name ends in .gz but the bytes are not gzip; compress the file or rename it."
      )
    }
  }

  /// Reads on; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    if let gzip { return gzip.read(into: target) }
    if !start.isEmpty, target.count >= start.count {
      target.copyBytes(from: start)
      let count = start.count
      start = []
      return count
    }
    return file.read(into: target)
  }

  /// Reads what is left for the hash alone, and closes the file.
  func finish(with scratch: UnsafeMutableRawBufferPointer) {
    file.finish(with: scratch)
  }
}
