import CZlib

/// Expands members of gzip with zlib.
final class GzipDecompressor: Decompressor {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady = tieoutInflateInitGzip(stream) == Z_OK
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func begin() -> Expansion {
    isReady && inflateReset(stream) == Z_OK ? .goesOn : .noMemory
  }

  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: output.count)
    let given = (input: Int(stream.pointee.avail_in), output: Int(stream.pointee.avail_out))
    let result = inflate(stream, Z_NO_FLUSH)
    input.keepLast(input.count - given.input + Int(stream.pointee.avail_in))
    output.keepLast(output.count - given.output + Int(stream.pointee.avail_out))
    switch result {
    case Z_OK, Z_BUF_ERROR: return .goesOn
    case Z_STREAM_END: return .ended
    case Z_MEM_ERROR: return .noMemory
    default: return .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "no reason given")
    }
  }
}
