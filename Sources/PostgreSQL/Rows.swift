/// The result of a statement: each value in PostgreSQL's text format, or nil for null.
public struct Rows: Sendable {
  /// The columns' names.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let values: [[String?]]
  /// The number of rows that all statements of the text wrote.
  ///
  /// Rows that `create table as` writes count. Rows that a query returns do not.
  public let affected: Int

  /// The rows as dictionaries from column name to value; a null value has no entry.
  public var records: [[String: String]] {
    values.map { row in
      var record: [String: String] = [:]
      for (place, column) in columns.enumerated() { record[column] = row[place] }
      return record
    }
  }

  /// The first value of the first row.
  public var first: String? { values.first?.first ?? nil }
}
