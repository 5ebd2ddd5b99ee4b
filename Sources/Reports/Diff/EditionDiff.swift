import FileSystem
import ReconciliationSQL
package import Runs

/// The difference between two editions, statement by statement.
package struct EditionDiff {
  /// The edition that the difference starts from.
  package let before: Edition
  /// The edition that the difference leads to.
  package let after: Edition
  private let reports: String

  /// The names of all statements, without `.csv`.
  package static let statementNames = Report.all.filter(\.isStatement).map(\.query.subject)

  /// Finds the two editions.
  ///
  /// - Parameters:
  ///   - reports: The reports folder.
  ///   - before: A day, which stands for its newest edition; an edition such as `2026-11-20.2`, or
  ///     `2026-11-20.1` for the first one; or `latest`.
  ///   - after: The same.
  /// - Throws: ``ReconciliationError`` with `unknown`; with `reports` if the folder is there and
  ///   cannot be opened.
  package init(reports: String, before: String, after: String) throws {
    self.reports = reports
    let place = try OpenFolder.reports(reports)
    let published = try PublishedEditions(in: place)
    self.before = try published.edition(before, in: place)
    self.after = try published.edition(after, in: place)
  }

  /// The other CSV files that are not the same in both editions, in alphabetical order.
  ///
  /// An edition whose list of checksums cannot be read is not compared.
  ///
  /// - Throws: ``ReconciliationError`` with `reports` if the folder cannot be opened.
  package func otherFiles() throws -> [String] {
    let place = try OpenFolder.reports(reports)
    let sums = [before, after].map { EditionSums.read($0, in: place) }
    guard sums.allSatisfy({ !$0.isEmpty }) else { return [] }
    return Report.all.filter { !$0.isStatement }.map(\.fileName).sorted()
      .filter { sums[0][$0] != sums[1][$0] }
  }

  /// Compares the statements with these names, or all, and calls `body` with each comparison.
  package func statements(_ names: [String] = [], _ body: (StatementDiff) throws -> Void) throws {
    for report in Report.all where report.isStatement {
      guard names.isEmpty || names.contains(report.query.subject) else { continue }
      try body(
        StatementDiff(
          report, before: "\(reports)/\(before.folder)", after: "\(reports)/\(after.folder)"))
    }
  }
}
