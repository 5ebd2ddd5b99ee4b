import CBzip2
import CLzma
import CZlib
import CZstd
import Foundation
import Intake
import Testing

/// Compresses bytes into one member, frame or stream, with a checksum.
func compressed(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8] {
  switch compression {
  case .gzip: try gzip(bytes)
  case .zstd: try zstd(bytes)
  case .bzip2: try bzip2(bytes)
  case .xz: try xz(bytes)
  }
}

/// Compresses bytes into one gzip member.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  let scratch = try ScratchFolder()
  let path = scratch.path + "/member"
  let file = try #require(gzopen(path, "wb"))
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = Array(rest.prefix(1 << 20))
    try #require(gzwrite(file, part, UInt32(part.count)) == Int32(part.count))
    rest = rest.dropFirst(part.count)
  }
  try #require(gzclose(file) == Z_OK)
  return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

private func zstd(_ bytes: [UInt8]) throws -> [UInt8] {
  let context = try #require(ZSTD_createCCtx())
  defer { ZSTD_freeCCtx(context) }
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
  let count = ZSTD_compress2(context, &packed, packed.count, bytes, bytes.count)
  try #require(ZSTD_isError(count) == 0)
  return Array(packed[..<count])
}

/// Compresses bytes in the smallest blocks, so that a file of a megabyte has several blocks.
private func bzip2(_ bytes: [UInt8]) throws -> [UInt8] {
  var source = bytes.map { CChar(bitPattern: $0) }
  var packed = [CChar](repeating: 0, count: bytes.count + bytes.count / 100 + 600)
  var count = UInt32(packed.count)
  let result = BZ2_bzBuffToBuffCompress(&packed, &count, &source, UInt32(bytes.count), 1, 0, 0)
  try #require(result == BZ_OK)
  return packed[..<Int(count)].map { UInt8(bitPattern: $0) }
}

private func xz(_ bytes: [UInt8]) throws -> [UInt8] {
  var packed = [UInt8](repeating: 0, count: lzma_stream_buffer_bound(bytes.count))
  var count = 0
  let result = lzma_easy_buffer_encode(
    1, LZMA_CHECK_CRC64, nil, bytes, bytes.count, &packed, &count, packed.count)
  try #require(result == LZMA_OK)
  return Array(packed[..<count])
}
