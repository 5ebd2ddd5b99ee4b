import CanonicalJSON
import PostgreSQL
import ReconciliationSQL
import Runs

/// A closing that was reopened before a new closing of the same days.
package struct ReopenedClosing: Sendable {
  /// The name of its pack.
  package let pack: String
  /// The person who closed it.
  package let preparer: String
  /// When it was closed.
  package let preparedAt: String
  /// The person who reopened it.
  package let reopener: String
  /// When it was reopened.
  package let reopenedAt: String
  /// Why it was reopened.
  package let because: String
  /// What the new pack's manifest says about it.
  fileprivate let members: [CanonicalJSON.Member]

  fileprivate init(of period: String, _ row: Row) throws {
    pack = ClosingPack.name(of: period, closing: try row.count("closing"))
    preparer = row.text("prepared_by")
    preparedAt = row.text("prepared_at")
    reopener = row.text("reopened_by")
    reopenedAt = row.text("reopened_at")
    because = row.text("reopened_because")
    members =
      [.init("pack", .string(pack))]
      + [
        "pack_sha256", "prepared_by", "prepared_at", "reopened_by", "reopened_at",
        "reopened_because",
      ].map { .init($0, .string(row.text($0))) }
  }
}

/// The closing of a period before it was reopened and closed again.
package struct PreviousClosing: Sendable {
  /// Who closed and reopened it.
  package let closing: ReopenedClosing
  /// How the new pack differs from this one, in words; nil if the numbers are the same.
  package let difference: String?
  /// The member of the new pack's manifest.
  let json: CanonicalJSON

  /// Reads it in the transaction of the new closing; nil if the period was never closed before.
  static func of(_ period: Period, in database: Connection) throws -> PreviousClosing? {
    try database.run(SQLFile.periodPrevious).records.first.map { row in
      let closing = try ReopenedClosing(of: period.name, row)
      let changes = try PeriodDifference(row)
      return PreviousClosing(
        closing: closing, difference: changes.words,
        json: .object(closing.members + [.init("difference", changes.json)]))
    }
  }
}

/// A closing of another period that shared a day with a new closing, and was reopened before it.
///
/// A month can be closed again in two halves, for example.
package struct OverlappingClosing: Sendable {
  /// Who closed and reopened it.
  package let closing: ReopenedClosing
  /// Its first and last day, YYYY-MM-DD.
  package let days: (first: String, last: String)
  /// The element of the new pack's manifest.
  let json: CanonicalJSON

  /// Reads them in the transaction of the new closing, in the order of their days.
  static func all(in database: Connection) throws -> [OverlappingClosing] {
    try database.run(SQLFile.periodOverlapping).records.map { row in
      let closing = try ReopenedClosing(of: row.text("period"), row)
      let days = (first: row.text("first_day"), last: row.text("last_day"))
      return OverlappingClosing(
        closing: closing, days: days,
        json: .object(
          closing.members + [
            .init("first_day", .string(days.first)), .init("last_day", .string(days.last)),
          ]))
    }
  }
}
