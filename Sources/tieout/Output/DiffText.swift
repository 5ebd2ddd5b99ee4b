import ExactText
import Page
import Reports
import Runs

/// The difference between two editions, for a terminal or as CSV.
struct DiffText {
  private let diff: EditionDiff
  private let before: String
  private let after: String
  private let limit: Int
  private let isCSV: Bool

  /// - Parameter limit: The maximum number of rows of each statement.
  init(_ diff: EditionDiff, limit: Int, isCSV: Bool) {
    self.diff = diff
    before = diff.name(of: diff.before)
    after = diff.name(of: diff.after)
    self.limit = limit
    self.isCSV = isCSV
  }

  /// Writes the differences of these statements, or of all, to standard output.
  func write(_ statements: [String]) throws {
    if isCSV {
      try Self.writeFields(["statement", "change", "row", "column", "before", "after"])
    } else {
      try StandardOutput.writeLine("From \(before) to \(after)")
      if diff.before == diff.after {
        try StandardOutput.writeLine(
          "Both are the same edition. A day stands for its newest edition, and "
            + "\(diff.before.day).1 for its first one.")
      }
    }
    try diff.statements(statements) { statement in
      if !isCSV {
        try StandardOutput.writeLine("\n\(summary(of: statement))")
        if let words = notCompared(of: statement) {
          try StandardOutput.writeLine(Visible.text("  \(words)"))
        }
      }
      try statement.rows(atMost: limit) { row in
        if isCSV { try Self.writeCSV(row, of: statement) } else { try Self.writeText(row) }
      }
      let counts = statement.counts
      let rest = counts.added + counts.removed + counts.changed - limit
      if !isCSV, rest > 0 {
        try StandardOutput.writeLine(
          "  … \(Figure.counted(rest, "more rows")): --limit or --format csv shows them")
      }
    }
    guard !isCSV, statements.isEmpty else { return }
    let others = diff.otherFiles()
    for (words, names) in [
      ("Not compared row by row, but different", others.different),
      ("Only in \(before)", others.before),
      ("Only in \(after)", others.after),
    ] where !names.isEmpty {
      try StandardOutput.writeLine("\n\(words): \(names.joined(separator: ", "))")
    }
  }

  private func summary(of statement: StatementDiff) -> String {
    switch statement.isThere {
    case (false, false): return "\(statement.name): in neither"
    case (true, false): return "\(statement.name): only in \(before)"
    case (false, true): return "\(statement.name): only in \(after)"
    case (true, true): break
    }
    let counts = statement.counts
    let parts = [
      (counts.removed, "removed"), (counts.added, "added"), (counts.changed, "changed"),
      (statement.same, "the same"),
    ].filter { $0.0 > 0 }.map { "\(Figure.grouped($0.0)) \($0.1)" }
    return "\(statement.name): " + (parts.isEmpty ? "no rows" : parts.joined(separator: ", "))
  }

  /// What is not compared because one of the editions begins later.
  private func notCompared(of statement: StatementDiff) -> String? {
    guard statement.earlier > 0, let window = diff.window else { return nil }
    return "Not compared: \(Figure.counted(statement.earlier, "rows")) about days before "
      + "\(window.since), the revenue_since of \(diff.name(of: window.edition))"
  }

  private static func writeText(_ row: StatementDiff.Row) throws {
    let identity = row.identity.joined(separator: " ")
    let line =
      switch row.change {
      case .removed: "  - \(identity)\(rest(of: row) { $0.before })"
      case .added: "  + \(identity)\(rest(of: row) { $0.after })"
      case .changed:
        "  ~ \(identity): "
          + row.values.map { value in
            "\(value.column) \(word(value.before)) → \(word(value.after))"
          }.joined(separator: ", ")
      }
    try StandardOutput.writeLine(Visible.text(line))
  }

  /// The values of a row that are not part of its identity.
  private static func rest(
    of row: StatementDiff.Row, _ value: (StatementDiff.Value) -> String?
  ) -> String {
    let words = row.values.compactMap { one -> String? in
      guard let text = value(one), !row.identity.contains(text) else { return nil }
      return "\(one.column) \(text)"
    }
    return words.isEmpty ? "" : ": \(words.joined(separator: ", "))"
  }

  private static func word(_ value: String?) -> String {
    value.map { $0.isEmpty ? "empty" : $0 } ?? "empty"
  }

  private static func writeCSV(_ row: StatementDiff.Row, of statement: StatementDiff) throws {
    for value in row.values {
      try writeFields([
        statement.name, row.change.rawValue, row.identity.joined(separator: " "), value.column,
        value.before ?? "", value.after ?? "",
      ])
    }
  }

  /// A row as RFC 4180 has it; the values come from statements, where no text is a formula.
  private static func writeFields(_ fields: [String]) throws {
    let line = fields.map { field in
      field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        ? "\"\(field.withDoubledQuotes)\"" : field
    }.joined(separator: ",")
    try StandardOutput.write("\(line)\r\n")
  }
}
