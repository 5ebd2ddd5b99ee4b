import FileSystem
import ReconciliationSQL
package import Runs

/// The difference between two editions, statement by statement.
package struct EditionDiff {
  /// The edition that the difference starts from.
  package var before: Edition { old.edition }
  /// The edition that the difference leads to.
  package var after: Edition { new.edition }
  /// The days that both cover, if one of them begins later.
  package let window: StatementWindow?
  private let reports: String
  private let published: PublishedEditions
  private let old: Manifest
  private let new: Manifest

  /// The names of all statements, without `.csv`.
  package static let statementNames = Report.all.filter(\.isStatement).map(\.query.subject)

  /// Finds the two editions and checks that they are what was published.
  ///
  /// - Parameters:
  ///   - reports: The reports folder.
  ///   - before: A day, which stands for its newest edition; an edition such as `2026-11-20.2`, or
  ///     `2026-11-20.1` for the first one; or `latest`.
  ///   - after: The same.
  /// - Throws: ``ProofFault`` if one of them is not; ``ReconciliationError`` with `unknown` if there
  ///   is none, with `reports` if something cannot be opened or read.
  package init(reports: String, before: String, after: String) throws {
    self.reports = reports
    let place = try OpenFolder.reports(reports)
    published = try PublishedEditions(in: place)
    let (one, other) = try (
      published.edition(before, in: place), published.edition(after, in: place)
    )
    old = try EditionProof(one, in: place).check().manifest
    new = try EditionProof(other, in: place).check().manifest
    window = StatementWindow(old, new)
  }

  /// The name that stands for an edition as an argument: its folder, or `2026-11-20.1` for the
  /// first one of a day that has several.
  package func name(of edition: Edition) -> String {
    published.newest(of: edition.day) == edition || edition.number > 1
      ? edition.folder : "\(edition.folder).1"
  }

  /// The other CSV files that are not the same in both editions, in alphabetical order.
  ///
  /// - Returns: those whose bytes differ, and those that only one of the editions has.
  package func otherFiles() -> (different: [String], before: [String], after: [String]) {
    var different: [String] = []
    var onlyBefore: [String] = []
    var onlyAfter: [String] = []
    for name in Report.all.filter({ !$0.isStatement }).map(\.fileName).sorted() {
      switch (file(name, of: old), file(name, of: new)) {
      case (nil, nil): break
      case (_, nil): onlyBefore.append(name)
      case (nil, _): onlyAfter.append(name)
      case (let one, let other): if one != other { different.append(name) }
      }
    }
    return (different, onlyBefore, onlyAfter)
  }

  /// What the manifest of an edition says about a file; nil if the edition does not have it.
  private func file(_ name: String, of manifest: Manifest) -> Manifest.File? {
    manifest.files.first { $0.name == name }
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
