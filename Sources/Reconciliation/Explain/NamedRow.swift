import PostgreSQL

/// A row whose values are asked for by the names of their columns.
struct NamedRow {
  private let values: [String: String]

  /// The rows of a result.
  static func all(of rows: Rows) -> [NamedRow] {
    rows.records.map { NamedRow(values: $0) }
  }

  /// A value, or nil where it is missing.
  subscript(column: String) -> String? { values[column] }

  /// A value that is never missing.
  func text(_ column: String) -> String { values[column] ?? "" }

  /// A number, or nil where it is missing.
  func number(_ column: String) -> Int? { values[column].flatMap { Int($0) } }

  /// What ties a row to the thing that it is about.
  var thing: [String] { [text("environment"), text("thing_key")] }
}
