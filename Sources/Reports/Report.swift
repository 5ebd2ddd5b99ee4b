package import ReconciliationSQL

/// One CSV file of a day's folder.
///
/// The header of its file in `sql/reports/` declares it, in one line for each word.
package struct Report: Hashable, Sendable, CustomStringConvertible {
  /// The query whose select list is the header of the CSV file.
  package let query: SQLFile
  /// Whether it depends only on the data and as-of, and not on the runs of its day.
  package let isStatement: Bool
  /// Whether a run that would change it publishes another edition of its day.
  ///
  /// The control totals and the list of inputs say what each run read, and the roll-forward and the
  /// restatement compare with earlier runs. So these four can differ although nothing else does.
  package let makesEdition: Bool
  /// Whether the workbook has a sheet of it: each statement, the roll-forward and the restatement.
  package let hasSheet: Bool
  /// Whether its sheet in the workbook ends with the sums of each currency and source.
  package let hasTotals: Bool
  /// The rule whose findings it shows, each in at least one row; nil for other reports.
  package let rule: String?
  /// The columns that say what a row is about, so that it is the same row in another edition.
  ///
  /// Nil for a report that is no statement.
  package let identity: [String]?
  /// The columns that change with as-of alone; `tieout diff` ignores them.
  package let columnsOfAsOf: Set<String>
  /// The column of which only the month identifies a row, because the last period ends at as-of.
  package let columnOfMonth: String?
  /// The column with the last day of a period that, while it is pending, ends at as-of.
  package let columnOfPendingEnd: String?

  /// Every report, in the order in which they are written: the statements first.
  package static let all = SQLFile.reports.map { file in
    guard let report = Report(file) else { fatalError("\(file) does not declare its report") }
    return report
  }

  /// Reads the declaration in the header of a file.
  ///
  /// Returns nil if a line is missing, comes twice, or has another value than those that
  /// CONTRIBUTING.md describes.
  package init?(_ file: SQLFile) {
    let header = SQLHeader(file)
    guard
      let kind = header.text("Kind"), ["statement", "night paper"].contains(kind),
      let edition = header.text("Edition"), ["yes", "no"].contains(edition),
      let sheet = header.text("Sheet"), ["with totals", "without totals", "none"].contains(sheet),
      let rule = header.text("Rule"),
      // Only statements are compared with those of another edition.
      let identity = kind == "statement" ? header.values("Identity") : [],
      let changing = kind == "statement" ? header.values("As-of") : []
    else { return nil }
    query = file
    isStatement = kind == "statement"
    makesEdition = edition == "yes"
    hasSheet = sheet != "none"
    hasTotals = sheet == "with totals"
    self.rule = rule == "none" ? nil : rule
    self.identity = isStatement ? identity : nil
    var columns: [String: String] = [:]
    for column in changing where column != "none" {
      let words = column.split(separator: " ", maxSplits: 1)
      guard let name = words.first else { return nil }
      columns[String(name)] = words.count > 1 ? String(words[1]) : ""
    }
    guard columns.values.allSatisfy({ ["", Self.exceptMonth, Self.ifPending].contains($0) })
    else { return nil }
    columnsOfAsOf = Set(columns.keys)
    columnOfMonth = columns.first { $0.value == Self.exceptMonth }?.key
    columnOfPendingEnd = columns.first { $0.value == Self.ifPending }?.key
  }

  private static let exceptMonth = "(except its month)"
  private static let ifPending = "(if pending)"

  /// The file's name in the day's folder.
  package var fileName: String { "\(query.subject).csv" }

  /// A short description: the text of its query's comment between the first colon and the full
  /// stop.
  package var contents: String {
    let comment = query.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
      .map { $0.dropFirst(3) }.joined(separator: " ")
    let words = comment.drop { $0 != ":" }.dropFirst(2)
    return String(words.prefix { $0 != "." })
  }

  /// The file's name, which is how tests and logs show it.
  package var description: String { fileName }
}
