import Effects
import FileSystem
import Foundation
import LibCrypto
import Runs

/// The size of a file, and its SHA-256 in hexadecimal digits.
struct FileSum: Equatable {
  let bytes: Int
  let sha256: String
}

/// A file that is written once from beginning to end, with the SHA-256 of its content.
final class ReportFile {
  private let path: String
  private let handle: FileHandle
  private var hash = RunningHash()
  private var size = 0

  /// Creates the file; only its owner may write it, and only its owner and group may read it.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`.
  init(_ name: String, in folder: OpenFolder) throws {
    path = "\(folder.path)/\(name)"
    do {
      handle = FileHandle(
        fileDescriptor: try folder.create(name, mode: 0o640), closeOnDealloc: true)
    } catch {
      throw ReconciliationError(
        .reports,
        "\(path) cannot be created: \(FileSystemError.words(of: error)). Is the folder writable and the disk not full?"
      )
    }
  }

  func write(_ bytes: [UInt8]) throws {
    hash.update(bytes)
    size += bytes.count
    try attempt(.write) { try handle.write(contentsOf: Data(bytes)) }
  }

  /// Makes the file durable and closes it.
  @discardableResult
  func close() throws -> FileSum {
    try attempt(.synchronize) {
      try handle.synchronize()
      try handle.close()
    }
    return FileSum(bytes: size, sha256: hash.finish().hexadecimal)
  }

  /// Writes a whole file.
  @discardableResult
  static func write(
    _ bytes: [UInt8], as name: String, in folder: OpenFolder
  ) throws -> FileSum {
    let file = try ReportFile(name, in: folder)
    try file.write(bytes)
    return try file.close()
  }

  /// Replaces a file in one step: it is written under a hidden name, and then gets its own.
  ///
  /// A hidden file that a killed command has left is removed first. The caller holds the lock of a
  /// run, so no other command writes one.
  static func replace(_ name: String, with bytes: [UInt8], in folder: OpenFolder) throws {
    let hidden = Publication.nameWhileWritten(name)
    if folder.status(of: hidden) != nil { try folder.remove(hidden) }
    try folder.replace(name, by: hidden) {
      try write(bytes, as: $0, in: folder)
    }
  }

  private func attempt(_ effect: Effect, _ body: () throws -> Void) throws {
    do {
      if let code = effect.systemError(path) {
        throw FileSystemError(path, "written", code: code)
      }
      try body()
    } catch {
      throw Self.cannotWrite(path, error)
    }
  }

  private static func cannotWrite(_ path: String, _ error: any Error) -> ReconciliationError {
    ReconciliationError(
      .reports, "\(path) cannot be written: \(FileSystemError.words(of: error)). Is the disk full?")
  }

  /// The length and the checksum of a file.
  ///
  /// - Throws: `FileSystemError` if it cannot be read.
  static func sum(of place: FilePlace) throws -> FileSum {
    do { return try sum(of: place) { _ in } } catch let error as FileSystemError {
      throw error
    } catch {
      throw FileSystemError(
        place.location, "read", code: EIO, words: FileSystemError.words(of: error))
    }
  }

  /// Makes a file durable that other code has written.
  ///
  /// - Returns: its length and its checksum.
  /// - Throws: ``ReconciliationError`` with `reports`.
  static func keep(_ place: FilePlace) throws -> FileSum {
    do { return try sum(of: place) { try $0.synchronize() } } catch {
      throw cannotWrite(place.location, error)
    }
  }

  private static func sum(
    of place: FilePlace, then finish: (FileHandle) throws -> Void
  ) throws -> FileSum {
    let handle = FileHandle(fileDescriptor: try place.openForReading(), closeOnDealloc: true)
    var hash = RunningHash()
    var size = 0
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      hash.update(piece)
      size += piece.count
    }
    try finish(handle)
    try handle.close()
    return FileSum(bytes: size, sha256: hash.finish().hexadecimal)
  }
}
