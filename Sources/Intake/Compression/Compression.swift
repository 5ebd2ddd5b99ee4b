/// The compression of a file in the inbox.
///
/// It is found from the first bytes of a file, never from its name.
package enum Compression: String, Sendable, CaseIterable {
  /// RFC 1952.
  case gzip
  /// RFC 8878, skippable frames included.
  case zstd
  /// Streams as the program `bzip2` writes them.
  case bzip2
  /// The .xz file format, version 1.2.0; not the older `.lzma`.
  case xz

  /// The number of bytes after which the compression of every file is known.
  package static let signatureBytes = 6

  /// Finds the compression from the first bytes of a file; nil if it is not compressed or the bytes
  /// are too few.
  package init?(startingWith bytes: [UInt8]) {
    let found = bytes.withUnsafeBufferPointer { bytes in
      Self.allCases.first { $0.begins(bytes) == true }
    }
    guard let found else { return nil }
    self = found
  }

  /// The compression whose file names end like this one; nil if there is none.
  init?(namedIn path: String) {
    guard let found = Self.allCases.first(where: { path.hasSuffix($0.ending) }) else { return nil }
    self = found
  }

  /// The end of the names of such files.
  var ending: String {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    case .bzip2: ".bz2"
    case .xz: ".xz"
    }
  }

  /// Whether bytes begin a file, or another part of one; nil if they are too few to tell.
  func begins(_ bytes: Bytes) -> Bool? {
    var isOpen = false
    for signature in signatures {
      let count = min(bytes.count, signature.count)
      guard zip(bytes, signature).allSatisfy({ $1.contains($0) }) else { continue }
      if count == signature.count { return true }
      isOpen = true
    }
    return isOpen ? nil : false
  }

  /// The possible first bytes, as one range for each byte.
  private var signatures: [[ClosedRange<UInt8>]] {
    func exactly(_ bytes: UInt8...) -> [ClosedRange<UInt8>] { bytes.map { $0...$0 } }
    switch self {
    case .gzip: return [exactly(0x1f, 0x8b)]
    case .zstd:
      // The second signature is that of a skippable frame, which pzstd writes first.
      return [exactly(0x28, 0xb5, 0x2f, 0xfd), [0x50...0x5f] + exactly(0x2a, 0x4d, 0x18)]
    case .bzip2: return [exactly(0x42, 0x5a, 0x68) + [0x31...0x39]]
    case .xz: return [exactly(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)]
    }
  }

  /// Makes a decompressor for this compression.
  func makeDecompressor() -> any Decompressor {
    switch self {
    case .gzip: GzipDecompressor()
    case .zstd: ZstdDecompressor()
    case .bzip2: Bzip2Decompressor()
    case .xz: XzDecompressor()
    }
  }
}
