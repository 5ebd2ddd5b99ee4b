/// Expands the parts of a compressed file, one after the other: members of gzip, frames of zstd,
/// streams of bzip2 and xz.
protocol Decompressor: AnyObject {
  /// Prepares for the next part.
  func begin() -> Expansion

  /// Expands as much as fits.
  ///
  /// The bytes that were taken from `input`, and the room that was filled in `output`, are removed
  /// from them. If nothing is removed from either, more input is needed.
  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion
}

/// The result of one step of the expansion.
enum Expansion {
  /// There is more of the part.
  case goesOn
  /// The part has ended and its checksums are right.
  case ended
  /// The bytes contradict each other; the text is the library's reason.
  case damaged(String)
  /// The expansion needs a larger window than ``windowLimit``.
  case windowTooLarge
  /// The system gave no memory.
  case noMemory

  /// The maximum number of bytes of earlier output that a part may refer to.
  ///
  /// This is the limit that the program zstd has by default, and twice the window of `xz -9`.
  static let windowLimit = 128 << 20
}

extension UnsafeRawBufferPointer {
  /// Keeps only the last bytes, which a C library has not used.
  mutating func keepLast(_ left: Int) {
    self = UnsafeRawBufferPointer(rebasing: self[(count - left)...])
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Keeps only the last bytes, which a C library has not used.
  mutating func keepLast(_ left: Int) {
    self = UnsafeMutableRawBufferPointer(rebasing: self[(count - left)...])
  }
}
