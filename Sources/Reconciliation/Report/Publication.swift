import CLinux
import Configuration
import Effects
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
    hidden = "\(self.reports)/.\(day)\(Self.beingWritten)"
    isFirst = !FileManager.default.fileExists(atPath: self.reports)
    do {
      try Effect.create.meet(self.reports)
      try FileManager.default.createDirectory(
        atPath: self.reports, withIntermediateDirectories: true)
      try Self.sweep(self.reports)
      try Effect.create.meet(hidden)
      try FileManager.default.createDirectory(
        atPath: hidden, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o750])
    } catch {
      throw ReconciliationError(
        .reports,
        """
        The reports folder \(reports) cannot be used: \(ReportFile.words(of: error)). \
        Nothing was published; free or fix it and start again.
        """)
    }
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
    let workbook = try settings.workbook ? StatementWorkbook(in: hidden, from: database) : nil
    for report in Report.all {
      let file = try ReportFile(path: "\(hidden)/\(report.fileName)")
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
      let file = try ReportFile(path: "\(hidden)/\(Self.pageName)")
      try file.write(page)
      sums.append((Self.pageName, try file.close()))
      return Written(stepRows: nil, stepBytes: Int64(page.count))
    }
    let list = try ReportFile(path: "\(hidden)/SHA256SUMS")
    for (name, sum) in sums.sorted(by: { $0.name < $1.name }) {
      try list.write([UInt8]("\(sum)  \(name)\n".utf8))
    }
    _ = try list.close()
    try sync(hidden)
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
    guard Effect.remove.systemError(hidden) == nil else { return }
    try? FileManager.default.removeItem(atPath: hidden)
    // Only an empty folder goes.
    if isFirst { unsafe rmdir(reports) }
  }

  /// Removes what earlier runs left out of sight, of whatever day: half a folder of a killed one, and
  /// the folder that the last one replaced.
  static func sweep(_ reports: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: reports)
    where name.hasPrefix(".") && (name.hasSuffix(beingWritten) || name.hasSuffix(replaced)) {
      try Effect.remove.meet("\(reports)/\(name)")
      try FileManager.default.removeItem(atPath: "\(reports)/\(name)")
    }
  }

  /// Removes the folder that was just replaced, which names what nobody shall know any more.
  ///
  /// - Parameter naming: What has been done already.
  /// - Throws: ``ReconciliationError`` with `reports`.
  func removeReplaced(naming done: String) throws {
    do { try Self.sweep(reports) } catch {
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
    if FileManager.default.fileExists(atPath: folder) {
      // Who has the old folder open reads it to its end: it stays, out of sight, until the next run.
      let old = "\(reports)/.\(day)\(Self.replaced)"
      if Effect.rename.systemError("\(hidden) and back") == nil,
        unsafe tieoutExchange(hidden, folder) == 0
      {
        try rename(hidden, old)
      } else {
        // A file system that cannot exchange names: for a moment the day is not there.
        logger.notice("The file system cannot exchange folders; replaced in two steps.")
        try rename(folder, old)
        do { try rename(hidden, folder) } catch {
          // Better the former folder than none.
          try? rename(old, folder)
          throw error
        }
      }
    } else {
      try rename(hidden, folder)
    }
    if asLatest {
      let link = "\(reports)/.latest\(Self.beingWritten)"
      do {
        try Effect.link.meet(link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: day)
      } catch {
        throw ReconciliationError(
          .reports, "\(reports)/latest cannot be made: \(ReportFile.words(of: error)).")
      }
      try rename(link, "\(reports)/latest")
    }
    try sync(reports)
    // Where the folder of all days is new, its own name has to last as well.
    if isFirst { try sync(URL(filePath: reports).deletingLastPathComponent().path) }
  }

  private func rename(_ old: String, _ new: String) throws {
    let refusal = Effect.rename.systemError("\(old) to \(new)")
    guard refusal == nil, unsafe Glibc.rename(old, new) == 0 else {
      let words = unsafe String(cString: strerror(refusal ?? errno))
      throw ReconciliationError(.reports, "\(old) cannot be renamed to \(new): \(words).")
    }
  }

  private func sync(_ path: String) throws {
    let refusal = Effect.synchronize.systemError(path)
    guard refusal == nil, unsafe tieoutSyncFolder(path) == 0 else {
      let words = unsafe String(cString: strerror(refusal ?? errno))
      throw ReconciliationError(.reports, "\(path) cannot be made durable: \(words).")
    }
  }
}
