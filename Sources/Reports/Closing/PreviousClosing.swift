import CanonicalJSON
import PostgreSQL
import ReconciliationSQL
import Runs

/// The closing of a period before it was reopened and closed again.
package struct PreviousClosing: Sendable {
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
  /// How the new pack differs from this one, in words; nil if the amounts are the same.
  package let difference: String?
  /// The member of the new pack's manifest.
  let json: CanonicalJSON

  /// Reads it in the transaction of the new closing; nil if the period was never closed before.
  static func of(_ period: Period, in database: Connection) throws -> PreviousClosing? {
    try database.run(SQLFile.periodPrevious).records.first.map { row in
      try PreviousClosing(of: period, row)
    }
  }

  private init(of period: Period, _ row: Row) throws {
    pack = ClosingPack.name(of: period.name, edition: try row.count("edition"))
    preparer = row.text("prepared_by")
    preparedAt = row.text("prepared_at")
    reopener = row.text("reopened_by")
    reopenedAt = row.text("reopened_at")
    because = row.text("reopened_because")
    let changes = try PeriodDifference(row.text("difference"))
    difference = changes.words
    json = .object(
      [.init("pack", .string(pack)), .init("difference", changes.json)]
        + [
          "pack_sha256", "prepared_by", "prepared_at", "reopened_by", "reopened_at",
          "reopened_because",
        ].map { .init($0, .string(row.text($0))) })
  }
}
