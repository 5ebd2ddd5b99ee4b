/// A table drawn as text: columns separated by ` | `, with their names in the first line.
///
/// Lines of dashes, empty lines, and blanks around a value are ignored.
package struct DrawnTable: Equatable {
  /// The columns' names.
  package let header: [String]
  /// The rows; a missing value is empty.
  package let rows: [[String]]

  /// Makes a table from its parts.
  package init(header: [String], rows: [[String]]) {
    self.header = header
    self.rows = rows
  }

  /// Reads a drawn table.
  package init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingWhitespace() }
      .filter { !$0.isEmpty && !$0.allSatisfy { "-+|".contains($0) } }
      .map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map {
          String($0.trimmingWhitespace())
        }
      }
    header = lines.first ?? []
    let width = header.count
    rows = lines.dropFirst().map { row in
      // An empty last cell may be left out together with its bar.
      row + Array(repeating: "", count: max(0, width - row.count))
    }
  }

  /// The rows as values by column; missing values are left out.
  package var records: [[String: String]] {
    rows.map { row in
      var record: [String: String] = [:]
      for (column, value) in zip(header, row) where !value.isEmpty { record[column] = value }
      return record
    }
  }

  /// The table with only these columns.
  package func columns(_ names: [String]) -> DrawnTable {
    let indices = names.compactMap { place(of: $0) }
    return DrawnTable(
      header: indices.map { header[$0] }, rows: rows.map { row in indices.map { row[$0] } })
  }

  /// The rows in which a column has a value.
  package func rows(where column: String, is value: String) -> DrawnTable {
    guard let index = place(of: column) else { return self }
    return DrawnTable(header: header, rows: rows.filter { $0[index] == value })
  }

  /// The place of a column; nil in a table without a header.
  ///
  /// A test that misspells a column would compare nothing, so the tests end.
  private func place(of column: String) -> Int? {
    if let place = header.firstIndex(of: column) { return place }
    guard header.isEmpty else { fatalError("There is no column \(column) in \(header).") }
    return nil
  }

  /// The table drawn again, with aligned columns.
  package var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = row.indices.map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }.joined(separator: " | ")
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

extension StringProtocol {
  fileprivate func trimmingWhitespace() -> SubSequence {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return text
  }
}

/// The columns with numbers that depend on the order in which files were loaded, as an SQL array.
///
/// Databases with the same records can differ in them, so `to_jsonb(row) - …` removes them before
/// rows are compared.
package let numbersOfLoading = """
  '{file_id,last_file_id,line,product_number,transaction_number,original_number,line_item_number}'::text[]
  """
