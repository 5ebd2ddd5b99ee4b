import FileSystem

/// The content of a file: expanded if it is compressed, in UTF-8 if it is UTF-16.
final class FileSource {
  private let place: FilePlace
  private let file: RawFile
  private var compressed: CompressedStream?
  private var start: ArraySlice<UInt8> = []
  private var utf16: UTF16Text?
  /// Bytes that were read or decoded, and not yet returned.
  private var pending: [UInt8] = []
  private var isAtEnd = false

  init(_ place: FilePlace, byteLimit: Int64? = nil, startBytes: [Int64] = []) {
    self.place = place
    file = RawFile(place, byteLimit: byteLimit, startBytes: startBytes)
  }

  /// The SHA-256 of the file's bytes on disk that were read so far.
  var sha256: [UInt8] { file.sha256 }
  /// The SHA-256 of the first bytes on disk, by their number, for each of `startBytes`.
  ///
  /// A number is missing if the file has fewer bytes.
  var startSHA256: [Int64: [UInt8]] { file.startSHA256 }
  /// How many bytes of the file were read.
  var byteCount: Int64 { file.byteCount }
  /// The compression of the file, if it is compressed; known after `open`.
  var compression: Compression? { compressed?.compression }
  /// The reason why the bytes ended before the end of the file.
  var problem: RecordProblem? { compressed?.problem ?? file.problem }

  /// Opens the file and finds out from its first bytes whether it is compressed.
  func open() throws(RecordProblem) {
    try file.open()
    try begin()
  }

  /// Goes back to the first byte, as if nothing had been read.
  func rewind() throws(RecordProblem) {
    file.rewind()
    compressed = nil
    utf16 = nil
    isAtEnd = false
    try begin()
  }

  private func begin() throws(RecordProblem) {
    // The first bytes of the file show its compression.
    let bytes = Self.fill(Compression.signatureBytes) { file.read(into: $0) }
    if let problem = file.problem { throw problem }
    start = []
    if let compression = Compression(startingWith: bytes) {
      compressed = CompressedStream(file, compression, alreadyRead: bytes)
    } else if let named = Compression(namedIn: place.path) {
      throw Self.problem(of: bytes, named: named)
    } else {
      start = bytes[...]
    }
    readMark()
  }

  /// A number of bytes, or fewer if a reader has no more.
  private static func fill(
    _ count: Int, with read: (UnsafeMutableRawBufferPointer) -> Int
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  private static func problem(of start: [UInt8], named: Compression) -> RecordProblem {
    guard !start.isEmpty else {
      return RecordProblem(
        .truncatedCompression,
        "The \(named) file is empty, as a full disk leaves it; send it again in full, or remove it."
      )
    }
    if start.withUnsafeBufferPointer({ named.begins($0) }) == nil {
      return RecordProblem(
        .truncatedCompression,
        "The \(named) file ends within its first bytes. Send it again in full.")
    }
    return RecordProblem(
      .notCompressed,
      "The name ends in \(named.ending) but the bytes are not \(named) or another known "
        + "compression; compress the file or rename it.")
  }

  /// Finds out from the first four bytes whether the text is UTF-16.
  private func readMark() {
    pending = Self.fill(4) { readBytes(into: $0) }
    utf16 = pending.withUnsafeBufferPointer { UTF16Text($0) }
    if let decoded = pending.withUnsafeBytes({ utf16?.decode($0) }) { pending = decoded }
  }

  /// Reads more bytes; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    guard !target.isEmpty else { return 0 }
    while pending.isEmpty, utf16 != nil, !isAtEnd { decodeMore(target) }
    guard pending.isEmpty else {
      let count = min(pending.count, target.count)
      target.copyBytes(from: pending[..<count])
      pending.removeFirst(count)
      return count
    }
    return utf16 == nil ? readBytes(into: target) : 0
  }

  /// Reads and decodes bytes that become no more than about one block.
  private func decodeMore(_ target: UnsafeMutableRawBufferPointer) {
    let room = UnsafeMutableRawBufferPointer(rebasing: target[..<max(1, target.count / 2)])
    let count = readBytes(into: room)
    isAtEnd = count == 0
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
    pending = (isAtEnd ? utf16?.end() : utf16?.decode(bytes)) ?? []
  }

  private func readBytes(into target: UnsafeMutableRawBufferPointer) -> Int {
    if let compressed { return compressed.read(into: target) }
    guard !start.isEmpty else { return file.read(into: target) }
    let first = start.prefix(target.count)
    target.copyBytes(from: first)
    start = start.dropFirst(first.count)
    return first.count
  }

  /// Reads a piece of the rest of the file for the hash only.
  ///
  /// - Returns: Whether the file has ended and is closed.
  func finish(with scratch: UnsafeMutableRawBufferPointer) -> Bool {
    file.finish(with: scratch)
  }
}
