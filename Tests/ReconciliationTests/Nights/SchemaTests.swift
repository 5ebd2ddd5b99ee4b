import Configuration
import Findings
import Foundation
import NightRun
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Runs
import Testing

@Suite("The schema")
struct SchemaTests {
  /// A night whose database has the version of another build.
  private static func night(version: Int) throws -> TestNight {
    let night = try TestNight(copyOf: first.get())
    try night.database.connect().run(
      "update tieout.schema_version set version = \(version)", step: "other build")
    return night
  }

  /// No test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-18 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  /// The message with which a run on that database is refused.
  private static func refusal(_ night: TestNight) -> String? {
    do {
      try night.run(asOf: "2026-11-21 03:00")
      return nil
    } catch let error as ReconciliationError where error.code == .schema {
      return "\(error)"
    } catch {
      return nil
    }
  }

  @Test("every identifier of a table or view is sorted by its bytes, in every locale")
  func collations() throws {
    let night = try TestNight()
    let others = try night.database.connect().run(
      """
      select pg_class.relname || '.' || pg_attribute.attname
      from pg_attribute
      inner join pg_class on pg_attribute.attrelid = pg_class.oid
      where
          pg_class.relnamespace = 'tieout'::regnamespace
          and pg_class.relkind in ('r', 'p', 'v')
          and pg_attribute.attnum > 0
          and pg_attribute.attname ~ 'ids?$'
          and pg_attribute.attcollation not in (0, '"C"'::regcollation)
      order by 1
      """, step: "test")
    #expect(others.values.compactMap { $0.first ?? nil } == [])
  }

  @Test("rows of every table that stays can be deleted while a publication contains all tables")
  func replicaIdentities() throws {
    let night = try TestNight()
    let server = try night.database.connect()
    let others = try server.run(
      """
      select pg_class.relname
      from pg_class
      where
          pg_class.relnamespace = 'tieout'::regnamespace
          and pg_class.relkind = 'r'
          and pg_class.relpersistence = 'p'
          and pg_class.relreplident <> 'f'
          and not exists (
              select from pg_index where pg_index.indrelid = pg_class.oid and pg_index.indisprimary
          )
      """, step: "test")
    #expect(others.values.compactMap { $0.first ?? nil } == [])
    try server.run(
      """
      create publication everything for all tables;
      update tieout.view_version set fingerprint = 'older'
      """, step: "test")
    night.settings.keepClosedDays = 1
    // A first night of this size would drop the keys while it loads.
    try night.put(deliveryLines(1...9000), at: "deliveries/a.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.run(asOf: "2026-11-24 03:00")
  }

  @Test("the schema has one version, which no build before the first release had")
  func version() throws {
    let night = try TestNight()
    #expect(
      try night.database.draw("select version from schema_version")
        == "version\n\(Schema.version)")
  }

  /// A build with other tables or functions and the same version would use those of an older build, and fail at some
  /// later SQL statement.
  @Test("a change in sql/schema/ raises the version")
  func fingerprint() {
    let commands = SQLFile.schema.map { file in
      file.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("--") }
        .joined(separator: "\n")
    }
    let expected = (version: 133, fingerprint: "655349a127023db0")
    #expect(
      Schema.version == expected.version && TextFingerprint.of(commands) == expected.fingerprint,
      """
      The commands in sql/schema/ have changed: they have the fingerprint \(TextFingerprint.of(commands)). Raise \
      Schema.version, and write both here.
      """)
  }

  @Test(
    "a schema of an older build is refused unchanged; the command in the message builds it again",
    arguments: [1, 29, 104])
  func older(version: Int) throws {
    let night = try Self.night(version: version)
    // These builds gave the column another name.
    try night.database.connect().run(
      "alter table tieout.view_version rename column fingerprint to program_version",
      step: "other build")
    let message = try #require(Self.refusal(night))
    #expect(message.contains("schema version \(version),"))
    #expect(message.contains("acknowledgements made by command"))
    #expect(message.contains("history of runs"))
    #expect(message.contains("Put archived files back into the inbox"))
    #expect(try night.database.draw("select count(*) from run") == "count\n1")
    #expect(
      try night.database.draw("select version from schema_version") == "version\n\(version)")
    let command = try #require(message.firstMatch(of: /tieout psql -- -c '([^']+)'/)?.output.1)
    try night.database.connect().run(String(command), step: "psql")
    #expect(try night.run(asOf: "2026-11-21 03:00").transactions == 1)
  }

  @Test("the version of the views is about the text that the program makes of each file")
  func viewTexts() throws {
    let night = try TestNight()
    let files = SQLFile.views + [.rolesGrant]
    #expect(
      try night.database.draw("select fingerprint from view_version")
        != "fingerprint\n\(TextFingerprint.of(files.map(\.text)))")
  }

  @Test("a run creates the views again if another build has created them")
  func otherViews() throws {
    let night = try TestNight.afterEmptyNight()
    let state = "select fingerprint, to_regclass('compared') as view from view_version"
    let before = try night.database.draw(state)
    #expect(before.hasSuffix(" | compared"), "\(before)")
    try night.database.connect().run(
      "drop view tieout.compared; update tieout.view_version set fingerprint = 'older'",
      step: "other build")
    #expect(try night.database.draw(state) != before)
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try night.database.draw(state) == before)
  }

  @Test("a schema of a newer program is refused unchanged")
  func newer() throws {
    let night = try Self.night(version: Schema.version + 1)
    #expect(try #require(Self.refusal(night)).contains("newer tieout"))
    #expect(try night.database.draw("select count(*) from run") == "count\n1")
  }

  @Test(
    "acknowledgements that are saved as docs/operating.md says apply to the same findings again")
  func acknowledgements() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2126-11-20 03:00")
    _ = try night.acts().acknowledge(
      [try night.name(of: "1 book")], because: "asked, \"waits\"", until: "2126-12-01")
    let statements = try Self.documentedCopies()
    #expect(statements.count == 2)
    let database = try night.database.connect()
    try database.run("set search_path = tieout", step: "psql")
    var files = try statements.map { query in
      var file: [UInt8] = []
      try database.copyCSV(query, step: "psql") { file += $0 }
      return String(decoding: file, as: UTF8.self)
    }
    try night.put(files.removeFirst(), at: "acknowledgements/commands.csv")
    try database.run("drop schema tieout cascade", step: "psql")
    let summary = try night.run(asOf: "2126-11-20 03:00")
    #expect(summary.rejected == 0)
    #expect(try night.status(of: "1 book") == "acknowledged")
    #expect(try night.status(of: "2 book") == "open")
    try night.expect(
      query: "select until_on, because, acknowledged_by from acknowledgement",
      gives: """
        until_on   | because        | acknowledged_by
        2126-12-01 | asked, "waits" | anna
        """)
  }

  /// The queries in the documentation that save what only the database contains.
  private static func documentedCopies() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/operating.md"), encoding: .utf8)
    return page.replacing(/\\\n\s*/, with: "").matches(of: /\\copy \((.+)\) to\s/)
      .map { String($0.output.1) }
  }
}
