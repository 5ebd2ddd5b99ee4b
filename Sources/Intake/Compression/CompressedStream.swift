/// Expands a compressed file, one part after another.
///
/// The limits, the padding between parts and the reasons are the same for every compression.
final class CompressedStream {
  /// The number of bytes that every file may expand to.
  static let harmlessBytes: Int64 = 64 << 20
  /// How many times larger than its compressed bytes a file may be if it expands to more.
  static let ratioLimit: Int64 = 200

  private static let inputBytes = 256 << 10

  private let file: RawFile
  /// How the file is compressed.
  let compression: Compression
  private let decompressor: any Decompressor
  private let buffer: UnsafeMutableRawBufferPointer
  /// The range of the buffer with the bytes that were read and not yet expanded.
  private var unread: Range<Int>
  private var isInPart = false
  private var produced: Int64 = 0
  /// The reason why the expansion stopped before the end.
  private(set) var problem: RecordProblem?

  /// Continues a file of which some bytes were already read.
  init(_ file: RawFile, _ compression: Compression, alreadyRead: [UInt8]) {
    self.file = file
    self.compression = compression
    decompressor = compression.makeDecompressor()
    buffer = .allocate(byteCount: Self.inputBytes, alignment: 16)
    buffer.copyBytes(from: alreadyRead)
    unread = 0..<alreadyRead.count
  }

  deinit {
    buffer.deallocate()
  }

  /// Expands more of the file; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    var rest = target
    while problem == nil, !rest.isEmpty {
      guard isInPart || beginPart() else { break }
      expand(into: &rest)
    }
    let count = target.count - rest.count
    produced += Int64(count)
    if produced > Self.harmlessBytes, produced / Self.ratioLimit > consumed {
      problem = RecordProblem(
        .compressionBomb,
        "The file expands to more than \(Self.ratioLimit) times its size; reading stopped after "
          + "\(produced) bytes. Check its source; if it is genuine, expand it beforehand.")
    }
    return count
  }

  private var consumed: Int64 { file.byteCount - Int64(unread.count) }

  private var unreadBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[unread])
  }

  /// Reads more of the file after the bytes that are left; false at its end.
  private func refill() -> Bool {
    let left = unread.count
    buffer.copyMemory(from: unreadBytes)
    let count = file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[left...]))
    unread = 0..<left + count
    if count == 0 { problem = file.problem }
    return count > 0
  }

  /// Begins the next part; false at the end of the file, or after a problem.
  ///
  /// Zeros after a part are padding, as on tapes; anything else must begin another part.
  private func beginPart() -> Bool {
    repeat {
      unread = (unread.lowerBound + unreadBytes.prefix { $0 == 0 }.count)..<unread.upperBound
    } while unread.isEmpty && refill()
    guard !unread.isEmpty else { return false }
    var begins = compression.begins(unreadBytes.assumingMemoryBound(to: UInt8.self))
    while begins == nil, refill() {
      begins = compression.begins(unreadBytes.assumingMemoryBound(to: UInt8.self))
    }
    guard begins != false else {
      problem = RecordProblem(
        .corruptCompression,
        "Other data follows the end of the \(compression) file; the records before that were used. Send "
          + "it again.")
      return false
    }
    problem = problem ?? problem(of: decompressor.begin())
    isInPart = problem == nil
    return isInPart
  }

  private func expand(into rest: inout UnsafeMutableRawBufferPointer) {
    var input = unreadBytes
    let room = rest.count
    let step = decompressor.expand(&input, into: &rest)
    let isStuck = input.count == unread.count && rest.count == room
    unread = (unread.upperBound - input.count)..<unread.upperBound
    switch step {
    case .ended: isInPart = false
    case .goesOn where isStuck:
      guard !refill(), problem == nil else { return }
      problem = RecordProblem(
        .truncatedCompression,
        "The \(compression) file ends too early; the records before that were used. Send it again "
          + "in full, and withdraw this one by its SHA-256 (tieout withdraw).")
    default: problem = problem(of: step)
    }
  }

  private func problem(of step: Expansion) -> RecordProblem? {
    switch step {
    case .goesOn, .ended: nil
    case .damaged(let words):
      RecordProblem(
        .corruptCompression,
        "The \(compression) file is damaged (\(words)); the records before that were used, and some of "
          + "them can be wrong. Send the file again, and withdraw this one by its SHA-256 (tieout "
          + "withdraw).")
    case .windowTooLarge:
      RecordProblem(
        .tooLarge,
        "Expanding the \(compression) file needs a window of more than "
          + "\(Expansion.windowLimit >> 20) MiB; compress it with a smaller one, such as that of "
          + "zstd -19 or xz -9.")
    case .noMemory:
      RecordProblem(
        .unreadable, "Too little memory to expand the file; free some and run again.")
    }
  }
}
