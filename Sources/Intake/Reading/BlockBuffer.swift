import CSimdJSON
import Synchronization

/// Memory for a block of records; it returns to its pool when the block is no longer used.
///
/// The reader fills it before other code can see it; after that it does not change.
final class BlockBuffer: @unchecked Sendable {
  /// The number of readable bytes after the last one, for the JSON parser.
  static let padding = TieoutJSONPadding

  private let base: UnsafeMutablePointer<UInt8>
  /// The number of bytes that fit.
  let capacity: Int
  /// The number of bytes that are filled.
  private(set) var count = 0
  private let pool: BlockPool?

  fileprivate init(base: UnsafeMutablePointer<UInt8>, capacity: Int, pool: BlockPool?) {
    self.base = base
    self.capacity = capacity
    self.pool = pool
  }

  deinit {
    if let pool { pool.takeBack(base) } else { base.deallocate() }
  }

  /// The filled bytes.
  var bytes: Bytes { Bytes(start: base, count: count) }

  /// The memory that is not filled yet.
  var free: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
  }

  /// Counts the bytes that were put into `free`.
  func filled(_ bytes: Int) {
    count += bytes
  }

  /// Appends bytes; they must fit.
  func append(_ more: Bytes) {
    precondition(more.count <= capacity - count, "more bytes than the block has room for")
    guard let address = more.baseAddress else { return }
    (base + count).update(from: address, count: more.count)
    count += more.count
  }
}

/// The blocks that were used and can be used again, so that the use of memory stays constant.
final class BlockPool: Sendable {
  // A block is either in the pool or used by one buffer, so two threads never share its memory.
  private struct Address: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
  }

  private static let keptBlocks = 8
  private let capacity: Int
  private let unused = Mutex<[Address]>([])

  /// Makes a pool of blocks of `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
  }

  deinit {
    unused.withLock { for address in $0 { address.base.deallocate() } }
  }

  /// A block for at least `bytes` bytes; a block that is larger than usual is not kept.
  func block(holding bytes: Int) -> BlockBuffer {
    if bytes > capacity {
      return BlockBuffer(base: Self.allocate(bytes), capacity: bytes, pool: nil)
    }
    let address = unused.withLock { $0.popLast() }
    return BlockBuffer(
      base: address?.base ?? Self.allocate(capacity), capacity: capacity, pool: self)
  }

  fileprivate func takeBack(_ base: UnsafeMutablePointer<UInt8>) {
    let address = Address(base: base)
    let isKept = unused.withLock { unused in
      guard unused.count < Self.keptBlocks else { return false }
      unused.append(address)
      return true
    }
    if !isKept { base.deallocate() }
  }

  private static func allocate(_ bytes: Int) -> UnsafeMutablePointer<UInt8> {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes + BlockBuffer.padding)
    (base + bytes).initialize(repeating: 0, count: BlockBuffer.padding)
    return base
  }
}
