import Runs

/// Checks the list of editions against itself and against the manifests that are here.
///
/// A run adds its line after it has published its edition. So lines can be missing at the end of
/// the list, if a run was killed, but not before other lines.
struct ListProof {
  /// The path of the list.
  let path: String
  let list: EditionList
  /// The editions that are here.
  let editions: [EditionProof.Proven]

  /// Checks the order of the lines, and that none is missing between two others.
  ///
  /// A list that was lost is written again from the manifests that are here at that time. So it can
  /// begin with a later publication than the first one, and it has no line about an edition that
  /// was removed before.
  ///
  /// - Returns: remarks that are no errors.
  /// - Throws: ``ProofFault`` for the first line that is wrong.
  func check() throws -> [String] {
    let here = Dictionary(
      editions.map { ($0.manifest.publication, $0.manifest) }, uniquingKeysWith: { one, _ in one })
    var published: [Int: EditionList.Line] = [:]
    var removed: Set<String> = []
    var newest = 0
    for (number, line) in list.lines {
      let publication = line.publication
      switch line.event {
      case .published:
        guard publication > newest else {
          throw fault(
            number, "is about publication \(publication), but publication \(newest) comes before it"
          )
        }
        try requireAll(from: newest + 1, before: publication, at: number, here)
        if let manifest = here[publication] {
          guard manifest.edition == line.edition else {
            throw fault(
              number,
              """
              says that publication \(publication) is \(line.edition.folder), but it is \
              \(manifest.edition.folder)
              """)
          }
          try requireRemovals(namedBy: manifest, at: number, published, removed)
        }
        newest = publication
        published[publication] = line
      case .removed:
        guard published[publication]?.reference == line.reference,
          published[publication]?.asOf == line.asOf
        else {
          throw fault(
            number,
            "says that \(line.edition.folder) was removed, and no line before it published it")
        }
        guard removed.insert(line.sha256).inserted else {
          throw fault(number, "says again that \(line.edition.folder) was removed")
        }
      }
    }
    return notes(after: newest)
  }

  /// Checks that no line is missing between two lines.
  private func requireAll(
    from first: Int, before publication: Int, at number: Int, _ here: [Int: Manifest]
  ) throws {
    let missing = here.values.filter { (first..<publication).contains($0.publication) }
      .min { $0.publication < $1.publication }
    if let missing {
      throw fault(
        number,
        """
        is about publication \(publication), and no line before it is about publication \
        \(missing.publication), \(missing.edition.folder)
        """)
    }
    // Only manifests prove that a list which was written again could not have the lines.
    guard first > 1, first < publication, here[first - 1] == nil || here[publication] == nil else {
      return
    }
    throw fault(
      number,
      """
      is about publication \(publication), and no line before it is about publication \
      \(publication - 1)
      """)
  }

  /// Checks that the list has the removals that the next manifest names.
  private func requireRemovals(
    namedBy manifest: Manifest, at number: Int, _ published: [Int: EditionList.Line],
    _ removed: Set<String>
  ) throws {
    for edition in manifest.removed
    where !removed.contains(edition.sha256)
      && published.values.contains(where: { $0.reference == edition })
    {
      throw fault(
        number,
        """
        is about \(manifest.edition.folder), whose manifest says that \
        \(edition.edition.folder) was removed before it, and no line before it says so
        """)
    }
  }

  private func notes(after newest: Int) -> [String] {
    let first = list.lines.first?.line.publication ?? 1
    let later = editions.count { $0.manifest.publication > newest }
    return [
      first > 1 ? "\(EditionList.fileName) begins with publication \(first)" : nil,
      later == 1 ? "1 edition is not in \(EditionList.fileName) yet" : nil,
      later > 1 ? "\(later) editions are not in \(EditionList.fileName) yet" : nil,
    ].compactMap(\.self)
  }

  private func fault(_ number: Int, _ words: String) -> ProofFault {
    ProofFault(
      "\(path):\(number)", "\(words): lines were lost or moved",
      """
      Take the file from a backup; without one, remove it, and the next run writes it again from the \
      manifests that are here. Find out who can write there.
      """)
  }
}
