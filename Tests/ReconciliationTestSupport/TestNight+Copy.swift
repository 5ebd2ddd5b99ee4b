import Configuration
import Foundation
import PostgreSQL
import Synchronization

/// The folders and databases of the nights that are removed when the process exits.
private let kept = Mutex<[(folder: URL, database: ScratchDatabase)]>([])

private func removeKept() {
  for (folder, database) in kept.withLock({ $0 }) {
    try? FileManager.default.removeItem(at: folder)
    database.drop()
  }
}

extension TestNight {
  /// Makes a night that goes on where another one is, in a database and folders of its own.
  ///
  /// So tests that begin with the same night run it only once. The next night finds the same
  /// unchanged files, runs and reports as the next night of the other one does. The other one must
  /// have run. No session may be connected to its database.
  package convenience init(copyOf other: TestNight) throws {
    try self.init(on: ScratchDatabase(copyOf: other.database))
    try copyFiles(of: other)
    let names = (other.folder.lastPathComponent, folder.lastPathComponent)
    settings = other.settings
    settings.inbox = settings.inbox.replacing(names.0, with: names.1)
    settings.reports = settings.reports.replacing(names.0, with: names.1)
    settings.trustedRoots = settings.trustedRoots.map { $0.replacing(names.0, with: names.1) }
    user = other.user
    whileRunning = other.whileRunning
    ignoresFutureNights = other.ignoresFutureNights
    judgesInBulk = other.judgesInBulk
    files = other.files
    try renameFolder(from: names.0, to: names.1)
  }

  /// Copies all files with their times and modes.
  private func copyFiles(of other: TestNight) throws {
    let copying = Process()
    copying.executableURL = URL(filePath: "/bin/cp")
    copying.arguments = ["--archive", "\(other.folder.path)/.", folder.path]
    try copying.run()
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Replaces the name of the folder in the database, and the inodes of the files.
  private func renameFolder(from old: String, to new: String) throws {
    let connection = try database.connect()
    try connection.run(
      """
      update tieout.run
      set
          reports_folder = replace(reports_folder, $1, $2),
          settings = replace(settings::text, $1, $2)::jsonb
      """, [old, new], step: "copy")
    try connection.run(
      "update tieout.inbox_path set path = replace(path, $1, $2)", [old, new], step: "copy")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: inbox.path)
    let inodes = try paths.map { path in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: inbox.appending(path: path).path)
      return "\(attributes[.systemFileNumber] ?? 0)"
    }
    try connection.run(
      """
      update tieout.inbox_path
      set inode = file.inode
      from unnest($1::text[], $2::bigint[]) as file (ending, inode)
      where right(inbox_path.path, length(file.ending)) = file.ending
      """,
      [
        PostgreSQLArray.text(paths.map { "/\(new)/inbox/\($0)" }), PostgreSQLArray.text(inodes),
      ], step: "copy")
  }

  /// Lets the folder and the database be removed when the process exits, and returns the night.
  ///
  /// A static property needs it, because it is never released.
  package func removedAtExit() -> TestNight {
    let one = (folder: folder, database: database)
    let isFirst = kept.withLock { kept in
      kept.append(one)
      return kept.count == 1
    }
    if isFirst { atexit { removeKept() } }
    return self
  }
}
