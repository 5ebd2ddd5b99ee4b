import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Testing

/// An inbox, a reports folder and a database of a test's own, and the program that works on them.
final class CommandNight {
  /// The folders and the database.
  let night: TestNight

  /// As of which instant the program runs where a test does not say.
  static let asOf = "2026-11-20T03:00:00Z"

  init() throws {
    night = try TestNight(hasTables: false)
  }

  /// `tieout run` with the test's folders and database, and what else is wanted.
  ///
  /// - Parameter isOwnDatabase: Whether it is named; else the environment says which is used.
  func words(
    _ more: [String], asOf: String = CommandNight.asOf, isOwnDatabase: Bool = true
  ) -> [String] {
    ["run", "--inbox", night.inbox.path, "--reports", night.reports.path, "--as-of", asOf]
      + (isOwnDatabase ? ["--database", night.database.connectionString] : []) + more
  }

  /// Starts any of the program's commands; its environment has a path and nothing else.
  func start(
    _ words: [String], environment: [String: String] = [:], prefix: [String] = []
  ) throws -> Program {
    try Program(
      words,
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      in: night.folder.path, prefix: prefix)
  }

  /// Starts `tieout run` and waits for it.
  func run(
    _ more: String..., asOf: String = CommandNight.asOf, environment: [String: String] = [:],
    prefix: [String] = [], isOwnDatabase: Bool = true
  ) throws -> Program.Ended {
    try start(
      words(more, asOf: asOf, isOwnDatabase: isOwnDatabase), environment: environment,
      prefix: prefix
    ).ended()
  }

  /// Creates the tables, without a run.
  func createTables() throws {
    let ended = try start(["runs", "--database", night.database.connectionString]).ended()
    try #require(ended.status == 0, "\(ended.errors)")
  }

  /// Runs statements in the test's database.
  func change(_ sql: String) throws {
    try night.database.connect().run(sql, step: "change")
  }

  /// One value from the test's database.
  func value(_ sql: String) throws -> String? {
    try night.database.connect().run(sql, step: "ask").first
  }

  /// A night in which nothing is wrong: one book, bought and delivered.
  func putGoodNight() throws {
    try night.catalogue("product_id\nbook.emma")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      101            | book.emma  | 2026-11-18 10:00 | anna
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      101            | book.emma  | 2026-11-18 10:05
      """)
  }

  /// A record that can only be rejected.
  func putBadRecord() throws {
    try night.put("{\"status\":21003}\n", at: "receipts/bad.ndjson")
  }

  /// The names in the reports folder, hidden ones too.
  func publishedNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: night.reports.path).sorted()
  }

  /// Each file of a day's folder with its bytes.
  func files(of day: String = "latest") throws -> [String: String] {
    let folder = night.reports.appending(path: day).resolvingSymlinksInPath().path
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // A spreadsheet is no text: here each of its bytes is a character.
      files[name] = try String(
        contentsOfFile: "\(folder)/\(name)", encoding: name.hasSuffix(".xlsx") ? .isoLatin1 : .utf8)
    }
    return files
  }
}

/// What takes root's right to open what its mode forbids, so that modes mean something in a test.
let withoutPrivilege: [String] =
  geteuid() == 0
  ? [
    "setpriv", "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
  ] : []
