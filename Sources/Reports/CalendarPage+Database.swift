package import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension CalendarPage {
  /// The calendar of these nights, with the published editions.
  init(_ nights: [Night], published: PublishedEditions, leavingOut: Set<Edition>) {
    self.init(
      nights: nights,
      folders: published.all.filter { !leavingOut.contains($0) }.map { edition in
        Folder(
          day: edition.day, edition: edition.number, name: edition.folder,
          target: published.target(of: edition))
      })
  }

  /// Reads the nights of the calendar, in the transaction of the newest run.
  package static func nights(from database: Connection) throws(PostgreSQLError) -> [Night] {
    let packs = Dictionary(grouping: try database.run(SQLFile.pagePack).records) {
      $0.text("month_id")
    }
    return try database.run(SQLFile.pageCalendar).records.map { row throws(PostgreSQLError) in
      let skipped = try row.count("skipped")
      var night = try Night(
        day: row.text("day"), label: row.text("label"), month: row.text("month"),
        monthID: row.text("month_id"),
        state: row["state"].flatMap { Night.State(rawValue: $0) } ?? .failed,
        missing: row.count("missing"), uncertain: row.count("uncertain"),
        due: row.number("due"), unreadFiles: row.count("unread_files"),
        staleFeeds: row.count("stale_feeds"), errors: row.count("errors"),
        warnings: row.count("warnings"), infos: row.count("infos"),
        edition: row.number("edition"),
        skipped: skipped > 0
          ? Skipped(
            days: skipped, first: row.text("skipped_first"), last: row.text("skipped_last"))
          : nil)
      night.books = row["books_kind"].flatMap { Books.State(rawValue: $0) }.map {
        Books(state: $0, words: row.text("books"))
      }
      night.books?.packs = try (packs[night.monthID] ?? []).map { row throws(PostgreSQLError) in
        ClosingPack.name(of: row.text("period"), closing: try row.count("closing"))
      }
      return night
    }
  }
}
