import Findings
import Foundation
import Page

/// The output of `tieout findings`.
enum FindingsText {
  /// A table with one line per finding, at most `width` columns wide.
  ///
  /// If the terminal is narrow, the reason and the middle of the subject are left out. If it is too
  /// narrow for that, subject and reason are on a second line.
  static func table(_ rows: [FindingList.Row], of all: Int, width: Int) -> String {
    guard !rows.isEmpty else { return "No finding matches.\n" }
    var header = ["finding", "level", "status", "days", "rule", "subject", "reason"]
    var lines = rows.map { row in
      [
        row.name, row.level, row.status, "\(row.ageDays)", row.rule,
        Visible.text(row.shownSubject), row.reason ?? "",
      ]
    }
    let widths = header.indices.map { column in
      lines.reduce(header[column].count) { max($0, TextWidth.columns(of: $1[column])) }
    }
    let between = 2
    var room = width - widths[0..<5].reduce(0) { $0 + $1 + between }
    var table: String
    if room < min(widths[5], readableSubject) {
      table = onTwoLines(header, lines, of: rows, width: width)
    } else {
      if room - between - widths[6] >= min(widths[5], readableSubject) {
        room -= between + widths[6]
      } else {
        header.removeLast()
        for line in lines.indices { lines[line].removeLast() }
      }
      for line in lines.indices {
        lines[line][5] = TextWidth.withoutMiddle(lines[line][5], above: room)
      }
      table = TextTable(header: header, rows: lines).text
    }
    if rows.count < all {
      table += "\(Figure.counted(all - rows.count, "more findings")). --limit \(all) shows all.\n"
    }
    return table
  }

  /// The columns before the subject as a table, and subject and reason below each of its lines.
  private static func onTwoLines(
    _ header: [String], _ cells: [[String]], of rows: [FindingList.Row], width: Int
  ) -> String {
    let table = TextTable(header: Array(header[0..<5]), rows: cells.map { Array($0[0..<5]) })
    let lines = table.text.split(separator: "\n")
    let below = zip(cells, rows).map { cells, row in
      let reason = cells[6].isEmpty || row.isReasonInSubject ? "" : "  \(cells[6])"
      let room = max(4, width - 2 - TextWidth.columns(of: reason))
      return "  \(TextWidth.withoutMiddle(cells[5], above: room))\(reason)"
    }
    return "\(lines[0])\n" + zip(lines.dropFirst(), below).map { "\($0)\n\($1)\n" }.joined()
  }

  /// The columns of the subject that must fit before the reason is shown.
  private static let readableSubject = 24

  /// A JSON array with one finding per line and sorted keys.
  static func json(_ rows: [FindingList.Row]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let lines = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}
