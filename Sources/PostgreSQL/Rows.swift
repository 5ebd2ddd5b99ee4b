/// What a statement returned: every value as PostgreSQL's text, or nil for null.
public struct Rows: Sendable {
  /// The columns' names.
  public let columns: [String]
  /// The rows, each with a value for every column.
  public let values: [[String?]]
  /// How many rows the statement touched, as the server tells it; 0 where it does not.
  public let affected: Int

  /// The first row's first value.
  public var first: String? { values.first?.first ?? nil }
}
