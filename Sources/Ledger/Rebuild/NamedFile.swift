import FileSystem
import Foundation
import Inbox
import Intake
import LibCrypto
import PostgreSQL
import ReconciliationSQL
import Runs
import Waiting

/// Finds the file that a user names.
struct NamedFile {
  /// A content that a file has or had.
  struct Content: Hashable {
    let path: String
    /// In hexadecimal digits.
    let sha256: String
    /// Missing for a file that was never seen.
    let bytes: Int64?
    let isLoaded: Bool
  }

  let inbox: String
  let database: Connection

  /// The minimum number of digits by which a SHA-256 may be named.
  private static let fewestDigits = 8

  /// The file's content, and its content before it grew.
  ///
  /// - Parameter name: A path below the inbox, a path on disk, or the first digits of a SHA-256.
  /// - Throws: ``ReconciliationError`` with `unknown`.
  func contents(of name: String) throws -> [Content] {
    let path = URL(filePath: inbox).resolvingSymlinksInPath().path
    let root = try? OpenFolder(inbox, calling: path)
    let written = Inbox.writtenPath(below: inbox, of: name)
    // The path below the inbox is tried first, because reports and the database use it.
    for below in [name, written ?? Inbox.path(below: inbox, of: name)].compactMap({ $0 }) {
      let named = try contents(SQLFile.withdrawPath, below)
      let places = root.map { [FilePlace(below, in: $0)] } ?? []
      let onDisk = try places.flatMap { try contentsOnDisk($0, called: below) }
      if !named.isEmpty || !onDisk.isEmpty { return try one(of: named, onDisk, name) }
    }
    // Another user may have put a link into the inbox, so it is not followed out of the inbox.
    if written == nil {
      let place = URL(filePath: name).resolvingSymlinksInPath().path
      let onDisk = try contentsOnDisk(FilePlace(anywhere: place), called: place)
      if !onDisk.isEmpty { return onDisk }
    }
    return try bySHA256(name, root)
  }

  private func bySHA256(_ name: String, _ root: OpenFolder?) throws -> [Content] {
    let digits = name.lowercased()
    guard digits.utf8.count >= Self.fewestDigits, digits.utf8.count <= 64,
      digits.utf8.allSatisfy(\.isHexadecimal)
    else { throw Self.unknown(name, root) }
    let all = try contents(SQLFile.withdrawSha256, digits)
    let found = all.filter(\.isLoaded)
    if found.count > 1 { throw ambiguous(name, found) }
    if !found.isEmpty { return found }
    let withdrawn = all.filter { !$0.isLoaded }
    if Set(withdrawn.map(\.sha256)).count > 1 { throw ambiguous(name, withdrawn) }
    if let first = withdrawn.first { return [first] }
    guard digits.utf8.count == 64 else {
      throw ReconciliationError(
        .unknown,
        "No loaded file has a SHA-256 that begins with \(digits). To exclude another file, give all 64 digits."
      )
    }
    return [Content(path: digits, sha256: digits, bytes: nil, isLoaded: false)]
  }

  /// The error for a name without a content that could be withdrawn.
  private static func unknown(_ name: String, _ root: OpenFolder?) -> ReconciliationError {
    let places = [root.map { "\($0.path)/\(name)" }, name].compactMap { $0 }
    let kind = places.lazy.compactMap { FileStatus(of: $0, followingLinks: false)?.kind }.first
    let words =
      switch kind {
      case nil:
        """
        There is no file \(name), and no file with this name was loaded. Give a path as in the reports, a \
        path on disk, or at least \(fewestDigits) digits of its SHA-256.
        """
      case .folder: "\(name) is a folder, and only files can be withdrawn. Name a file."
      default:
        """
        \(name) is a link that is not followed or no regular file. No run reads it, so there is nothing to \
        withdraw. Remove it from the inbox if it is not needed.
        """
      }
    return ReconciliationError(.unknown, words)
  }

  /// The contents that a file of sql/ finds.
  private func contents(_ file: SQLFile, _ value: String) throws -> [Content] {
    try database.run(file, [value]).records.compactMap { row in
      row["sha256"].map {
        Content(
          path: row.text("path"), sha256: $0, bytes: row.bigint("bytes"),
          isLoaded: row.flag("is_loaded"))
      }
    }
  }

  /// The content of a file on disk, and its loaded contents from before it grew.
  ///
  /// Another file can begin with the same bytes, so an earlier content counts only if it was loaded
  /// from a path of this file. A compressed file that was cut off is another file too: it was
  /// damaged, and the complete file replaced it.
  private func contentsOnDisk(_ place: FilePlace, called path: String) throws -> [Content] {
    guard let status = try? place.status(), status.kind == .file else { return [] }
    let lengths = try database.run(SQLFile.withdrawLength, ["\(status.bytes)"])
      .records.compactMap { $0.bigint("bytes") }
    let hashes: StartHashes
    do {
      hashes = try StartHashes(
        of: place, lengths: lengths + [status.bytes], stop: .ofProcess)
    } catch let error as ReconciliationError {
      throw error
    } catch {
      throw ReconciliationError(
        .unknown,
        """
        \(path) cannot be read: \(FileSystemError.words(of: error)). Correct this, or give the SHA-256 of the file.
        """)
    }
    let starts = hashes.starts
    let whole = starts.first { $0.bytes == status.bytes }?.sha256.bytes.hexadecimal
    let shorter = starts.filter { $0.bytes < status.bytes }.map(\.sha256.bytes.hexadecimal)
    let earlier = Set(
      try database.run(
        SQLFile.withdrawState,
        [
          PostgreSQLArray.text(shorter), path, whole, "\(Int64(bitPattern: status.inode))",
          "\(hashes.isCompressed)",
        ]
      ).records.map { $0.text("sha256") })
    return try starts.compactMap { start in
      let sha256 = start.sha256.bytes.hexadecimal
      guard start.bytes == status.bytes || earlier.contains(sha256) else { return nil }
      let loaded = try contents(SQLFile.withdrawSha256, sha256).filter(\.isLoaded)
      guard loaded.isEmpty else { return loaded[0] }
      guard start.bytes == status.bytes else { return nil }
      return Content(path: path, sha256: sha256, bytes: start.bytes, isLoaded: false)
    }
  }

  /// The contents of one file; throws if another content has had its name, which is then ambiguous.
  private func one(of named: [Content], _ onDisk: [Content], _ name: String) throws -> [Content] {
    let others = named.filter { one in !onDisk.contains { $0.sha256 == one.sha256 } }
    if onDisk.isEmpty, named.count == 1 { return named }
    guard others.isEmpty else { throw ambiguous(name, others + onDisk.suffix(1)) }
    return onDisk
  }

  private func ambiguous(_ name: String, _ contents: [Content]) -> ReconciliationError {
    let list = contents.map { content in
      let bytes = content.bytes.map { ", \($0) bytes" } ?? ""
      return "\(content.sha256.prefix(16)) (\(content.path)\(bytes))"
    }
    return ReconciliationError(
      .unknown,
      """
      \(name) means several files: \(list.joined(separator: "; ")). Give the SHA-256 of the one that \
      you mean.
      """)
  }
}
