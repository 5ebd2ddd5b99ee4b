import CanonicalJSON
import PostgreSQL

/// What has changed in the numbers of a period, by currency and source of amounts.
struct PeriodDifference {
  /// The array of a manifest or certificate.
  let json: CanonicalJSON
  /// The changes in words; nil if there are none.
  let words: String?

  /// - Parameter row: A row with the columns `difference` and `difference_words`.
  init(_ row: Row) throws {
    json = try CanonicalJSON(reading: Array(row.text("difference").utf8))
    words = row["difference_words"]
  }
}
