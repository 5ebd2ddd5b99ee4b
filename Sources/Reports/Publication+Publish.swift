import FileSystem
import Foundation
package import Page
package import Runs

extension Publication {
  /// Publishes a new edition in one step, and then brings `latest`, the list of editions and the
  /// calendar up to date.
  ///
  /// - Parameters:
  ///   - nights: The nights of the calendar; nil: the calendar stays as it is.
  ///   - leavingOut: Editions that the calendar must not show, because they are removed next.
  /// - Returns: the list of editions.
  @discardableResult
  package func publish(
    _ written: WrittenEdition, nights: [CalendarPage.Night]?, leavingOut: [Edition] = []
  ) throws -> EditionList {
    let edition = written.edition.folder
    var list = EditionList([])
    try explainingFileErrors(
      otherwise: "The night is stored. Correct this; the next run publishes the reports."
    ) {
      guard place.isAtItsPath else {
        throw FileSystemError(
          "\(reports)/\(hidden)", "renamed to \(edition)", code: ENOENT,
          words: "the reports folder was moved or replaced during the run")
      }
      if written.isNew {
        guard place.status(of: edition) == nil else {
          throw FileSystemError("\(reports)/\(hidden)", "renamed to \(edition)", code: EEXIST)
        }
        try place.rename(hidden, to: edition)
      }
    }
    try explainingFileErrors(
      otherwise: """
        The night is stored, and its reports are in the folder \(edition). Correct this; the next run writes the rest.
        """
    ) {
      // A link to an edition always leads to a folder, so the folder comes first. The list comes
      // after both are durable: if an edition has a line, `tieout verify` expects that the link is
      // right.
      if written.isOfNewestDay, place.target(ofLink: Self.latest) != edition,
        laterEdition(than: written.edition) == nil
      {
        let link = Self.nameWhileWritten(Self.latest)
        try place.link(link, to: edition)
        try place.rename(link, to: Self.latest)
      }
      try place.synchronize()
      list = try EditionList(in: place)
      let known = list.bytes.count
      list.noteUnlisted(published.all, new: written.isNew ? written.edition : nil, in: place)
      if list.bytes.count > known { try list.write(in: place) }
      if let nights {
        let page = try CalendarPage(
          nights, published: PublishedEditions(in: place, openLike: edition),
          leavingOut: Set(leavingOut))
        try page.show(in: place)
      }
      try place.synchronize()
    }
    return list
  }

  /// Whether readers find the edition, even if a later step failed.
  package func hasPublished(_ written: WrittenEdition) -> Bool {
    place.status(of: written.edition.folder)?.kind == .folder
      && (!written.isNew || place.status(of: hidden) == nil)
  }

  /// The link to the newest edition of the newest day.
  package static let latest = "latest"

  /// The edition of a later day to which `latest` leads; nil if its day is not later.
  ///
  /// The database may not know that edition, for example after the folder was moved. An edition
  /// with an as-of in the future does not count, because it may be a mistake (``LatestProof``).
  package func laterEdition(than edition: Edition) -> Edition? {
    guard let shown = place.target(ofLink: Self.latest).flatMap({ Edition(folder: $0) }),
      shown.day > edition.day
    else { return nil }
    // The list is made from the manifest of that edition.
    var list = EditionList([])
    list.noteUnlisted([shown], in: place)
    return list.head.map { $0.asOf <= Date().formatted(.iso8601) } == true ? shown : nil
  }

  /// Removes editions; readers find each of them either whole or not at all.
  ///
  /// The removal is written into the list of editions first. So no edition is ever gone without a
  /// reason that `tieout verify` can find.
  ///
  /// - Parameter done: What has been done before, as the beginning of an error message.
  /// - Throws: ``ReconciliationError`` with `reports`.
  package func remove(_ editions: [Edition], after done: String) throws {
    guard !editions.isEmpty else { return }
    do {
      var list = try EditionList(in: place)
      list.noteRemoval(of: editions)
      try list.write(in: place)
      try place.synchronize()
    } catch {
      let words = (error as? ReconciliationError)?.message ?? "\(error)."
      throw ReconciliationError(
        .reports, "\(done), but no edition was removed. \(words) \(Self.advice(editions))")
    }
    for (number, edition) in editions.enumerated() {
      do {
        let hidden = ".\(edition.folder)\(Self.beingRemoved)"
        try place.rename(edition.folder, to: hidden)
        try place.remove(hidden)
      } catch {
        throw ReconciliationError(
          .reports,
          """
          \(done), but the edition \(edition.folder) cannot be removed from \(reports): \
          \(FileSystemError.words(of: error)). \(Self.advice(editions.dropFirst(number)))
          """)
      }
    }
    try explainingFileErrors { try place.synchronize() }
  }

  /// What to do about editions that were not removed.
  private static func advice(_ left: some Sequence<Edition>) -> String {
    """
    Correct this and give the command again. It finds editions by the account only, so remove by hand what it leaves of \
    these: \(left.map(\.folder).joined(separator: ", ")).
    """
  }
}
