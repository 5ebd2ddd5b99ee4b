import Configuration
import Foundation
import Inbox
import Intake
import Logging
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Synchronization
import Testing
import Waiting
@testable import Ledger

/// A log whose lines a test reads.
private struct KeptLog: LogHandler {
  final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  let lines = Lines()
  var logLevel = Logger.Level.notice
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.all.withLock { $0.append("\(event.level): \(event.message)") }
  }
}

@Suite("The staging tables")
struct StagingTests {
  /// The files of the staging tables, which truncating replaces, and the number of rows of each
  /// table.
  private static func tables(of database: Connection) throws -> (files: [String?], rows: [Int]) {
    let names = Staging.Table.allCases.map { "tieout.\($0.rawValue)" }
    let files = try database.run(
      "select \(names.map { "pg_relation_filenode('\($0)')" }.joined(separator: ", "))", step: "ask"
    )
    let counts = try database.run(
      "select \(names.map { "(select count(*) from \($0))" }.joined(separator: ", "))", step: "ask")
    return (files.values[0], counts.values[0].map { $0.flatMap { Int($0) } ?? -1 })
  }

  private static func fill(_ tables: [Staging.Table], in database: Connection) throws {
    for table in tables {
      let isRejection = table == .rejection
      try database.run(
        isRejection
          ? "insert into tieout.staging_rejection (kind) values ('file')"
          : "insert into tieout.\(table.rawValue) (file_id) values (1)", step: "fill")
    }
  }

  /// No table, each one, all but each one, and all: so every two tables are empty and filled in all
  /// four combinations.
  @Test("filled staging tables are emptied, empty ones are not touched")
  func empties() throws {
    let night = try TestNight.afterEmptyNight()
    let database = try night.database.connect()
    let all = Staging.Table.allCases
    let indices = Array(all.indices)
    let each: [[Int]] = indices.flatMap { one in [[one], indices.filter { $0 != one }] }
    for filled in [[], indices] + each {
      try Self.fill(filled.map { all[$0] }, in: database)
      let before = try Self.tables(of: database)
      #expect(all.indices.filter { before.rows[$0] > 0 } == filled)
      try Staging.empty(database)
      let after = try Self.tables(of: database)
      #expect(after.rows.allSatisfy { $0 == 0 })
      #expect(all.indices.filter { before.files[$0] != after.files[$0] } == filled)
    }
  }

  @Test(
    "a run that stores nothing leaves no staged row", arguments: ["dry run", "rejected", "failed"])
  func leavesNothing(end: String) throws {
    let night = try TestNight()
    try night.put("{", at: "receipts/bad.json")
    try night.put("[\"book\"]", at: "catalog/list.json")
    night.settings.dryRun = end == "dry run"
    if end == "rejected" { night.settings.maxRejected = .count(0) }
    if end == "failed" { try night.put("no folder", at: "../reports") }
    let isDone = (try? night.run(asOf: "2026-11-20 03:00")) != nil
    #expect(isDone == (end == "dry run"))
    let database = try night.database.connect()
    let tables = try Self.tables(of: database)
    #expect(tables.rows.allSatisfy { $0 == 0 }, "\(tables.rows)")
    // The next run gets the lock.
    night.settings.dryRun = false
    night.settings.maxRejected = nil
    if end == "failed" { try FileManager.default.removeItem(at: night.reports) }
    try night.run(asOf: "2026-11-20 03:00")
  }

  @Test("a stop after the night is done leaves staged rows, and no message asks to start again")
  func stoppedAfterDone() throws {
    let night = try TestNight()
    let said = try Self.runStoppedAfterDone(night)
    #expect(said == ["notice: Stopped after the night was done; the next run does the rest."])
    let database = try night.database.connect()
    #expect(try !Self.tables(of: database).rows.allSatisfy { $0 == 0 })
    try night.runNow()
    #expect(try Self.tables(of: database).rows.allSatisfy { $0 == 0 })
  }

