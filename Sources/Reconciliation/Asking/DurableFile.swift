import CLinux
import Foundation
import Glibc

/// A file that appears under its name whole, or not at all.
enum DurableFile {
  /// Writes a file by way of a hidden one, and makes both its bytes and its name durable.
  ///
  /// - Parameter check: Looks at the finished file before it gets its name; what it throws is thrown on.
  /// - Throws: ``ReconciliationError`` with `reports`.
  static func write(
    _ bytes: [UInt8], to path: String, check: (_ hidden: String) throws -> Void = { _ in }
  ) throws {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent().path
    let hidden = "\(folder)/.\(url.lastPathComponent).\(Host.processID).tmp"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o750])
      try Data(bytes).write(to: URL(filePath: hidden))
      defer { unlink(hidden) }
      let handle = try FileHandle(forUpdating: URL(filePath: hidden))
      try handle.synchronize()
      try handle.close()
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: hidden)
      try check(hidden)
      guard unsafe rename(hidden, path) == 0, unsafe tieoutSyncFolder(folder) == 0 else {
        throw CocoaError(
          .fileWriteUnknown,
          userInfo: [
            NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
          ])
      }
    } catch let error as CocoaError {
      throw ReconciliationError(
        .reports,
        "\(path) cannot be written: \(ReportFile.words(of: error)). Is the disk full?")
    }
  }

  private static func unlink(_ path: String) {
    _ = unsafe Glibc.unlink(path)
  }
}
