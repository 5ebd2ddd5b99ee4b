package import Configuration
import ExactText
import FileSystem
import Foundation
package import Page
package import PostgreSQL
import ReconciliationSQL
package import Runs
import Waiting

/// The folder of a run's reports: it is written under a hidden name, and published whole.
///
/// A published folder never changes. If the reports are the same as those of the newest edition
/// of the day (``Report/makesEdition``), no folder is published.
package struct Publication {
  /// The path of the reports folder, which contains the editions of all days.
  package let reports: String
  /// The as-of day, YYYY-MM-DD.
  let day: String
  /// The reports folder, held open.
  let place: OpenFolder
  /// The folder that is written, held open from before it has its final name.
  private let files: OpenFolder
  /// The name of the folder while it is written.
  package let hidden: String
  /// The folders that were missing in the path of the reports folder, the innermost first.
  private let made: [String]
  /// The published editions, in their order.
  package let published: PublishedEditions

  private static let beingWritten = ".being-written"
  static let beingRemoved = ".being-removed"

  /// Creates an empty hidden folder in the reports folder.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`; with `locked` if another process writes there.
  package init(reports: String, day: String) throws {
    self.reports = URL(filePath: reports).path
    self.day = day
    hidden = Self.nameWhileWritten(day)
    var missing: [String] = []
    var parent = URL(filePath: self.reports)
    while !FileManager.default.fileExists(atPath: parent.path) {
      missing.append(parent.path)
      parent.deleteLastPathComponent()
    }
    made = missing
    do {
      place = try OpenFolder(self.reports, making: 0o777)
      try Self.lock(place, reports)
      try Self.sweep(place)
      published = try PublishedEditions(in: place)
      try place.makeFolder(hidden, mode: 0o750)
      files = try place.folder(hidden)
    } catch let error as ReconciliationError where error.code == .locked {
      throw error
    } catch {
      throw ReconciliationError(
        .reports,
        """
        The reports folder \(reports) cannot be used: \(error). \(Self.nothingWasPublished)
        """)
    }
  }

  private static let nothingWasPublished = "Nothing was published; correct this and start again."

  /// The hidden name of a file or folder of the reports folder while it is written.
  static func nameWhileWritten(_ name: String) -> String { ".\(name)\(beingWritten)" }

  /// A warning for root, if any user can replace files in the reports folder.
  ///
  /// Such a user could show other reports.
  package var warning: String? {
    guard Host.isRoot, place.mayBeChangedByAnybody else { return nil }
    return """
      Every user can replace files in the reports folder \(reports). Forbid it: \
      chmod o-w \(ShellWord.of(reports))
      """
  }

  /// Writes every report and checks that they show all findings; then, for a new edition, writes the
  /// workbook, the page, the manifest and the checksums.
  ///
  /// If the day's newest edition has the same reports (``Report/makesEdition``), the hidden folder
  /// is removed.
  ///
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - comparison: How much of the night was compared.
  ///   - cause: What missing deliveries have in common; nil if nothing stands out.
  ///   - money: The money of the night.
  package func write(
    from database: Connection, steps: Steps, settings: Settings, version: String,
    comparison: Comparison, cause: Cause?, money: Money
  ) throws -> WrittenEdition {
    var rows: [Report: Int] = [:]
    var sums: [String: FileSum] = [:]
    let workbook = try settings.workbook ? StatementWorkbook(in: files, from: database) : nil
    for report in Report.all {
      let file = try ReportFile(report.fileName, in: files)
      var bytes: Int64 = 0
      try workbook?.begin(report)
      rows[report] = try steps.measure(
        report.query.name, size: { (rows: Int) in StepSize(rows: rows, bytes: bytes) }
      ) {
        try database.copyCSV(report.query.text, step: report.query.name) {
          try file.write($0)
          try workbook?.take($0)
          bytes += Int64($0.count)
          steps.advance(to: bytes)
        }
      }
      sums[report.fileName] = try file.close()
    }
    try Self.assertReported(rows, in: database)
    let written = try WrittenEdition(
      rows: rows, sums: sums.mapValues(\.sha256), of: day, among: published, in: place, database)
    guard written.isNew else {
      discard()
      return written
    }
    if let workbook {
      sums[StatementWorkbook.fileName] = try steps.measure("workbook") { try workbook.close() }
    }
    try steps.measure("page", size: { (bytes: Int64) in StepSize(bytes: bytes) }) {
      var page = try NightPage(
        from: database, beside: rows, hasWorkbook: workbook != nil, comparison: comparison,
        cause: cause, money: money)
      page.navigation = published.navigation(from: written.edition)
      let html = try page.html()
      sums[Self.pageName] = try ReportFile.write(html, as: Self.pageName, in: files)
      return Int64(html.count)
    }
    sums[Manifest.fileName] = try steps.measure("manifest") {
      try writeManifest(of: written, sums, version: version, from: database)
    }
    try ReportFile.write(
      EditionSums.text(sums.mapValues(\.sha256)), as: EditionSums.fileName, in: files)
    try explainingFileErrors(otherwise: Self.nothingWasPublished) { try files.synchronize() }
    return written
  }

  /// Checks that each report has a row for each finding of its rule.
  ///
  /// Two subjects with the same text are one finding, so a report can have more rows than findings.
  static func assertReported(_ rows: [Report: Int], in database: Connection) throws {
    var counts: [String: Int] = [:]
    for row in try database.run(SQLFile.findingsByRule).records {
      counts[row.text("rule")] = try row.count("findings")
    }
    for (report, count) in rows {
      let findings =
        report.fileName == "findings.csv"
        ? counts.values.reduce(0, +)
        : report.rule.map { counts[$0] ?? 0 }
      guard let findings, count < findings else { continue }
      throw ReconciliationError(
        .totals,
        """
        \(report.fileName) has \(Figure.counted(count, "rows")), but must show \(Figure.counted(findings, "findings")). \
        Nothing was published.
        """)
    }
  }

  private func writeManifest(
    of written: WrittenEdition, _ sums: [String: FileSum], version: String,
    from database: Connection
  ) throws -> FileSum {
    let rows = Dictionary(uniqueKeysWithValues: written.rows.map { ($0.key.fileName, $0.value) })
    return try explainingFileErrors(otherwise: Self.nothingWasPublished) {
      var list = try EditionList(in: place)
      list.noteUnlisted(published.all, in: place)
      let manifest = try Manifest(
        of: written.edition,
        files: sums.map { name, file in
          Manifest.File(name: name, bytes: file.bytes, sha256: file.sha256, rows: rows[name])
        },
        totals: ControlTotals(in: files), version: version, after: list, in: place, from: database)
      return try ReportFile.write(manifest.text(), as: Manifest.fileName, in: files)
    }
  }

  /// The file that people open first, in the folder of a night and in the reports folder.
  static let pageName = "index.html"

  /// Removes the hidden folder, and the folders that were created for it.
  package func discard() {
    guard (try? place.remove(hidden)) != nil else { return }
    // `rmdir` removes a folder only if it is empty.
    for folder in made { guard unsafe rmdir(folder) == 0 else { return } }
  }

  /// Locks the reports folder, so that a run with another database cannot write there.
  ///
  /// The lock of runs belongs to the database, and such a run would remove this one's hidden folder.
  private static func lock(_ place: OpenFolder, _ reports: String) throws {
    var wait = Wait(atMost: Patience.closing)
    while !place.lock() {
      guard wait.pause() else {
        throw ReconciliationError(
          .locked,
          """
          A run with another database writes into the reports folder \(reports). \(PostgreSQLError.unchanged) Give each \
          database a reports folder of its own, or run again when that run has ended.
          """)
      }
    }
  }

  /// Removes the hidden folders of earlier runs, for all days.
  private static func sweep(_ reports: OpenFolder) throws {
    for entry in try reports.entries()
    where entry.name.hasPrefix(".")
      && [beingWritten, beingRemoved].contains(where: entry.name.hasSuffix)
    {
      try reports.remove(entry.name)
    }
  }
}
