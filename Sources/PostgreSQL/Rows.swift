/// What a statement returned: every value as PostgreSQL's text, or nil for null.
public struct Rows: Sendable {
  /// The columns' names.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let values: [[String?]]
  /// How many rows were written, by all statements of the text together.
  ///
  /// Rows of a new table count, rows that a query merely gives do not.
  public let affected: Int

  /// The rows with each value under its column's name; a missing value has no entry.
  public var records: [[String: String]] {
    values.map { row in
      var record: [String: String] = [:]
      for (place, column) in columns.enumerated() { record[column] = row[place] }
      return record
    }
  }

  /// The first row's first value.
  public var first: String? { values.first?.first ?? nil }
}
