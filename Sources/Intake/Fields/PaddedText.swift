/// Memory for one text that is parsed as JSON, with the padding after it that the parser reads.
final class PaddedText {
  /// The size up to which memory is kept; larger memory is released when the next text fits in
  /// this.
  private static let usualBytes = 1 << 20

  private var base: UnsafeMutablePointer<UInt8>
  private var capacity = 16 << 10

  init() {
    base = .allocate(capacity: capacity + BlockBuffer.padding)
  }

  deinit {
    base.deallocate()
  }

  /// Copies a text; the copy is valid until the next call.
  func copy(_ text: Bytes) -> Bytes {
    if text.count > capacity || capacity > Self.usualBytes && text.count <= Self.usualBytes {
      base.deallocate()
      capacity = max(text.count, 16 << 10)
      base = .allocate(capacity: capacity + BlockBuffer.padding)
    }
    if let address = text.baseAddress { base.update(from: address, count: text.count) }
    (base + text.count).update(repeating: 0, count: BlockBuffer.padding)
    return Bytes(start: base, count: text.count)
  }
}
