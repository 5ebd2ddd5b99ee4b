import PostgreSQL
import Reports

extension Summary {
  /// A period of hours in which a server that usually logs deliveries logged none.
  package struct Silence: Sendable, Equatable {
    /// The server.
    package let source: String
    /// When the first silent hour began, RFC 3339 in UTC.
    package let begin: String
    /// When the last one ended.
    package let end: String
  }

  /// Reads the number of uncertain missing deliveries, and what the others have in common.
  mutating func readMissing(from database: Connection) throws {
    let unknown = try database.run(
      "select count(*) from carried_missing_delivery where reason = 'no_records'", step: "summary")
    unknownMissing = unknown.first.flatMap { Int($0) } ?? 0
    if unknownMissing > 0 { silences = try Self.silences(in: database) }
    cause = try Cause.strongest(in: database)
  }

  /// The silent periods that make missing deliveries uncertain, the newest first.
  private static func silences(in database: Connection) throws -> [Silence] {
    let rows = try database.run(
      """
      select distinct
          silence.server,
          csv_instant(silence.begins_at),
          csv_instant(silence.ends_at)
      from silence
      inner join carried_missing_delivery as missing
          on missing.due_at >= silence.begins_at and missing.purchased_at < silence.ends_at
      where
          missing.reason = 'no_records'
          and exists (
              select
              from source_product
              where
                  source_product.product_id = missing.product_id
                  and source_product.server = silence.server
                  and is_served_before(
                      (missing.purchased_at at time zone 'UTC')::date, source_product.days
                  )
          )
      order by 2 desc, 1
      """, step: "summary")
    return rows.values.map { row in
      Silence(source: row[0] ?? "", begin: row[1] ?? "", end: row[2] ?? "")
    }
  }
}
