import FileSystem
import Foundation
import Glibc
import LibCrypto
import Runs

/// Checks one edition against its manifest.
struct EditionProof {
  let folder: OpenFolder
  /// The edition that the folder's name stands for; nil if it is not the name of an edition.
  let edition: Edition?
  /// The SHA-256 that the list of editions has for its manifest; nil if it has none.
  let listed: String?

  /// An edition that is what was published.
  struct Proven {
    let manifest: Manifest
    /// The SHA-256 of the manifest.
    let sha256: String
  }

  /// Checks the manifest, all files and the sums.
  ///
  /// - Throws: ``ProofFault`` for the first thing that is wrong; ``ReconciliationError`` if
  ///   something cannot be read.
  func check() throws -> Proven {
    let entries = try verifying { try folder.entries() }
    let kinds = Dictionary(
      entries.map { ($0.name, $0.status.kind) }, uniquingKeysWith: { first, _ in first })
    guard kinds[Manifest.fileName] != nil else {
      throw ProofFault(path(Manifest.fileName), "is missing")
    }
    let text = try contents(Manifest.fileName, kinds, atMost: Manifest.mostBytes)
    let sha256 = HashFunction.sha256.digest(of: text).hexadecimal
    if let listed, listed != sha256 {
      throw ProofFault(
        path(Manifest.fileName),
        "has the SHA-256 \(sha256), but \(EditionList.fileName) says \(listed)")
    }
    let checksums = try requireManifest(sha256, in: kinds)
    let manifest: Manifest
    do { manifest = try Manifest(reading: text) } catch {
      throw ProofFault(path(Manifest.fileName), "is not a manifest: \(error)")
    }
    if let edition, edition != manifest.edition {
      throw ProofFault(
        path(Manifest.fileName),
        "is that of the edition \(manifest.edition.folder), but its folder is \(edition.folder)",
        "Give the folder its name again, or take it from a backup.")
    }
    try checkNames(entries, manifest)
    try requireChecksums(checksums, of: manifest, sha256)
    var sums = EditionSumProof(manifest)
    for file in manifest.files { try check(file, kinds, &sums) }
    if let contradiction = sums.contradiction {
      throw ProofFault(
        path(contradiction.file), contradiction.words,
        "The files are those of the manifest, so it was written with wrong sums or written again. "
          + ProofFault.restore)
    }
    return Proven(manifest: manifest, sha256: sha256)
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Checks that the folder has all files of the manifest and no others.
  private func checkNames(_ entries: [FolderEntry], _ manifest: Manifest) throws {
    let known = Set(manifest.files.map(\.name) + [Manifest.fileName, EditionSums.fileName])
    let found = Set(entries.map(\.name))
    for name in known.sorted() where !found.contains(name) {
      throw ProofFault(path(name), "is missing")
    }
    let other = entries.filter { !known.contains($0.name) || !$0.isText }.map(\.name).min()
    if let other {
      throw ProofFault(
        path(other), "is not part of the edition: its manifest does not name it",
        "Remove it, and find out who can write there.")
    }
  }

  /// Checks that the checksums name this manifest, before anything in it is used.
  ///
  /// - Returns: The content of the file of checksums.
  private func requireManifest(
    _ sha256: String, in kinds: [String: FileStatus.Kind]
  ) throws -> [UInt8] {
    guard kinds[EditionSums.fileName] != nil else {
      throw ProofFault(path(EditionSums.fileName), "is missing")
    }
    let found = try contents(EditionSums.fileName, kinds, atMost: Manifest.mostBytes)
    let known = EditionSums.sums(in: found)
    guard known[Manifest.fileName] != sha256 else { return found }
    let said = known[Manifest.fileName].map { "says \($0)" } ?? "does not name it"
    // If the list of editions has the manifest's checksum, the manifest is what was published.
    throw listed == sha256
      ? ProofFault(
        path(EditionSums.fileName),
        "was changed: the SHA-256 of \(Manifest.fileName) is \(sha256), but it \(said)")
      : ProofFault(
        path(Manifest.fileName),
        "has the SHA-256 \(sha256), but \(path(EditionSums.fileName)) \(said): one of the two was changed"
      )
  }

  /// Checks that the checksums are those of the manifest, to the byte.
  private func requireChecksums(
    _ found: [UInt8], of manifest: Manifest, _ sha256: String
  ) throws {
    var sums = Dictionary(uniqueKeysWithValues: manifest.files.map { ($0.name, $0.sha256) })
    sums[Manifest.fileName] = sha256
    guard found != EditionSums.text(sums) else { return }
    throw ProofFault(
      path(EditionSums.fileName), "does not have the checksums that \(Manifest.fileName) has")
  }

  /// Reads a small file.
  private func contents(
    _ name: String, _ kinds: [String: FileStatus.Kind], atMost limit: Int
  ) throws -> [UInt8] {
    try requireFile(name, kinds)
    return try verifying {
      do {
        return try FilePlace(name, in: folder).contents(atMost: limit)
      } catch let error as FileSystemError where error.code == EFBIG {
        throw ProofFault(
          path(name), "has more than \(limit) bytes: the program writes no such file")
      }
    }
  }

  private func requireFile(_ name: String, _ kinds: [String: FileStatus.Kind]) throws {
    let found =
      switch kinds[name] {
      case .file: ""
      case .link: "a link"
      case .folder: "a folder"
      case .other: "a pipe, a socket or a device"
      case nil: "missing"
      }
    guard found.isEmpty else { throw ProofFault(path(name), "should be a file, and is \(found)") }
  }

  /// Reads a file once: for its checksum and, if it is a CSV file, for its sums.
  private func check(
    _ file: Manifest.File, _ kinds: [String: FileStatus.Kind], _ sums: inout EditionSumProof
  ) throws {
    try requireFile(file.name, kinds)
    let place = FilePlace(file.name, in: folder)
    // A file that has another size is not read, because a folder from elsewhere can contain a file
    // of any size.
    let size = try verifying { try place.status() }.bytes
    guard size == file.bytes else {
      throw ProofFault(path(file.name), "should have \(file.bytes) bytes, and has \(size)")
    }
    let handle = FileHandle(
      fileDescriptor: try verifying { try place.openForReading() }, closeOnDealloc: true)
    var hash = RunningHash()
    sums.begin(file)
    var read = 0
    while read <= file.bytes {
      let piece: Data
      do { piece = try handle.read(upToCount: 1 << 20) ?? Data() } catch {
        throw ReconciliationError(
          .reports,
          """
          \(path(file.name)) cannot be read: \(FileSystemError.words(of: error)). Nothing more was verified. \
          Correct this and try again.
          """)
      }
      if piece.isEmpty { break }
      read += piece.count
      hash.update(piece)
      sums.take(piece)
    }
    sums.end()
    let sha256 = hash.finish().hexadecimal
    guard read == file.bytes, sha256 == file.sha256 else {
      throw ProofFault(
        path(file.name), "should have the SHA-256 \(file.sha256), and has \(sha256)")
    }
  }
}

extension EditionProof {
  /// Opens an edition of a reports folder, and finds its line in the list of editions.
  ///
  /// - Throws: ``ReconciliationError`` with `reports` if the folder or the list cannot be read.
  init(_ edition: Edition, in place: OpenFolder) throws {
    let (folder, list): (OpenFolder, EditionList)
    do {
      (folder, list) = try (place.folder(edition.folder), EditionList(in: place))
    } catch {
      throw ReconciliationError(.reports, "\(error). \(error.remedy)")
    }
    self.init(folder: folder, edition: edition, listed: list.publication(of: edition)?.sha256)
  }
}
