import FileSystem
import Foundation
import Inbox
import Intake
import LibCrypto
import Runs
import Waiting

/// The SHA-256 of the first bytes of a file, for several lengths at once.
///
/// A file is identified by its SHA-256, so a log that grows is another file each time it is loaded.
/// Only the newest of these files is on disk; the earlier ones are its first bytes.
struct StartHashes {
  /// One start of the file.
  struct Start {
    let bytes: Int64
    let sha256: FileHash
    /// Whether it ends with a complete line.
    let endsWithLine: Bool
  }

  /// The requested starts that are not longer than the file, the shortest first.
  private(set) var starts: [Start] = []
  /// Whether the file is compressed, so that its last byte does not end a line.
  var isCompressed: Bool { Compression(startingWith: firstBytes) != nil }

  private var firstBytes: [UInt8] = []

  private static let blockBytes = 1 << 20

  /// Reads a file up to the longest requested start.
  ///
  /// - Parameter lengths: The lengths of the starts, in bytes.
  /// - Throws: The system's error for a file that cannot be read; ``ReconciliationError`` with
  ///   `stopped`.
  init(of place: FilePlace, lengths: some Sequence<Int64>, stop: StopRequest) throws {
    let handle = FileHandle(fileDescriptor: try place.openForReading(), closeOnDealloc: true)
    defer { try? handle.close() }
    var hash = RunningHash()
    var done: Int64 = 0
    var last: UInt8?
    for length in Set(lengths).sorted() {
      while done < length {
        try stop.check()
        let wanted = Int(min(Int64(Self.blockBytes), length - done))
        guard let block = try handle.read(upToCount: wanted), !block.isEmpty else { return }
        firstBytes += block.prefix(Compression.signatureBytes - firstBytes.count)
        hash.update(block)
        done += Int64(block.count)
        last = block.last
      }
      guard let sha256 = FileHash(hash.digestSoFar().bytes) else { return }
      starts.append(
        Start(bytes: length, sha256: sha256, endsWithLine: last == UInt8(ascii: "\n")))
    }
  }
}
