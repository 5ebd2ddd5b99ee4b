/// The bytes of a file that were read but not yet taken.
///
/// They are in one block of memory. The bytes that are taken share that block. Before more bytes
/// are read, the rest is copied into another block, so that no thread writes where another thread
/// reads.
final class UnreadBytes {
  /// Bytes that were taken.
  struct Taken {
    let buffer: BlockBuffer
    let range: Range<Int>
    /// The line of the file that contains the first byte.
    let firstLine: Int64
  }

  let source: FileSource
  /// The number of bytes of a block.
  let blockBytes: Int
  private let pool: BlockPool
  private var pending: BlockBuffer
  private var position = 0
  /// Whether other code reads the block, so that the block must not change any more.
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

  /// The available bytes.
  var bytes: Bytes { pending.bytes.part(position..<pending.count) }
  /// The number of available bytes.
  var count: Int { pending.count - position }
  /// Whether these are all bytes that are left, and the file is not damaged.
  var isWholeRest: Bool { isAtEnd && source.problem == nil }

  /// Reads until `target` bytes are available, or there are no more.
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

  /// Reads until about twice as many bytes are available, up to `limit`, but at least one more.
  func fillMore(upTo limit: Int) {
    fill(max(min(count + max(count, blockBytes), limit), count + 1))
  }

  /// Takes the first bytes.
  func take(_ taken: Int) -> Taken {
    let result = Taken(buffer: pending, range: position..<position + taken, firstLine: line)
    line += Int64(bytes.part(0..<taken).lineFeeds)
    position += taken
    isShared = true
    return result
  }

  /// A copy of at most `limit` first bytes, which stay available.
  func start(_ limit: Int) -> Taken {
    let start = bytes.part(0..<min(count, limit))
    let copy = pool.block(holding: start.count)
    copy.append(start)
    return Taken(buffer: copy, range: 0..<start.count, firstLine: line)
  }

  /// Drops the first bytes.
  func drop(_ dropped: Int) {
    line += Int64(bytes.part(0..<dropped).lineFeeds)
    position += dropped
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

  /// Reads a piece of the rest of the file for the hash only.
  ///
  /// - Returns: Whether the file has ended and is closed.
  func finish() -> Bool {
    drop(count)
    isAtEnd = true
    let scratch = pool.block(holding: 64 << 10)
    return withExtendedLifetime(scratch) { source.finish(with: scratch.free) }
  }
}
