/// The result of a query: each value in PostgreSQL's text format, or nil for null.
public struct Rows: Sendable {
  /// The columns' names.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let values: [[String?]]
  /// The number of rows that all SQL commands of the text wrote.
  ///
  /// Rows that `create table as` writes count. Rows that a query returns do not.
  public let affected: Int

  /// The rows with their values by column name.
  public var records: [Row] {
    let places = Dictionary(
      columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return values.map { Row(places: places, cells: $0) }
  }

  /// The first value of the first row.
  public var first: String? { values.first?.first ?? nil }
}
