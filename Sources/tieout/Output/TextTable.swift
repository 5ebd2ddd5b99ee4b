import Runs

/// A table for a terminal: columns as wide as their widest value, numbers to the right.
struct TextTable {
  let header: [String]
  let rows: [[String]]

  var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in
      all.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    let isNumber = header.indices.map { column in
      !rows.isEmpty
        && rows.allSatisfy { row in
          row[column].drop { $0 == "-" }.allSatisfy { $0.isNumber || ",.".contains($0) }
        }
    }
    return all.map { row in
      var line = ""
      for column in row.indices {
        line +=
          (column == 0 ? "" : "  ")
          + TextWidth.padded(row[column], to: widths[column], onLeft: isNumber[column])
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

extension TextTable {
  /// A table from the database, which can contain names and texts from outside.
  init(_ table: QueryTable) {
    self.init(header: table.header, rows: table.rows.map { $0.map { Visible.text($0) } })
  }
}
