import CXlsxWriter

extension Workbook {
  /// A table of the overview.
  package struct Table {
    let caption: String
    let columns: [String]
    let rows: [[String?]]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns; they decide how the values are written.
    ///   - rows: The values as a CSV file has them, in the order of the columns.
    package init(caption: String, columns: [String], rows: [[String?]]) {
      self.caption = caption
      self.columns = columns
      self.rows = rows
    }
  }

  /// Writes a sheet with several tables, one below the other.
  ///
  /// It must be written before the first statement begins.
  package func writeOverview(_ name: String, title: String, _ tables: [Table]) throws(WorkbookError)
  {
    try addSheet(name)
    let most = tables.map(\.columns.count).max() ?? 1
    widths = [30] + Array(repeating: 16, count: max(most, 2) - 1)
    try write(.text(title), at: 0, isTotal: true)
    for table in tables {
      row += 2
      try write(.text(table.caption), at: 0, isTotal: true)
      row += 1
      for (place, column) in table.columns.enumerated() {
        let format = formats.header(of: ColumnKind(column: column))
        worksheet_write_string(worksheet, row, UInt16(place), column, format)
      }
      for values in table.rows {
        row += 1
        for (place, (column, value)) in zip(table.columns, values).enumerated() {
          let field = Array((value ?? "").utf8)[...]
          let kind = ColumnKind(column: column)
          try write(kind.value(of: field), at: place, of: kind)
        }
      }
    }
    try completeSheet()
  }
}
