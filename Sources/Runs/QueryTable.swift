package import PostgreSQL

/// The result of a query as text, to be shown to people.
package struct QueryTable: Sendable {
  /// The columns' names.
  package let header: [String]
  /// The rows; missing values are empty.
  package let rows: [[String]]

  /// Takes the result of a query.
  ///
  /// - Parameter units: The columns whose heading is their unit, with that heading.
  package init(_ result: Rows, units: [String: String] = [:]) {
    header = result.columns.map { units[$0] ?? $0 }
    rows = result.values.map { row in row.map { $0 ?? "" } }
  }
}
