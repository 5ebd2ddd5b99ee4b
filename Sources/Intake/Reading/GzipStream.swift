import CZlib

/// Expands gzip, member after member.
final class GzipStream {
  /// What is never taken for a bomb.
  static let harmlessBytes: Int64 = 64 << 20
  /// How many times larger than its compressed bytes a file may be beyond that.
  static let ratioLimit: Int64 = 200

  private static let inputBytes = 256 << 10

  private let file: RawFile
  private let input: UnsafeMutableRawBufferPointer
  private let stream: UnsafeMutablePointer<z_stream>
  private var isInMember = false
  private var produced: Int64 = 0
  /// Why expanding stopped before the end.
  private(set) var problem: RecordProblem?

  /// Continues a file of which some bytes were already read.
  init(_ file: RawFile, alreadyRead: Bytes) {
    self.file = file
    input = .allocate(byteCount: Self.inputBytes, alignment: 16)
    input.copyBytes(from: alreadyRead)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    if tieoutInflateInitGzip(stream) != Z_OK {
      problem = RecordProblem(
        .unreadable, "There is no memory left to expand the file; free some and run again.")
    }
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(alreadyRead.count)
    isInMember = true
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Expands on; 0 at the end, or after a problem.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: target.count)
    let wanted = Int(stream.pointee.avail_out)
    while problem == nil, stream.pointee.avail_out > 0 {
      if stream.pointee.avail_in == 0, !refill() { break }
      if !isInMember, !beginMember() { break }
      expand()
    }
    let count = wanted - Int(stream.pointee.avail_out)
    produced += Int64(count)
    if produced > Self.harmlessBytes, produced / Self.ratioLimit > consumed {
      problem = RecordProblem(
        .gzipBomb,
        "The file expands to more than \(Self.ratioLimit) times its size; reading stopped after "
          + "\(produced) bytes. Look at who made it; if it is genuine, expand it beforehand.")
    }
    return count
  }

  private var consumed: Int64 { file.byteCount - Int64(stream.pointee.avail_in) }

  private func refill() -> Bool {
    let count = file.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    if count == 0, let unread = file.problem {
      problem = unread
    } else if count == 0, isInMember {
      problem = RecordProblem(
        .truncatedGzip,
        "The compressed file ends too early; what came before was used. Send it again in full.")
    }
    return count > 0
  }

  // Zeros behind a member are padding, as tapes have it; anything else begins another member.
  private func beginMember() -> Bool {
    while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
      stream.pointee.next_in += 1
      stream.pointee.avail_in -= 1
    }
    guard stream.pointee.avail_in > 0 else { return true }
    guard inflateReset(stream) == Z_OK else {
      problem = corrupt("it could not be begun anew")
      return false
    }
    isInMember = true
    return true
  }

  private func expand() {
    guard stream.pointee.avail_in > 0 else { return }
    switch inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: return
    case Z_STREAM_END: isInMember = false
    default: problem = corrupt(stream.pointee.msg.map { String(cString: $0) } ?? "no reason given")
    }
  }

  private func corrupt(_ words: String) -> RecordProblem {
    RecordProblem(
      .corruptGzip,
      "The compressed file is damaged (\(words)); what came before was used. Send it again.")
  }
}
