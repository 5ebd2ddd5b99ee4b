import FileSystem
import Runs

/// The manifests of a reports folder in the order of publication: each names the one before it.
struct Chain {
  private let path: String
  private let links: [EditionProof.Proven]
  private let list: EditionList
  private let days: ClosedRange<String>?
  /// The checksums of the manifests that were removed on request.
  private let removed: Set<String>
  /// What is known about a publication, which may be missing from the folder.
  private var known: [Int: Manifest.Reference] = [:]
  /// Remarks that are no errors, but say what was not verified.
  private(set) var notes: [String] = []

  /// - Parameter editions: The editions that are here, in their order.
  init(
    _ path: String, _ proven: [EditionProof.Proven], _ editions: [Edition], _ list: EditionList
  ) {
    self.path = path
    self.list = list
    links = proven.sorted {
      ($0.manifest.publication, $0.manifest.edition)
        < ($1.manifest.publication, $1.manifest.edition)
    }
    days = editions.first.flatMap { first in editions.last.map { first.day...$0.day } }
    let removedHere: [String] = proven.flatMap { $0.manifest.removed.map(\.sha256) }
    let removedBefore: [String] = list.lines.map(\.line).filter { $0.event == .removed }.map(
      \.sha256)
    removed = Set(removedHere).union(removedBefore)
    for line in list.lines.map(\.line) where line.event == .published {
      known[line.publication] = line.reference
    }
    for link in links {
      if let previous = link.manifest.previous {
        known[link.manifest.publication - 1] = known[link.manifest.publication - 1] ?? previous
      }
    }
    for link in links { known[link.manifest.publication] = link.reference }
  }

  /// The newest edition that is here.
  var head: EditionList.Line? {
    links.last.map {
      EditionList.Line(
        .published, $0.manifest.publication, $0.manifest.edition, asOf: $0.manifest.asOf,
        sha256: $0.sha256)
    }
  }

  /// Checks that each manifest names the one before it, and that none is missing without a reason.
  mutating func check() throws {
    for (one, next) in zip(links, links.dropFirst()) {
      guard one.manifest.publication < next.manifest.publication else {
        throw ProofFault(
          place(next), "is publication \(next.manifest.publication), and so is \(place(one))",
          "Two databases published here, or somebody made one of the two by hand. "
            + ProofFault.restore)
      }
      try requireLink(from: next, to: one.reference, one.manifest.publication)
    }
    var gone: (removed: Int, elsewhere: Int) = (0, 0)
    let here = Dictionary(
      links.map { ($0.manifest.publication, $0) }, uniquingKeysWith: { first, _ in first })
    for (publication, reference) in known.sorted(by: { $0.key < $1.key })
    where here[publication] == nil {
      // The list is checked against the manifest that names the edition.
      if let next = here[publication + 1] {
        try requireLink(from: next, to: reference, publication)
      }
      if removed.contains(reference.sha256) {
        gone.removed += 1
      } else {
        try requireElsewhere(reference.edition, publication)
        gone.elsewhere += 1
      }
    }
    note(gone.removed, "was removed on request", "were removed on request")
    note(
      gone.elsewhere, "is not here, and was not verified", "are not here, and were not verified")
  }

  /// Checks that the heads in a file elsewhere are in this chain.
  mutating func check(againstAnchor file: String) throws {
    let anchored = try Anchor(file).lines()
    var newest = 0
    for (number, line) in anchored where line.event == .published {
      let place = "\(file):\(number)"
      newest = max(newest, line.publication)
      guard let found = known[line.publication] else {
        try requireElsewhere(line.edition, line.publication, place)
        continue
      }
      guard found == line.reference else {
        throw ProofFault(
          place,
          """
          says that publication \(line.publication) is \(line.edition.folder) with the SHA-256 \(line.sha256), and \
          here it is \(found.edition.folder) with \(found.sha256)
          """,
          "The chain was written again after that line, or the file belongs to another folder. "
            + ProofFault.restore)
      }
    }
    guard newest > 0 else {
      throw ProofFault(file, "has no head of a chain", "Name the file that runs append to.")
    }
    let later = links.filter { $0.manifest.publication > newest }.count
    note(later, "is newer than the anchor", "are newer than the anchor")
  }

  private mutating func note(_ count: Int, _ one: String, _ several: String) {
    guard count > 0 else { return }
    notes.append("\(count) \(count == 1 ? "edition \(one)" : "editions \(several)")")
  }

  private func place(_ link: EditionProof.Proven) -> String {
    "\(path)/\(link.manifest.edition.folder)/\(Manifest.fileName)"
  }

  private func requireLink(
    from next: EditionProof.Proven, to reference: Manifest.Reference, _ publication: Int
  ) throws {
    guard publication == next.manifest.publication - 1, next.manifest.previous != reference else {
      return
    }
    let said =
      next.manifest.previous.map { "\($0.edition.folder) with \($0.sha256)" } ?? "no edition"
    throw ProofFault(
      "\(path)/\(reference.edition.folder)/\(Manifest.fileName)",
      """
      has the SHA-256 \(reference.sha256), but \(place(next)), which was published after it, says that \(said) came \
      before it
      """)
  }

  /// An edition may be missing if the folders of its time are elsewhere, such as in an archive.
  private func requireElsewhere(
    _ edition: Edition, _ publication: Int, _ witness: String? = nil
  ) throws {
    if let days {
      if edition.day < days.lowerBound { return }
      // A part of the folder may have been moved here; the whole folder has its list.
      let isListed = witness != nil || list.publication(of: edition) != nil
      if edition.day > days.upperBound, !isListed { return }
    }
    // Old folders were removed, and then one of their days was run again.
    if let first = links.first?.manifest, publication < first.publication,
      edition.day < first.edition.day
    {
      return
    }
    throw ProofFault(
      "\(path)/\(edition.folder)",
      "is missing: \(witness ?? "the chain") says that it was publication \(publication)")
  }
}

extension EditionProof.Proven {
  fileprivate var reference: Manifest.Reference {
    Manifest.Reference(edition: manifest.edition, sha256: sha256)
  }
}

extension EditionList.Line {
  var reference: Manifest.Reference { Manifest.Reference(edition: edition, sha256: sha256) }
}
