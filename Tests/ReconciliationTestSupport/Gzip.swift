import CZlib
import Foundation

/// Bytes as one gzip member, with the best compression.
package func gzipMember(_ bytes: [UInt8]) throws -> [UInt8] {
  let path = FileManager.default.temporaryDirectory.appending(path: "gzip-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: path) }
  let file = unsafe gzopen(path.path, "wb9")
  let written = unsafe gzwrite(file, bytes, UInt32(bytes.count))
  guard unsafe gzclose(file) == Z_OK, Int(written) == bytes.count else {
    throw CocoaError(.fileWriteUnknown)
  }
  return [UInt8](try Data(contentsOf: path))
}
