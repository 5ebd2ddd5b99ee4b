import CBzip2

/// Expands streams of bzip2.
final class Bzip2Decompressor: Decompressor {
  private let stream: UnsafeMutablePointer<bz_stream>

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: bz_stream())
  }

  deinit {
    // The library refuses a stream that was never begun and does not change it.
    BZ2_bzDecompressEnd(stream)
    stream.deallocate()
  }

  func begin() -> Expansion {
    BZ2_bzDecompressEnd(stream)
    stream.pointee = bz_stream()
    return BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK ? .goesOn : .noMemory
  }

  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: CChar.self))
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: CChar.self)
    stream.pointee.avail_out = UInt32(clamping: output.count)
    let given = (input: Int(stream.pointee.avail_in), output: Int(stream.pointee.avail_out))
    let result = BZ2_bzDecompress(stream)
    input.keepLast(input.count - given.input + Int(stream.pointee.avail_in))
    output.keepLast(output.count - given.output + Int(stream.pointee.avail_out))
    switch result {
    case BZ_OK: return .goesOn
    case BZ_STREAM_END: return .ended
    case BZ_MEM_ERROR: return .noMemory
    default: return .damaged("error \(result) of libbz2")
    }
  }
}
