import CZstd

/// Expands frames of zstd, and leaves out skippable ones.
final class ZstdDecompressor: Decompressor {
  private let context: OpaquePointer?
  /// The number of bytes that the library asks for next: the next block.
  private var wanted = 0

  init() {
    context = ZSTD_createDCtx()
    // The base-2 logarithm of the limit.
    let window = Int32(Expansion.windowLimit.trailingZeroBitCount)
    if let context { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, window) }
  }

  deinit {
    ZSTD_freeDCtx(context)
  }

  func begin() -> Expansion {
    guard let context else { return .noMemory }
    wanted = ZSTD_initDStream(context)
    return ZSTD_isError(wanted) == 0 ? .goesOn : failure(wanted)
  }

  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion {
    // A call that fails does not report what it wrote before, so each call gets one block at most.
    let size = min(input.count, wanted)
    var source = ZSTD_inBuffer(src: input.baseAddress, size: size, pos: 0)
    var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let result = ZSTD_decompressStream(context, &target, &source)
    input.keepLast(input.count - source.pos)
    output.keepLast(output.count - target.pos)
    if ZSTD_isError(result) != 0 { return failure(result) }
    wanted = result
    return result == 0 ? .ended : .goesOn
  }

  private func failure(_ result: Int) -> Expansion {
    switch ZSTD_getErrorCode(result) {
    case ZSTD_error_memory_allocation: .noMemory
    case ZSTD_error_frameParameter_windowTooLarge: .windowTooLarge
    default: .damaged(String(cString: ZSTD_getErrorName(result)))
    }
  }
}
