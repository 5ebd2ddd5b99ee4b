/// Expands the parts of a compressed file, one after the other: members of gzip, frames of zstd, streams of bzip2
/// and xz.
protocol Decompressor: AnyObject {
  /// Makes ready for the next part.
  func begin() -> Expansion

  /// Expands as much as fits; what was taken from `input` and written to `output` is removed from them.
  ///
  /// Nothing taken and nothing written means that more input is needed.
  func expand(
    _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
  ) -> Expansion
}

/// What became of a step of expanding.
enum Expansion {
  /// There is more of the part.
  case goesOn
  /// The part has ended and its checksums are right.
  case ended
  /// The bytes contradict themselves; in the library's words.
  case damaged(String)
  /// Expanding takes a larger window than ``windowLimit``.
  case windowTooLarge
  /// The system gave no memory.
  case noMemory

  /// The most bytes of earlier output that a part may refer to: as much as the program zstd expands without being
  /// asked to, and twice that of `xz -9`.
  static let windowLimit = 128 << 20
}

extension UnsafeRawBufferPointer {
  /// Removes all but the last bytes, which a C library has left.
  mutating func keepLast(_ left: Int) {
    self = UnsafeRawBufferPointer(rebasing: self[(count - left)...])
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Removes all but the last bytes, which a C library has left.
  mutating func keepLast(_ left: Int) {
    self = UnsafeMutableRawBufferPointer(rebasing: self[(count - left)...])
  }
}
