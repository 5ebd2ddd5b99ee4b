package import Configuration
package import Foundation
package import Ledger
import Logging
package import NightRun
import Rules
package import Runs
import Waiting

/// An inbox, a reports folder and a database for one test, with nights on them.
package final class TestNight {
  /// The database.
  package let database: ScratchDatabase
  /// The folder that holds the others.
  package let folder: URL
  /// The inbox.
  package var inbox: URL { folder.appending(path: "inbox") }
  /// The reports folder.
  package var reports: URL { folder.appending(path: "reports") }
  /// The settings of the next night.
  package var settings = Settings()
  /// The database role of the nights; nil: the role of the user who runs the tests.
  package var user: String?
  /// Called with the progress of a night, so that a test can act at that moment.
  package var whileRunning: @Sendable (RunProgress) -> Void = { _ in }
  /// Whether nights whose as-of is in the future become runs of a past day.
  package var ignoresFutureNights = false
  /// Whether the nights judge in bulk, which they else do only with thousands of transactions.
  ///
  /// Then the rules judge every third of the matched chains too. The environment variable
  /// `TIEOUT_TEST_BULK` sets it for all tests.
  package var judgesInBulk = ProcessInfo.processInfo.environment["TIEOUT_TEST_BULK"] != nil
  /// The number of files that got an unused name.
  var files = 0

  /// Makes an empty inbox and a database with empty tables, or without any.
  package convenience init(hasTables: Bool = true) throws {
    try self.init(on: hasTables ? .prepared() : ScratchDatabase())
  }

  /// Makes an empty inbox for a database.
  package init(on database: ScratchDatabase) throws {
    self.database = database
    folder = FileManager.default.temporaryDirectory.appending(path: "tieout-\(UUID().uuidString)")
    for name in ["receipts", "deliveries", "catalog", "client"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: "inbox/\(name)"), withIntermediateDirectories: true)
    }
    settings.inbox = inbox.path
    settings.reports = reports.path
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Puts a file into the inbox; the path is below it.
  package func put(_ text: String, at path: String) throws {
    try put(Data(text.utf8), at: path)
  }

  /// Puts a file into the inbox; the path is below it.
  package func put(_ bytes: Data, at path: String) throws {
    let file = inbox.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file, options: .atomic)
  }

  /// An unused name for a file.
  func fresh(_ folder: String, _ ending: String) -> String {
    files += 1
    return "\(folder)/\(files).\(ending)"
  }

  /// Runs a night.
  @discardableResult
  package func run(asOf: String) throws -> Summary {
    settings.asOf = Moment(asOf).rfc3339
    return try runAsSet()
  }

  /// Runs a night as of now.
  @discardableResult
  package func runNow() throws -> Summary {
    settings.asOf = nil
    return try runAsSet()
  }

  /// Judges everything from scratch, as of the newest night.
  @discardableResult
  package func recompute(inBulk: Bool = false) throws -> Summary {
    settings.asOf = nil
    return try runAsSet(for: .recompute(inBulk: inBulk))
  }

  /// Builds all tables again from the files that count, in the inbox and in these folders.
  @discardableResult
  package func rebuild(archives: [URL] = []) throws -> Summary {
    settings.asOf = nil
    return try runAsSet(for: .rebuild(archives: archives.map(\.path)))
  }

  /// Makes runs, and then puts the reports folder back as it was before them.
  package func restoringReports(after runs: () throws -> Void) throws {
    let copy = folder.appending(path: "copy")
    try FileManager.default.copyItem(at: reports, to: copy)
    try runs()
    try FileManager.default.removeItem(at: reports)
    try FileManager.default.moveItem(at: copy, to: reports)
  }

  /// Removes an account's name from everything.
  @discardableResult
  package func forget(_ account: String, removingEditions: Bool = false) throws -> Summary {
    settings.asOf = nil
    return try runAsSet(for: .forget(account: account, removesEditions: removingEditions))
  }

  /// Withdraws a file: a path below the inbox, a path on disk, or a SHA-256.
  @discardableResult
  package func withdraw(_ name: String) throws -> [Withdrawal.File] {
    try Withdrawal(settings: settings, database: connection)
      .withdraw(name, because: "a test")
  }

  /// Lets a withdrawn file count again.
  @discardableResult
  package func undoWithdrawal(_ name: String) throws -> [Withdrawal.File] {
    try Withdrawal(settings: settings, database: connection)
      .undo(name, because: nil)
  }

  private var connection: String {
    user.map { database.connectionString(as: $0) } ?? database.connectionString
  }

  private func runAsSet(for purpose: Night.Purpose = .run) throws -> Summary {
    var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let night = Night(
      settings: settings, database: connection, version: "test", purpose: purpose,
      ignoringFutureNights: ignoresFutureNights, logger: logger, stop: StopRequest(),
      progress: whileRunning)
    var limits = Matching.limits
    if judgesInBulk {
      limits.fewestTransactions = 1
      limits.mostExceptions = 100
      limits.chainsPerSample = 3
    }
    let summary = try Matching.$limits.withValue(limits) { try night.run() }
    try Night.markReported(summary, andRecovered: true, in: connection)
    return summary
  }

  /// The names in the reports folder.
  package func shownNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: reports.path).sorted()
  }

  /// The folder of the newest edition of a day, or of another name such as `latest`.
  package func folder(of day: String = "latest") throws -> URL {
    let editions = try shownNames().compactMap { Edition(folder: $0) }.filter { $0.day == day }
    let name = editions.max()?.folder ?? day
    return reports.appending(path: name).resolvingSymlinksInPath()
  }

  /// The text of a report of the newest day, or of the newest edition of the day given as
  /// YYYY-MM-DD.
  package func report(_ name: String, day: String = "latest") throws -> String {
    try String(contentsOf: folder(of: day).appending(path: name), encoding: .utf8)
  }

  /// A report as a table.
  package func table(_ name: String, day: String = "latest") throws -> DrawnTable {
    DrawnTable(csv: try report(name, day: day))
  }

  /// The findings of a rule, with the requested columns.
  package func findings(
    of rule: String, columns: [String] = ["level", "subject", "reason"]
  ) throws -> String {
    try table("findings.csv").rows(where: "rule", is: rule).columns(columns).text
  }
}
