import CanonicalJSON
import PostgreSQL
import ReconciliationSQL
import Runs

/// A closing of another period that shared a day with a new closing, and was reopened before it.
///
/// A month can be closed again in two halves, for example.
package struct OverlappingClosing: Sendable {
  /// The name of its pack.
  package let pack: String
  /// Its first and last day, YYYY-MM-DD.
  package let days: (first: String, last: String)
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
  /// The element of the new pack's manifest.
  let json: CanonicalJSON

  /// Reads them in the transaction of the new closing, in the order of their days.
  static func all(in database: Connection) throws -> [OverlappingClosing] {
    try database.run(SQLFile.periodOverlapping).records.map { try OverlappingClosing($0) }
  }

  private init(_ row: Row) throws {
    pack = ClosingPack.name(of: row.text("period"), edition: try row.count("edition"))
    days = (row.text("first_day"), row.text("last_day"))
    preparer = row.text("prepared_by")
    preparedAt = row.text("prepared_at")
    reopener = row.text("reopened_by")
    reopenedAt = row.text("reopened_at")
    because = row.text("reopened_because")
    json = .object(
      [.init("pack", .string(pack))]
        + [
          "pack_sha256", "first_day", "last_day", "prepared_by", "prepared_at", "reopened_by",
          "reopened_at", "reopened_because",
        ].map { .init($0, .string(row.text($0))) })
  }
}
