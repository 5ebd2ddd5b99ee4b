import PostgreSQL

/// A row with its values by column name.
struct NamedRow {
  private let values: [String: String]

  /// The rows of a result.
  static func all(of rows: Rows) -> [NamedRow] {
    rows.records.map { NamedRow(values: $0) }
  }

  /// A value, or nil where it is missing.
  subscript(column: String) -> String? { values[column] }

  /// A value, or empty text where it is missing.
  func text(_ column: String) -> String { values[column] ?? "" }

  /// A number, or nil where it is missing.
  func number(_ column: String) -> Int? { values[column].flatMap { Int($0) } }

  /// The key of the thing that the row is about.
  var thing: [String] { [text("environment"), text("thing_key")] }
}
