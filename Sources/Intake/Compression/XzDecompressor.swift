import CLzma

/// Expands streams of xz with liblzma.
final class XzDecompressor: Decompressor {
  /// The maximum window, and more than the library needs in addition to it.
  private static let memoryLimit = UInt64(Expansion.windowLimit + (1 << 20))

  private let stream: UnsafeMutablePointer<lzma_stream>

  init() {
    stream = .allocate(capacity: 1)
    // All zeros, as LZMA_STREAM_INIT.
    stream.initialize(to: lzma_stream())
  }

  deinit {
    lzma_end(stream)
    stream.deallocate()
  }

  func begin() -> Expansion {
    lzma_stream_decoder(stream, Self.memoryLimit, 0) == LZMA_OK ? .goesOn : .noMemory
  }

  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion {
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = input.count
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = output.count
    let result = lzma_code(stream, LZMA_RUN)
    input.keepLast(stream.pointee.avail_in)
    output.keepLast(stream.pointee.avail_out)
    switch result {
    case LZMA_OK, LZMA_BUF_ERROR: return .goesOn
    case LZMA_STREAM_END: return .ended
    case LZMA_MEM_ERROR: return .noMemory
    case LZMA_MEMLIMIT_ERROR: return .windowTooLarge
    default: return .damaged("error \(result.rawValue) of liblzma")
    }
  }
}
