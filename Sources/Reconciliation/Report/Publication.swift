import Configuration
import FileSystem
import Foundation
import Logging
import Page
import PostgreSQL
import ReconciliationSQL

/// A day's folder: it is written under a hidden name and then published whole.
struct Publication {
  /// The folder of all days.
  let reports: String
  /// The as-of day, YYYY-MM-DD.
  let day: String
  /// The folder of all days, held open.
  private let place: OpenFolder
  /// The day's folder, held open from before it has its final name.
  private let files: OpenFolder
  private let hidden: String
  /// Whether this run created the folder of all days.
  private let isFirst: Bool

  private static let beingWritten = ".being-written"
  private static let replaced = ".replaced"

  /// Creates an empty hidden folder in the folder of all days.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`.
  init(reports: String, day: String) throws {
    self.reports = URL(filePath: reports).path
    self.day = day
    hidden = ".\(day)\(Self.beingWritten)"
    isFirst = !FileManager.default.fileExists(atPath: self.reports)
    do {
      place = try OpenFolder(self.reports, making: 0o777)
      try Self.sweep(place)
      try place.makeFolder(hidden, mode: 0o750)
      files = try place.folder(hidden)
    } catch {
      throw ReconciliationError(
        .reports,
        """
        The reports folder \(reports) cannot be used: \(ReportFile.words(of: error)). \
        Nothing was published; correct this and start again.
        """)
    }
  }

  /// A warning for root, if any user can replace files in the folder of all days.
  ///
  /// Such a user could show other reports.
  var warning: String? {
    guard Host.isRoot, place.mayBeChangedByAnybody else { return nil }
    return
      "Every user can replace files in the reports folder \(reports). Forbid it: chmod o-w \(reports)"
  }

  /// The path of the day's folder after publication.
  var folder: String { "\(reports)/\(day)" }

  /// Writes every report and the list of their checksums.
  ///
  /// - Returns: how many rows each report has.
  func write(
    from database: Connection, step: Steps, settings: Settings
  ) throws -> [Report: Int] {
    var rows: [Report: Int] = [:]
    var sums: [(name: String, sum: String)] = []
    let workbook = try settings.workbook ? StatementWorkbook(in: files, from: database) : nil
    for report in Report.all {
      let file = try ReportFile(report.fileName, in: files)
      var bytes: Int64 = 0
      try workbook?.begin(report)
      rows[report] = try step.measure(report.query.name) {
        let rows = try database.copyOut(
          "copy (\n\(report.query.text)\n) to stdout (format csv, header)",
          lineEnd: [13, 10], hasHeader: true, step: report.query.name
        ) {
          try file.write($0)
          try workbook?.take($0)
          bytes += Int64($0.count)
          step.advance(to: bytes)
        }
        return Written(stepRows: rows, stepBytes: bytes)
      }.stepRows
      sums.append((report.fileName, try file.close()))
    }
    if let workbook {
      sums.append(
        (StatementWorkbook.fileName, try step.measure("workbook") { try workbook.close() }))
    }
    try step.measure("page") {
      let page = try NightPage(
        from: database, beside: rows, hasWorkbook: workbook != nil
      ).html()
      let file = try ReportFile(Self.pageName, in: files)
      try file.write(page)
      sums.append((Self.pageName, try file.close()))
      return Written(stepRows: nil, stepBytes: Int64(page.count))
    }
    let list = try ReportFile("SHA256SUMS", in: files)
    for (name, sum) in sums.sorted(by: { $0.name < $1.name }) {
      try list.write([UInt8]("\(sum)  \(name)\n".utf8))
    }
    _ = try list.close()
    try attempt { try files.synchronize() }
    return rows
  }

  /// The file that people open first.
  static let pageName = "index.html"

  private struct Written: StepResult {
    let stepRows: Int?
    let stepBytes: Int64?
  }

  /// Removes the hidden folder.
  func discard() {
    guard (try? place.remove(hidden)) != nil else { return }
    // `rmdir` removes the folder only if it is empty.
    if isFirst { unsafe rmdir(reports) }
  }

  /// Removes the hidden folders of earlier runs, for all days.
  ///
  /// These are unfinished folders of killed runs, and the folder that the last run replaced.
  private static func sweep(_ reports: OpenFolder) throws {
    for entry in try reports.entries()
    where entry.name.hasPrefix(".")
      && (entry.name.hasSuffix(beingWritten) || entry.name.hasSuffix(replaced))
    {
      try reports.remove(entry.name)
    }
  }

  /// Removes the folder that was just replaced, because it contains a name that was forgotten.
  ///
  /// - Parameter done: The completed action, for the error message.
  /// - Throws: ``ReconciliationError`` with `reports`.
  func removeReplaced(naming done: String) throws {
    do { try Self.sweep(place) } catch {
      throw ReconciliationError(
        .reports,
        """
        \(done), but the folder that the newest reports replaced still contains the name and cannot \
        be removed: \(ReportFile.words(of: error)). Remove \(reports)/.\(day)\(Self.replaced), or run tieout run.
        """)
    }
  }

  /// Publishes the day's folder, in one step if possible, and then sets the link `latest`.
  func show(asLatest: Bool, logger: Logger) throws {
    try attempt {
      guard place.isAtItsPath else {
        throw FileSystemError(
          "\(reports)/\(hidden)", "renamed to \(day)", code: ENOENT,
          words: "the reports folder was moved or replaced during the run")
      }
      if place.status(of: day) == nil {
        try place.rename(hidden, to: day)
      } else {
        try replace(logger)
      }
      if asLatest {
        let link = ".latest\(Self.beingWritten)"
        try place.link(link, to: day)
        try place.rename(link, to: "latest")
      }
      try place.synchronize()
      // If the folder of all days is new, its own name must become durable too.
      if isFirst {
        try OpenFolder(URL(filePath: reports).deletingLastPathComponent().path).synchronize()
      }
    }
  }

  private func replace(_ logger: Logger) throws {
    // The old folder stays hidden until the next run, so that its readers can finish.
    let old = ".\(day)\(Self.replaced)"
    if place.exchange(hidden, day) { return try place.rename(hidden, to: old) }
    // The file system cannot exchange names, so the day's folder is missing for a moment.
    logger.notice("The file system cannot exchange folders; replaced in two steps.")
    try place.rename(day, to: old)
    do { try place.rename(hidden, to: day) } catch {
      // The former folder is better than none.
      try? place.rename(old, to: day)
      throw error
    }
  }

  private func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch let error as FileSystemError {
      throw ReconciliationError(.reports, "\(error).")
    }
  }
}
