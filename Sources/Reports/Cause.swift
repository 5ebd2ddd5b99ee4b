import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

/// The property, or pair of properties, that stands out most among the missing deliveries.
package struct Cause: Sendable, Equatable {
  /// One or two properties, each with its dimension (`server`, `purchase_hour`, …) and its value.
  package let properties: [Property]
  /// The number of missing deliveries that have the property.
  package let missing: Int
  /// The number of all missing deliveries that became due in the days that were examined.
  package let allMissing: Int
  /// The share of all owed deliveries that has the property, in whole per cent.
  package let owedPercent: Int

  /// The number of days that were examined.
  package let days: Int

  /// The cause in one sentence, the same in the summary, on the page and in the log.
  ///
  /// The values are from outside and are not escaped.
  package var sentence: String {
    let words = properties.map(\.words).joined(separator: " and ")
    let share = owedPercent == 0 ? "less than 1 %" : "\(owedPercent) %"
    return """
      Of the \(Figure.grouped(allMissing)) missing deliveries of the last \(days) days, \
      \(Figure.grouped(missing)) \(words), compared with \(share) of all owed deliveries.
      """
  }

  /// One property of a delivery.
  package struct Property: Sendable, Equatable {
    /// The name of the dimension in `causes.csv`.
    package let dimension: String
    /// Its value.
    package let value: String

    fileprivate var words: String {
      switch dimension {
      case "server": "came through \(value)"
      case "region": "came through region \(value)"
      case "app_version": "came from app version \(value)"
      case "product_id": "are of \(value)"
      case "product_type": "are \(value)"
      case "purchase_hour": "were bought between \(hours)"
      case "attempt_hour": "were attempted between \(hours)"
      // Causes have days in UTC, also where the other days are in the configured time zone.
      case "day": "were attempted or bought on \(value) (UTC)"
      default: "ended with the error “\(value)”"
      }
    }

    /// The hour that begins at the value: `14:00 and 15:00 UTC`.
    private var hours: String {
      let next = ((Int(value.prefix(2)) ?? 0) + 1) % 24
      return "\(value) and \(next < 10 ? "0" : "")\(next):00 UTC"
    }
  }

  /// The strongest cause; nil if nothing stands out.
  package static func strongest(in database: Connection) throws(PostgreSQLError) -> Cause? {
    guard let row = try database.run(SQLFile.pageCause).records.first else { return nil }
    let pairs = [("dimension", "property"), ("second_dimension", "second_property")]
    return try Cause(
      properties: pairs.compactMap { dimension, value in
        row[dimension].map { Property(dimension: $0, value: row[value] ?? "") }
      },
      missing: row.count("missing"), allMissing: row.count("all_missing"),
      owedPercent: row.count("owed_percent"), days: row.count("days"))
  }
}
