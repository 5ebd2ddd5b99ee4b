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

  /// The answer of a query that asks one question: the first value of the first row, a `boolean`.
  ///
  /// - Throws: ``PostgreSQLError`` if the query returned no row, null or another value, so that a
  ///   missing answer is not taken for no.
  package var isTrue: Bool {
    get throws(PostgreSQLError) {
      guard let first, ["t", "f"].contains(first) else {
        throw .unexpected("The query did not return true or false.")
      }
      return first == "t"
    }
  }

  /// The number that a query returns as the first value of the first row.
  ///
  /// - Throws: ``PostgreSQLError`` if the query returned no row, null or another value, so that
  ///   nothing missing is counted as 0.
  package var number: Int {
    get throws(PostgreSQLError) {
      guard let number = first.flatMap({ Int($0) }) else {
        throw .unexpected("The query did not return a whole number of 64 bits.")
      }
      return number
    }
  }
}
