import Configuration
import FileSystem
import Foundation
import Logging
import Page
import PostgreSQL
import ReconciliationSQL

/// A day's folder: written out of sight, then shown whole.
struct Publication {
  /// The folder of all days.
  let reports: String
  /// The as-of day, YYYY-MM-DD.
  let day: String
  /// The folder of all days, held open.
  private let place: OpenFolder
  /// The day's folder while it is being written, held open: whatever name it gets.
  private let files: OpenFolder
  private let hidden: String
  /// Whether there was no folder of all days before.
  private let isFirst: Bool

  private static let beingWritten = ".being-written"
  private static let replaced = ".replaced"

  /// Prepares an empty folder out of readers' sight, in the folder of all days.
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
        Nothing was published; free or fix it and start again.
        """)
    }
  }

  /// What root should know of the folder of all days: whoever may put other files there may show other reports.
  var warning: String? {
    guard Host.isRoot, place.mayBeChangedByAnybody else { return nil }
    return
      "Everybody may replace what lies in the reports folder \(reports). Forbid it: chmod o-w \(reports)"
  }

  /// The day's folder, where readers find it once it is shown.
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

  /// What people open first.
  static let pageName = "index.html"

  private struct Written: StepResult {
    let stepRows: Int?
    let stepBytes: Int64?
  }

  /// Takes back what was written out of sight.
  func discard() {
    guard (try? place.remove(hidden)) != nil else { return }
    // Only an empty folder goes.
    if isFirst { unsafe rmdir(reports) }
  }

  /// Removes what earlier runs left out of sight, of whatever day: half a folder of a killed one, and
  /// the folder that the last one replaced.
  private static func sweep(_ reports: OpenFolder) throws {
    for entry in try reports.entries()
    where entry.name.hasPrefix(".")
      && (entry.name.hasSuffix(beingWritten) || entry.name.hasSuffix(replaced))
    {
      try reports.remove(entry.name)
    }
  }

  /// Removes the folder that was just replaced, which names what nobody shall know any more.
  ///
  /// - Parameter naming: What has been done already.
  /// - Throws: ``ReconciliationError`` with `reports`.
  func removeReplaced(naming done: String) throws {
    do { try Self.sweep(place) } catch {
      throw ReconciliationError(
        .reports,
        """
        \(done), but the folder that the newest reports replaced still names it and cannot be removed: \
        \(ReportFile.words(of: error)). Remove \(reports)/.\(day)\(Self.replaced), or run any night.
        """)
    }
  }

  /// Shows the day's folder, in one step, in the place of an older one; then points `latest` at it.
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
      // Where the folder of all days is new, its own name has to last as well.
      if isFirst {
        try OpenFolder(URL(filePath: reports).deletingLastPathComponent().path).synchronize()
      }
    }
  }

  private func replace(_ logger: Logger) throws {
    // Who has the old folder open reads it to its end: it stays, out of sight, until the next run.
    let old = ".\(day)\(Self.replaced)"
    if place.exchange(hidden, day) { return try place.rename(hidden, to: old) }
    // A file system that cannot exchange names: for a moment the day is not there.
    logger.notice("The file system cannot exchange folders; replaced in two steps.")
    try place.rename(day, to: old)
    do { try place.rename(hidden, to: day) } catch {
      // Better the former folder than none.
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
