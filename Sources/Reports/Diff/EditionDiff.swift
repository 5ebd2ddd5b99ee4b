import FileSystem
import ReconciliationSQL
package import Runs

/// The difference between two editions, statement by statement.
package struct EditionDiff {
  /// The edition that the difference starts from.
  package let before: Edition
  /// The edition that the difference leads to.
  package let after: Edition
  /// The days that both cover, if one of them begins later and their manifests say so.
  package let window: StatementWindow?
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
    if let old = Self.manifest(of: self.before, in: place),
      let new = Self.manifest(of: self.after, in: place)
    {
      window = StatementWindow(old, new)
    } else {
      window = nil
    }
  }

  /// The manifest of an edition; nil if it cannot be read.
  private static func manifest(of edition: Edition, in place: OpenFolder) -> Manifest? {
    let file = FilePlace("\(edition.folder)/\(Manifest.fileName)", in: place)
    guard let bytes = try? file.contents(atMost: Manifest.mostBytes) else { return nil }
    return try? Manifest(reading: bytes)
  }

  /// The other CSV files that are not the same in both editions, in alphabetical order.
  ///
  /// - Returns: those whose bytes differ, and those that only one of the editions has.
  /// - Throws: ``ReconciliationError`` with `reports` if a file is there and cannot be read.
  package func otherFiles() throws -> (different: [String], before: [String], after: [String]) {
    var different: [String] = []
    var onlyBefore: [String] = []
    var onlyAfter: [String] = []
    for name in Report.all.filter({ !$0.isStatement }).map(\.fileName).sorted() {
      switch try (sum(of: name, in: before), sum(of: name, in: after)) {
      case (nil, nil): break
      case (_, nil): onlyBefore.append(name)
      case (nil, _): onlyAfter.append(name)
      case (let old, let new): if old != new { different.append(name) }
      }
    }
    return (different, onlyBefore, onlyAfter)
  }

  /// The checksum of a file as it is now; nil if the edition does not have it.
  private func sum(of name: String, in edition: Edition) throws -> FileSum? {
    do {
      return try ReportFile.sum(of: FilePlace(anywhere: "\(reports)/\(edition.folder)/\(name)"))
    } catch let error as FileSystemError {
      guard !error.isNotThere else { return nil }
      throw ReconciliationError(.reports, "\(error). \(error.remedy)")
    }
  }

  /// Compares the statements with these names, or all, and calls `body` with each comparison.
  package func statements(_ names: [String] = [], _ body: (StatementDiff) throws -> Void) throws {
    for report in Report.all where report.isStatement {
      guard names.isEmpty || names.contains(report.query.subject) else { continue }
      try body(
        StatementDiff(
          report, before: "\(reports)/\(before.folder)", after: "\(reports)/\(after.folder)",
          in: window))
    }
  }
}
