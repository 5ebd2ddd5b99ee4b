/// The bytes of a file that were read but not yet handed out.
///
/// They lie in one block of memory. What is handed out shares that block; before anything more is read,
/// the rest moves on into another one, so that nobody writes where somebody else reads.
final class UnreadBytes {
  /// Bytes that were handed out.
  struct Taken {
    let buffer: BlockBuffer
    let range: Range<Int>
    /// The line of the file that the first byte stands in.
    let firstLine: Int64
  }

  let source: FileSource
  private let blockBytes: Int
  private let pool: BlockPool
  private var pending: BlockBuffer
  private var position = 0
  /// Whether somebody else reads the block, so that nothing may be written into it any more.
  private var isShared = false
  private var line: Int64 = 1
  /// Whether the source has no more bytes.
  private(set) var isAtEnd = false

  init(_ source: FileSource, blockBytes: Int, pool: BlockPool) {
    self.source = source
    self.blockBytes = blockBytes
    self.pool = pool
    pending = pool.block(holding: 0)
  }

  /// What is at hand.
  var bytes: Bytes { pending.bytes.part(position..<pending.count) }
  /// How many bytes are at hand.
  var count: Int { pending.count - position }
  /// Whether these are all bytes that are left, and none is missing because the file is damaged.
  var isWholeRest: Bool { isAtEnd && source.problem == nil }

  /// Reads on until so many bytes are at hand, or there are no more.
  func fill(_ target: Int) {
    guard count < target, !isAtEnd else { return }
    if isShared || position > 0 || pending.capacity < target {
      let block = pool.block(holding: target)
      block.append(bytes)
      pending = block
      position = 0
      isShared = false
    }
    while !isAtEnd, pending.count < target {
      let room = UnsafeMutableRawBufferPointer(rebasing: pending.free[..<(target - pending.count)])
      let count = source.read(into: room)
      pending.filled(count)
      isAtEnd = count == 0
    }
  }

  /// Reads on until about twice as many bytes are at hand, but at least one more.
  func fillMore(upTo limit: Int) {
    fill(max(min(count + max(count, blockBytes), limit), count + 1))
  }

  /// Hands out the first bytes.
  func take(_ taken: Int) -> Taken {
    let result = Taken(buffer: pending, range: position..<position + taken, firstLine: line)
    line += Int64(bytes.part(0..<taken).occurrences(of: Byte.lineFeed))
    position += taken
    isShared = true
    return result
  }

  /// A copy of the first bytes, at most so many, which stay.
  func start(_ limit: Int) -> Taken {
    let start = bytes.part(0..<min(count, limit))
    let copy = pool.block(holding: start.count)
    copy.append(start)
    return Taken(buffer: copy, range: 0..<start.count, firstLine: line)
  }

  /// Leaves out the first bytes.
  func drop(_ dropped: Int) {
    line += Int64(bytes.part(0..<dropped).occurrences(of: Byte.lineFeed))
    position += dropped
  }

  /// Leaves out one line, however long, and says how long it was.
  func dropLine() -> Int64 {
    var length: Int64 = 0
    while count > 0 {
      if let feed = bytes.position(of: Byte.lineFeed) {
        drop(feed + 1)
        return length + Int64(feed)
      }
      length += Int64(count)
      drop(count)
      fill(blockBytes)
    }
    return length
  }

  /// Leaves out everything, and says how much it was.
  func dropAll() -> Int64 {
    var length: Int64 = 0
    while count > 0 {
      length += Int64(count)
      drop(count)
      fill(blockBytes)
    }
    return length
  }

  /// Goes back to the first byte, as if nothing had been read.
  func rewind() throws(RecordProblem) {
    pending = pool.block(holding: 0)
    position = 0
    isShared = false
    line = 1
    isAtEnd = false
    try source.rewind()
  }

  /// Reads what is left for the hash alone, and closes the file.
  func finish() {
    drop(count)
    isAtEnd = true
    source.finish(with: pool.block(holding: 64 << 10).free)
  }
}
