import ExactText
import FileSystem
import Runs

/// Checks the link `latest` of a reports folder.
///
/// It leads to the newest edition of the newest day. There are two exceptions:
///
/// - A run publishes its edition, lets `latest` lead to it, and then adds it to the list of
///   editions. If it was killed, `latest` may lead to the edition before a newest publication
///   without a line.
/// - If an as-of in the future was a mistake, later nights lead `latest` back to their days.
struct LatestProof {
  /// The reports folder.
  let folder: OpenFolder
  /// The editions that are here, in their order.
  let editions: [Edition]
  /// What their manifests say.
  let proven: [EditionProof.Proven]
  let list: EditionList
  /// The present, as manifests write an as-of.
  let now: String

  /// - Throws: ``ProofFault`` if it leads to another edition, or to none.
  func check() throws {
    // A folder that only runs of past days have written has no such link, nor has an archive.
    guard let kind = folder.status(of: Publication.latest)?.kind, let newest = editions.last else {
      return
    }
    let found: Edition
    switch kind {
    case .link: found = try target(instead: newest)
    // A program that copies what links lead to makes a folder of it.
    case .folder: found = try copied()
    default: throw fault("is neither a link nor a folder", instead: newest)
    }
    guard allowed.contains(found) else {
      throw fault(
        "leads to \(found.folder), and the newest edition of the newest day is \(newest.folder)",
        instead: newest)
    }
  }

  /// The editions to which `latest` may lead.
  private var allowed: Set<Edition> {
    var unlisted: Set<Edition> = []
    if !list.lines.isEmpty,
      let last = proven.max(by: { $0.manifest.publication < $1.manifest.publication })?.manifest,
      list.publication(of: last.edition)?.publication != last.publication
    {
      unlisted = [last.edition]
    }
    let future = Set(proven.filter { $0.manifest.asOf > now }.map(\.manifest.edition))
    return Set(
      [[], unlisted, future, unlisted.union(future)].compactMap { without in
        editions.last { !without.contains($0) }
      })
  }

  private func target(instead newest: Edition) throws -> Edition {
    let target = folder.target(ofLink: Publication.latest) ?? "a name that is not text"
    guard let edition = Edition(folder: target), editions.contains(edition) else {
      throw fault("leads to \(target), which is not an edition here", instead: newest)
    }
    return edition
  }

  private func copied() throws -> Edition {
    let copy = try verifying { try folder.folder(Publication.latest) }
    let found = try EditionProof(folder: copy, edition: nil, listed: nil).check()
    guard proven.contains(where: { $0.sha256 == found.sha256 }) else {
      throw ProofFault(copy.path, "is a folder, but not a copy of an edition in the reports folder")
    }
    return found.manifest.edition
  }

  private func fault(_ words: String, instead newest: Edition) -> ProofFault {
    let path = "\(folder.path)/\(Publication.latest)"
    let word = ShellWord.of(path)
    // A night does not replace a folder, and ln would make the link in it.
    let advice =
      folder.status(of: Publication.latest)?.kind == .folder
      ? "A copy made a folder of it. Make it a link again: rm -r \(word) && ln -s \(newest.folder) \(word)."
      : "The next night lets it lead to its own edition; until then: ln -sfn \(newest.folder) \(word)."
    return ProofFault(path, words, "\(advice) Find out who can write there.")
  }
}
