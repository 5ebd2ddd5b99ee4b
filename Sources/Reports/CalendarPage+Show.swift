import FileSystem
import Foundation
package import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension CalendarPage {
  /// Replaces the calendar in one step, if it changes.
  func show(in place: OpenFolder) throws {
    var shown = self
    let packs = nights.flatMap { $0.books?.packs ?? [] }
    shown.shownPacks = Set(
      packs.filter { place.status(of: "\(ClosingPack.folderName)/\($0)")?.kind == .folder })
    let page = try shown.html()
    let name = Publication.pageName
    if let old = try? FilePlace(name, in: place).contents(atMost: 16 << 20), old == page { return }
    try ReportFile.replace(name, with: page, in: place)
  }

  /// Brings the calendar up to date after a run that did not reach its end.
  ///
  /// It does so only in a folder in which earlier runs of this database have published, and only if
  /// this run is recorded as ended: otherwise another run may be writing there.
  package static func showEnd(ofRun runID: String, in reports: String, _ database: Connection)
    throws
  {
    let path = URL(filePath: reports).path
    let ended = try database.run(SQLFile.publishEnded, [runID, path])
    guard ended.records.first?.flag("is_ours") == true else { return }
    try bringUpToDate(in: path, database)
  }

  /// Writes the calendar again, in a folder that has editions.
  static func bringUpToDate(in path: String, _ database: Connection) throws {
    try database.reading {
      let nights = try nights(from: database)
      let place = try OpenFolder(path)
      let model = place.target(ofLink: Publication.latest)
      let published = try PublishedEditions(in: place, openLike: model)
      guard !nights.isEmpty, !published.all.isEmpty || place.status(of: Publication.pageName) != nil
      else { return }
      try CalendarPage(nights, published: published, leavingOut: []).show(in: place)
      try place.synchronize()
    }
  }
}
