import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Testing

/// An inbox, a reports folder and a database of one test, and the program that works on them.
final class CommandNight {
  /// The folders and the database.
  let night: TestNight

  /// The as-of of a run if the test does not set one.
  static let asOf = "2026-11-20T03:00:00Z"

  /// - Parameter hasTables: Whether the database has the program's tables before the first command.
  ///   Creating them takes as long as a small night.
  init(hasTables: Bool = true) throws {
    night = try TestNight(hasTables: hasTables)
  }

  /// A command that goes on where another one is, in a database and folders of its own.
  ///
  /// The other one must have run, and nobody may be connected to its database.
  init(copyOf other: CommandNight) throws {
    night = try TestNight(copyOf: other.night)
  }

  /// Lets the folders and the database be removed when the process exits, and returns the command.
  ///
  /// A static property needs it, because it is never released.
  func removedAtExit() -> CommandNight {
    _ = night.removedAtExit()
    return self
  }

  /// The arguments of `tieout run` with the test's folders and database, followed by `more`.
  ///
  /// - Parameter isOwnDatabase: Whether the arguments name the test's database; otherwise the
  ///   environment chooses a database.
  func words(
    _ more: [String], asOf: String = CommandNight.asOf, isOwnDatabase: Bool = true
  ) -> [String] {
    ["run", "--inbox", night.inbox.path, "--reports", night.reports.path, "--as-of", asOf]
      + (isOwnDatabase ? ["--database", night.database.connectionString] : []) + more
  }

  /// Starts one of the program's commands.
  ///
  /// Its environment has only `PATH` and the given variables.
  func start(
    _ words: [String], environment: [String: String] = [:], prefix: [String] = []
  ) throws -> Program {
    try Program(
      words,
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      in: night.folder.path, prefix: prefix)
  }

  /// Starts `tieout run` and waits for its end.
  func run(
    _ more: String..., asOf: String = CommandNight.asOf, environment: [String: String] = [:],
    prefix: [String] = [], isOwnDatabase: Bool = true
  ) throws -> Program.Ended {
    try start(
      words(more, asOf: asOf, isOwnDatabase: isOwnDatabase), environment: environment,
      prefix: prefix
    ).ended()
  }

  /// Runs SQL statements in the test's database.
  func change(_ sql: String) throws {
    try night.database.connect().run(sql, step: "change")
  }

  /// One value from the test's database.
  func value(_ sql: String) throws -> String? {
    try night.database.connect().run(sql, step: "ask").first
  }

  /// Puts the input of a night without problems into the inbox: one book, bought and delivered.
  func putGoodNight() throws {
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99")
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

  /// Puts a record into the inbox that is always rejected.
  func putBadRecord() throws {
    try night.put("{\"status\":21003}\n", at: "receipts/bad.ndjson")
  }

  /// The names in the reports folder, including hidden ones.
  func publishedNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: night.reports.path).sorted()
  }

  /// The name and the content of each file in the folder of a day's newest edition.
  func files(of day: String = "latest") throws -> [String: String] {
    let folder = try night.folder(of: day).path
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // A spreadsheet is not text. Each of its bytes becomes one character here.
      files[name] = try String(
        contentsOfFile: "\(folder)/\(name)", encoding: name.hasSuffix(".xlsx") ? .isoLatin1 : .utf8)
    }
    return files
  }
}

/// A prefix that removes root's right to ignore the modes of files, so that modes have an effect in
/// a test.
///
/// It is empty if the tests do not run as root.
let withoutPrivilege: [String] =
  geteuid() == 0
  ? [
    "setpriv", "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
  ] : []
