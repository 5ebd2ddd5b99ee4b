/// The result of a query: each value in PostgreSQL's text format, or nil for null.
package struct Rows: Sendable {
  /// The columns' names.
  package let columns: [String]
  /// The rows, each with a value for every column.
  package let values: [[String?]]
  /// The number of rows that all SQL commands of the text wrote.
  ///
  /// Rows that `create table as` writes count. Rows that a query returns do not.
  package let affected: Int

  /// The rows with their values by column name.
  package var records: [Row] {
    let places = Dictionary(
      columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return values.map { Row(places: places, cells: $0) }
  }

  /// The first value of the first row.
  package var first: String? { values.first?.first ?? nil }
}
