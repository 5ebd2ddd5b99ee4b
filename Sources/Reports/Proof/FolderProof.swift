import CanonicalJSON
import ExactText
import FileSystem
package import Foundation
import Glibc
import Runs

/// Checks published reports without database and network: one edition, one pack of a closed period,
/// or a reports folder with its chain of manifests.
package struct FolderProof {
  /// What was checked, if nothing is wrong.
  package struct Result: Sendable {
    /// The number of editions that are what was published.
    package var proven = 0
    /// The number of their files.
    package var files = 0
    /// The number of closed periods whose packs are what was written.
    package var packs = 0
    /// Whether the folder is one pack of a closed period.
    package var isPack = false
    /// The newest edition of the chain; nil for a single edition, and if there is no edition.
    package var head: EditionList.Line?
    /// The first publication of the chain that is here.
    package var first = 0
    /// Remarks that are no errors, but say what was not verified.
    package var notes: [String] = []
  }

  private let folder: OpenFolder
  private let anchor: String?
  private let now: String

  /// Opens a folder.
  ///
  /// Reports about a later time than the present may be a mistake that was taken back, so `latest`
  /// may lead to earlier ones.
  ///
  /// - Parameter anchor: The file outside of the folder that has the heads of its chain.
  /// - Throws: ``ReconciliationError`` with `unknown` if there is no folder, else with `reports`.
  package init(_ path: String, anchor: String? = nil, now: Date = Date()) throws {
    do { folder = try OpenFolder(path) } catch {
      throw error.asError(of: path, ifNotThere: "Name a reports folder or an edition.")
    }
    self.anchor = anchor
    self.now = now.formatted(.iso8601)
  }

  /// Checks everything, in a fixed order.
  ///
  /// - Throws: ``ProofFault`` for the first thing that is wrong; ``ReconciliationError`` if there
  ///   is nothing to check, if something cannot be read, or with `locked` if runs publish meanwhile.
  package func check() throws -> Result {
    for name in [Manifest.fileName, EditionSums.fileName] where folder.status(of: name) != nil {
      return isPack ? try checkPack() : try checkEdition()
    }
    return try unlessPublishing { try checkFolder() }
  }

  /// Calls `check`, and once more if it fails and a run has published meanwhile: the parts of the
  /// folder that it read may belong to different times.
  ///
  /// - Throws: the error of `check`; ``ReconciliationError`` with `locked` if a run has published
  ///   meanwhile again.
  package func unlessPublishing(_ check: () throws -> Result) throws -> Result {
    var before = published
    do { return try check() } catch {
      guard published != before else { throw error }
    }
    before = published
    do { return try check() } catch {
      guard published != before else { throw error }
      throw ReconciliationError(
        .locked,
        """
        Runs published into \(folder.path) while it was verified, so nothing is known about it. Verify it again when \
        no run is at work.
        """)
    }
  }

  /// What a run changes when it publishes: the editions, their list and the link `latest`.
  private var published: [String] {
    let names = ((try? folder.entries()) ?? []).map(\.name).filter { Edition(folder: $0) != nil }
    let list = try? FilePlace(EditionList.fileName, in: folder)
      .contents(atMost: EditionList.mostBytes)
    return names.sorted() + [
      String(decoding: list ?? [], as: UTF8.self), folder.target(ofLink: Publication.latest) ?? "",
    ]
  }

  private func checkFolder() throws -> Result {
    let list = try list()
    let editions = try editions()
    var result = Result()
    var proven: [EditionProof.Proven] = []
    for edition in editions {
      let listed = list.publication(of: edition)
      let open = try verifying { try folder.folder(edition.folder) }
      let found = try EditionProof(folder: open, edition: edition, listed: listed?.sha256).check()
      try require(listed, of: found)
      proven.append(found)
      result.files += found.manifest.files.count + 2
    }
    result.proven = proven.count
    let closed = try closedPeriods(namedBy: proven)
    result.packs = closed.packs
    result.files += closed.files
    var chain = Chain(folder.path, proven, editions, list)
    try chain.check()
    let listNotes = try ListProof(
      path: "\(folder.path)/\(EditionList.fileName)", list: list, editions: proven
    ).check()
    try LatestProof(
      folder: folder, editions: editions, proven: proven, list: list, now: now
    ).check()
    if let anchor { try chain.check(againstAnchor: anchor) }
    result.first = proven.map(\.manifest.publication).min() ?? 0
    result.head = chain.head
    result.notes = chain.notes + listNotes + [closed.note].compactMap(\.self)
    return result
  }

  /// Checks `closed/`: each pack and each certificate that a manifest names is there, with the
  /// checksum that it had when the edition was published.
  private func closedPeriods(namedBy editions: [EditionProof.Proven]) throws -> PackProof.Proven {
    var found = PackProof.Proven()
    let isThere = folder.status(of: ClosingPack.folderName) != nil
    if isThere {
      found = try verifying {
        try PackProof(folder: folder.folder(ClosingPack.folderName)).check()
      }
    }
    // An archive of old days has no list of editions, and may be without the closed periods.
    guard isThere || folder.status(of: EditionList.fileName) != nil else { return found }
    for edition in editions { try found.compare(with: edition.manifest, in: folder.path) }
    return found
  }

  /// The last part of the folder's path.
  private var name: String { folder.path.parts(between: "/").last ?? "" }

  /// Whether the folder is the pack of a closed period, by its manifest, or else by its name.
  private var isPack: Bool {
    if let bytes = try? FilePlace(Manifest.fileName, in: folder)
      .contents(atMost: Manifest.mostBytes), let json = try? CanonicalJSON(reading: bytes)
    {
      return json["period"] != nil && json["publication"] == nil
    }
    // The number of the closing follows the name of its period.
    return [name, name.replacing(/\.[0-9]+$/, with: "")].contains { (try? Period($0)) != nil }
  }

  /// Checks a folder that is one pack; its certificates and the chain are not there.
  private func checkPack() throws -> Result {
    try requireNoAnchor("one pack of a closed period")
    let found = try PackProof(folder: folder).check(pack: folder)
    return Result(files: found.files, packs: 1, isPack: true)
  }

  private func requireNoAnchor(_ what: String) throws {
    guard anchor == nil else {
      throw ReconciliationError(
        .unknown, "--anchor needs a reports folder, and \(folder.path) is \(what).")
    }
  }

  /// Checks a folder that is one edition; the chain is not there.
  private func checkEdition() throws -> Result {
    try requireNoAnchor("one edition")
    let found = try EditionProof(folder: folder, edition: Edition(folder: name), listed: nil)
      .check()
    return Result(proven: 1, files: found.manifest.files.count + 2)
  }

  private func list() throws -> EditionList {
    let path = "\(folder.path)/\(EditionList.fileName)"
    if let status = folder.status(of: EditionList.fileName), status.kind != .file {
      throw ProofFault(path, "is not a file")
    }
    let list: EditionList
    do { list = try EditionList(in: folder) } catch {
      guard error.code == EFBIG else {
        throw ReconciliationError(.reports, "\(error). Nothing was verified. \(error.remedy)")
      }
      throw ProofFault(path, "is larger than any that the program writes")
    }
    if let line = list.damaged.first {
      throw ProofFault("\(path):\(line)", "is not a line that the program writes")
    }
    return list
  }

  private func editions() throws -> [Edition] {
    let entries: [FolderEntry]
    do { entries = try folder.entries() } catch {
      throw ReconciliationError(.reports, "\(error). Nothing was verified. \(error.remedy)")
    }
    var editions: [Edition] = []
    for entry in entries.sorted(by: { $0.name < $1.name }) {
      guard entry.isText, let edition = Edition(folder: entry.name) else { continue }
      guard entry.status.kind == .folder else {
        throw ProofFault("\(folder.path)/\(entry.name)", "is not a folder")
      }
      editions.append(edition)
    }
    guard !editions.isEmpty || folder.status(of: EditionList.fileName) != nil else {
      throw ReconciliationError(
        .unknown,
        """
        \(folder.path) has no reports: it is neither an edition, nor a pack of a closed period, nor a \
        folder with editions.
        """)
    }
    return editions.sorted()
  }

  /// Checks that the list of editions says the same about an edition as its manifest.
  private func require(_ listed: EditionList.Line?, of found: EditionProof.Proven) throws {
    let manifest = found.manifest
    guard let listed,
      listed.publication != manifest.publication || listed.asOf != manifest.asOf
    else { return }
    throw ProofFault(
      "\(folder.path)/\(EditionList.fileName)",
      """
      says publication \(listed.publication) as of \(listed.asOf) for \(manifest.edition.folder), and its manifest \
      says \(manifest.publication) as of \(manifest.asOf)
      """)
  }
}
