import Crypto
import Effects
import Foundation

/// A file that is written once, front to back, with the SHA-256 of what was written.
final class ReportFile {
  private let path: String
  private let handle: FileHandle
  private var hash = SHA256()

  /// Creates the file; only its owner may write and only its group may read it.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`.
  init(path: String) throws {
    self.path = path
    guard Effect.create.systemError(path) == nil,
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o640]),
      let handle = FileHandle(forWritingAtPath: path)
    else {
      throw ReconciliationError(
        .reports, "\(path) cannot be created. Is the folder writable and the disk not full?")
    }
    self.handle = handle
  }

  func write(_ bytes: [UInt8]) throws {
    hash.update(data: bytes)
    do {
      try Effect.write.meet(path)
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw ReconciliationError(
        .reports, "\(path) cannot be written: \(Self.words(of: error)). Is the disk full?")
    }
  }

  /// Makes the file durable and closes it.
  ///
  /// - Returns: the SHA-256 in hexadecimal digits.
  func close() throws -> String {
    do {
      try Effect.synchronize.meet(path)
      try handle.synchronize()
      try handle.close()
    } catch {
      throw ReconciliationError(
        .reports, "\(path) cannot be written: \(Self.words(of: error)). Is the disk full?")
    }
    return Self.digits(of: hash)
  }

  /// Makes a file durable that somebody else has written.
  ///
  /// - Returns: its SHA-256 in hexadecimal digits.
  static func sum(of path: String) throws -> String {
    do {
      let handle = try FileHandle(forUpdating: URL(filePath: path))
      var hash = SHA256()
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        hash.update(data: piece)
      }
      try handle.synchronize()
      try handle.close()
      return digits(of: hash)
    } catch {
      throw ReconciliationError(
        .reports, "\(path) cannot be written: \(words(of: error)). Is the disk full?")
    }
  }

  private static func digits(of hash: SHA256) -> String {
    hash.finalize().map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }

  /// What the system says, without the frame that Foundation puts around it.
  static func words(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else {
      let words = error.localizedDescription
      return words.hasSuffix(".") ? String(words.dropLast()) : words
    }
    return unsafe String(cString: strerror(Int32(cause.code)))
  }
}
