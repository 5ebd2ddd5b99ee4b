import FileSystem
import Page
package import Runs

/// The published editions in a reports folder.
///
/// ``PublishedEdition`` reads one of them.
package struct PublishedEditions {
  /// All of them, in their order.
  package let all: [Edition]
  /// The links with names of editions, in their order; they are not followed.
  package let links: [Edition]
  /// Those with a page.
  private let withPage: Set<Edition>

  /// Looks at the names and the modes of the folders; it reads no file.
  ///
  /// If the group or others may open `model`, a folder that they may not open is left out, because
  /// somebody has restricted it on purpose.
  init(in place: OpenFolder, openLike model: String? = nil) throws(FileSystemError) {
    let needed = model.flatMap { place.status(of: $0)?.permissions } ?? 0
    let entries = try place.entries().filter(\.isText)
    links = entries.filter { $0.status.kind == .link }.compactMap { Edition(folder: $0.name) }
      .sorted()
    all = entries.compactMap { entry in
      guard entry.status.kind == .folder else { return nil }
      let isOpen = needed & 0o055 & ~entry.status.permissions == 0
      return isOpen ? Edition(folder: entry.name) : nil
    }.sorted()
    withPage = Set(
      all.suffix(Self.lookedInto).filter {
        place.status(of: "\($0.folder)/\(Publication.pageName)")?.kind == .file
      })
  }

  /// The maximum number of editions, from the newest, that are searched for a page.
  private static let lookedInto = 2000

  /// The newest edition of a day.
  func newest(of day: String) -> Edition? { all.last { $0.day == day } }

  /// The file or folder that a link to an edition opens, below the reports folder.
  func target(of edition: Edition) -> String {
    withPage.contains(edition) ? "\(edition.folder)/\(Publication.pageName)" : "\(edition.folder)/"
  }

  /// The links on the page of an edition, which is about to be published.
  func navigation(from edition: Edition) -> NightPage.Navigation {
    let before = all.last { $0.day < edition.day }
    let next = all.first { $0.day > edition.day }.flatMap { newest(of: $0.day) }
    func link(_ other: Edition) -> NightPage.Navigation.Link {
      NightPage.Navigation.Link(words: other.day, target: "../\(target(of: other))")
    }
    let others = all.filter { $0.day == edition.day }
    return NightPage.Navigation(
      edition: edition.number, before: before.map(link), after: next.map(link),
      earlier: others.map { other in
        NightPage.Navigation.Link(words: "\(other.number)", target: "../\(target(of: other))")
      })
  }

  /// The edition that a person names.
  ///
  /// The name is a day, which stands for its newest edition; an edition such as `2026-11-20.2`, or
  /// `2026-11-20.1` for the first one; or `latest`.
  ///
  /// - Parameter takesMonths: Whether the command also takes a month.
  /// - Throws: ``ReconciliationError`` with `unknown`.
  func edition(
    _ name: String, in place: OpenFolder, takesMonths: Bool = false
  ) throws -> Edition {
    let newestName = place.target(ofLink: Publication.latest)
    if name == Publication.latest, newestName == nil {
      throw ReconciliationError(
        .unknown,
        """
        \(place.path) has no link latest. \(all.isEmpty
          ? "It has no reports yet: tieout run writes them."
          : "Name a day, such as \(all.last?.folder ?? "").")
        """)
    }
    let wanted = name == Publication.latest ? newestName ?? name : name
    // The first edition has no number in the name of its folder.
    let isFirst = wanted.hasSuffix(".1")
    guard let edition = Edition(folder: isFirst ? String(wanted.dropLast(2)) : wanted) else {
      throw ReconciliationError(
        .unknown,
        """
        “\(name)” is neither a day such as 2026-11-20, nor an edition such as 2026-11-20.2, nor latest.\(
          takesMonths ? " tieout show also takes a month such as 2026-10." : "")
        """)
    }
    let isDay = wanted == name && !isFirst && edition.number == 1
    if isDay, let newest = newest(of: edition.day) { return newest }
    guard !isDay, all.contains(edition) else {
      let others = all.filter { $0.day == edition.day }
      let near = (others.isEmpty ? all.suffix(5) : others[...]).map(\.folder)
      let isRemoved = (try? EditionList(in: place))?.hasRemoved(edition) == true
      let isLink = links.contains { isDay ? $0.day == edition.day : $0 == edition }
      throw ReconciliationError(
        .unknown,
        """
        \(place.path) has no reports of \(name)\(isRemoved
          ? ", because they were removed on request (\(EditionList.fileName))"
          : isLink ? ", only a link, which is not followed" : ""). \(near.isEmpty
          ? "It has none at all."
          : "It has \(others.isEmpty ? "newer or older ones, such as " : "")\(near.joined(separator: ", ")).")
        """)
    }
    return edition
  }
}
