import PostgreSQL

extension Summary {
  /// A period of hours in which a server that usually logs deliveries logged none.
  public struct Silence: Sendable, Equatable {
    /// The server.
    public let source: String
    /// When the first silent hour began, RFC 3339 in UTC.
    public let begin: String
    /// When the last one ended.
    public let end: String
  }

  /// The property that the missing deliveries have in common most of all.
  public struct Cause: Sendable, Equatable {
    /// One or two properties, each with its dimension (`server`, `purchase_hour`, …) and its value.
    public let properties: [Property]
    /// The number of missing deliveries that have the property.
    public let missing: Int
    /// The number of all missing deliveries that became due in the days that were examined.
    public let allMissing: Int
    /// The share of all owed deliveries that has the property, in per cent.
    public let owedPercent: Int
  }

  /// One property of a delivery.
  public struct Property: Sendable, Equatable {
    /// The name of the dimension in `causes.csv`.
    public let dimension: String
    /// Its value.
    public let value: String
  }

  /// Reads the number of uncertain missing deliveries, and what the others have in common.
  mutating func readMissing(from database: Connection) throws {
    let unknown = try database.run(
      "select count(*) from carried_missing_delivery where reason = 'no_records'", step: "summary")
    unknownMissing = unknown.first.flatMap { Int($0) } ?? 0
    if unknownMissing > 0 { silences = try Self.silences(in: database) }
    let strongest = try database.run(
      """
      select
          dimension,
          property,
          second_dimension,
          second_property,
          missing,
          all_missing,
          round(100 * owed_share)
      from cause
      where place = 1
      """, step: "summary")
    guard let row = strongest.values.first, row.count == 7 else { return }
    let pairs = [(row[0], row[1]), (row[2], row[3])]
    cause = Cause(
      properties: pairs.compactMap { dimension, value in
        dimension.map { Property(dimension: $0, value: value ?? "") }
      },
      missing: row[4].flatMap { Int($0) } ?? 0, allMissing: row[5].flatMap { Int($0) } ?? 0,
      owedPercent: row[6].flatMap { Int($0) } ?? 0)
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
                  and source_product.day >= (missing.purchased_at at time zone 'UTC')::date - 14
                  and source_product.day < (missing.purchased_at at time zone 'UTC')::date
          )
      order by 2 desc, 1
      """, step: "summary")
    return rows.values.map { row in
      Silence(source: row[0] ?? "", begin: row[1] ?? "", end: row[2] ?? "")
    }
  }
}
