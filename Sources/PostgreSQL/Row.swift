/// One row of a result, with its values by column name.
///
/// The name of a column that the query does not return is a mistake in the program; a debug build
/// stops there.
package struct Row: Sendable {
  /// The place of each column, shared by all rows of the result.
  private let places: [String: Int]
  private let cells: [String?]

  init(places: [String: Int], cells: [String?]) {
    self.places = places
    self.cells = cells
  }

  /// The value in PostgreSQL's text format, or nil for null.
  package subscript(column: String) -> String? {
    guard let place = places[column] else {
      assertionFailure("The query returns no column \(column).")
      return nil
    }
    return cells[place]
  }

  /// Whether the query returns the column.
  package func has(_ column: String) -> Bool { places[column] != nil }

  /// The value, or empty text for null.
  package func text(_ column: String) -> String { self[column] ?? "" }

  /// The number, or nil for null and for a value that is not a whole number.
  package func number(_ column: String) -> Int? { self[column].flatMap { Int($0) } }

  /// The `bigint`, or nil for null and for a value that is not a whole number.
  package func bigint(_ column: String) -> Int64? { self[column].flatMap { Int64($0) } }

  /// The number, or 0 for null.
  ///
  /// - Throws: ``PostgreSQLError`` for another value, so that nothing wrong is counted as 0.
  package func count(_ column: String) throws(PostgreSQLError) -> Int {
    guard let text = self[column] else { return 0 }
    guard let number = Int(text) else {
      throw .unexpected("The value of the column \(column) is not a whole number of 64 bits.")
    }
    return number
  }

  /// The value of a column that is never null.
  ///
  /// - Throws: ``PostgreSQLError`` for null, and if `read` returns nil.
  package func required<Value>(
    _ column: String, _ read: (String) -> Value?
  ) throws(PostgreSQLError) -> Value {
    guard let value = self[column].flatMap(read) else {
      throw .unexpected("The value of the column \(column) is missing or not valid.")
    }
    return value
  }

  /// Whether the value is true; null is not.
  package func flag(_ column: String) -> Bool { self[column] == "t" }

  /// All values that are not null, by column name.
  package var values: [String: String] { places.compactMapValues { cells[$0] } }
}
