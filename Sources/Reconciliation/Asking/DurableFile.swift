import CLinux
import Effects
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
      try Effect.create.meet(folder)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o750])
      try Effect.write.meet(hidden)
      try Data(bytes).write(to: URL(filePath: hidden))
      defer { unlink(hidden) }
      let handle = try FileHandle(forUpdating: URL(filePath: hidden))
      try Effect.synchronize.meet(hidden)
      try handle.synchronize()
      try handle.close()
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: hidden)
      try check(hidden)
      try Effect.rename.meet("\(hidden) to \(path)")
      guard unsafe rename(hidden, path) == 0 else { throw Effect.refusal(errno) }
      try Effect.synchronize.meet(folder)
      guard unsafe tieoutSyncFolder(folder) == 0 else { throw Effect.refusal(errno) }
    } catch let error as CocoaError {
      throw ReconciliationError(
        .reports,
        "\(path) cannot be written: \(ReportFile.words(of: error)). Is the disk full?")
    }
  }

  /// Removes the hidden files that killed processes of this machine left in a folder.
  static func removeRemains(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(".") && name.hasSuffix(".tmp") {
      let number = name.dropLast(4).split(separator: ".").last.flatMap { pid_t($0) }
      guard let number, !Host.isAlive(number) else { continue }
      guard Effect.remove.systemError("\(folder)/\(name)") == nil else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  private static func unlink(_ path: String) {
    _ = unsafe Glibc.unlink(path)
  }
}