  @Test("a last step that fails after a stop is in the log, although the night is done")
  func failedAfterStop() throws {
    let night = try TestNight()
    let database = try night.database.connect()
    try database.run(
      """
      create function tieout.refuse() returns trigger language plpgsql as
      $$begin raise exception 'refused by a test'; end$$;
      create trigger refused before update on tieout.run
      for each row when (new.is_published) execute function tieout.refuse()
      """, step: "test")
    let said = try Self.runStoppedAfterDone(night)
    #expect(said.count == 1)
    let line = try #require(said.first)
    #expect(
      line.hasPrefix("notice: Stopped after the night was done; the next run does the rest: "))
    #expect(line.hasSuffix("refused by a test"))
    try database.run(
      "drop trigger refused on tieout.run; drop function tieout.refuse()", step: "test")
    try night.runNow()
  }

  /// Runs a night that is told to stop when it publishes.
  ///
  /// - Returns: The lines of its log.
  private static func runStoppedAfterDone(_ night: TestNight) throws -> [String] {
    try night.put("[\"book\"]", at: "catalog/list.json")
    let stop = StopRequest()
    let log = KeptLog()
    let summary = try Night(
      settings: night.settings, database: night.database.connectionString, version: "test",
      logger: Logger(label: "test", factory: { _ in log }), stop: stop,
      progress: { if $0.step == "publish" { stop.make() } }
    ).run()
    #expect(summary.runID != nil)
    return log.lines.all.withLock { $0 }
  }

  @Test("a worker that the system gives no thread ends the reading with an error")
  func noThread() throws {
    let night = try TestNight.afterEmptyNight()
    for number in 1...100 { try night.put("{}\n", at: "receipts/\(number).ndjson") }
    let files = try Inbox.files(of: Inbox.open(night.settings)).files
    var staging = Staging(
      database: night.database.connectionString, settings: IntakeSettings(), connections: 2,
      stop: StopRequest())
    // No address space has room for this stack.
    staging.stackBytes = 1 << 60
    #expect(throws: ThreadError.self) {
      _ = try staging.fill(files, fileID: { Int32($0) }, progress: { _, _ in })
    }
  }

  @Test("of the rejections in one line that spans blocks, the first ones are kept")
  func oneLine() throws {
    let night = try TestNight()
    night.settings.rejectionsKept = 20
    let space = String(repeating: " ", count: 1000)
    let values = (1...3000).map { "{\"number\":\($0)}" }
    try night.put("[" + values.joined(separator: space + ",") + "]", at: "receipts/line.json")
    try night.run(asOf: "2026-11-20 03:00")
    let kept = try night.database.connect().run(
      """
      select string_agg(convert_from(raw, 'UTF8'), ' ' order by rejection_id)
      from tieout.rejection
      """, step: "ask")
    #expect(kept.first == values.prefix(20).joined(separator: " "))
  }

  @Test("staged rows stay while another session locks their tables, and the run ends as it would")
  func staysWhileLocked() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-19 03:00")
    try night.put("{", at: "receipts/bad.json")
    let backup = try night.database.connect()
    try backup.run(
      "begin; lock table tieout.staging_document in access share mode", step: "backup")
    night.settings.dryRun = true
    #expect(try night.run(asOf: "2026-11-20 03:00").isDryRun)
    try backup.run("rollback", step: "backup")
    #expect(try night.run(asOf: "2026-11-20 03:00").isDryRun)
    let tables = try Self.tables(of: try night.database.connect())
    #expect(tables.rows.allSatisfy { $0 == 0 })
  }

  @Test("staging tables are emptied even while a backup locks one of them")
  func underBackup() throws {
    let night = try TestNight.afterEmptyNight()
    let database = try night.database.connect()
    try Self.fill(Staging.Table.allCases, in: database)
    let backup = try night.database.connect()
    try backup.run(
      "begin; lock table tieout.staging_evidence in access share mode", step: "backup")
    try Staging.empty(database)
    #expect(try Self.tables(of: database).rows.allSatisfy { $0 == 0 })
    try backup.run("rollback", step: "backup")
    // The space of the deleted rows is released as soon as no lock is in the way.
    let before = try Self.tables(of: database)
    try Staging.empty(database)
    #expect(zip(before.files, try Self.tables(of: database).files).allSatisfy { $0 != $1 })
  }
}
