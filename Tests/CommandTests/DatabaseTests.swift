import ReconciliationTestSupport
import Foundation
import Testing

@Suite("A database that does not do its part") struct DatabaseTests {
  @Test("is not there: 69, naming where it was looked for")
  func unreachable() throws {
    let command = try CommandNight()
    let ended = try command.run("--database", "host=\(command.night.folder.path) dbname=none")
    #expect(ended.status == 69)
    #expect(ended.output == "")
    #expect(ended.errors.hasPrefix("tieout: Cannot connect to the database."))
    #expect(ended.errors.contains(command.night.folder.path))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("was used by a newer program: 69, and is left alone")
  func newer() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try command.change("insert into tieout.schema_version (version) values (999)")
    let ended = try command.run()
    #expect(ended.status == 69)
    #expect(ended.errors.contains("999"))
    #expect(ended.errors.contains("newer tieout"))
    #expect(try command.value("select count(*) from tieout.run") == "0")
  }

  @Test("was made by an older build: 69 until the tables are dropped with psql")
  func older() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try command.change("update tieout.schema_version set version = 29")
    let ended = try command.run()
    #expect(ended.status == 69)
    #expect(ended.output == "")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    let statement = "drop schema tieout cascade"
    #expect(ended.errors.contains("tieout psql -- -c '\(statement)'"))
    #expect(try command.value("select count(*) from tieout.run") == "0")
    let psql = try command.start(
      ["psql", "--", "-c", statement],
      environment: ["TIEOUT_DATABASE": command.night.database.connectionString]
    ).ended()
    #expect(psql.status == 0, "\(psql.errors)")
    #expect(try command.run().status == 0)
  }

  @Test(
    "swallows rows: the sums do not close, 70, and nothing is kept or published",
    arguments: ["staging_evidence", "staging_delivery", "staging_catalogue"])
  func swallows(table: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try expectSwallowed(table, command)
    #expect(try command.run().status == 0)
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }

  @Test(
    "swallows rejections, on the way or where they are kept: 70",
    arguments: ["staging_rejection", "rejection"])
  func swallowsRejections(table: String) throws {
    let command = try CommandNight()
    try command.putBadRecord()
    try command.createTables()
    try expectSwallowed(table, command)
    #expect(try command.run().status == 2)
  }

  @Test(
    "swallows acknowledgements, or the lines of them that were rejected: 70",
    arguments: ["staging_acknowledgement", "rejection"])
  func swallowsAcknowledgements(table: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put(
      "finding,until,because,by\nF-000000000000,,known,anna\n", at: "acknowledgements/a.csv")
    try command.createTables()
    try expectSwallowed(table, command)
    #expect(try command.run().status == 2)
  }

  @Test("swallows what a statement tells, and not its findings: 70")
  func swallowsRows() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n102 | book.emma | 2026-11-18 12:00")
    try command.createTables()
    try expectSwallowed("carried_missing_delivery", command, saying: "0 rows for 1 findings")
    #expect(try command.run().status == 0)
  }

  /// Has a table take rows and keep none; a run then keeps and shows nothing, and the next one all.
  private func expectSwallowed(
    _ table: String, _ command: CommandNight, saying words: String = "do not agree"
  ) throws {
    try command.change(
      """
      create function swallow() returns trigger language plpgsql
      as $$ begin return null; end $$;
      create trigger swallow before insert on tieout.\(table)
      for each row execute function swallow()
      """)
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.contains(words), "\(ended.errors)")
    #expect(ended.errors.contains("Nothing was published."))
    #expect(try command.value("select outcome from tieout.run") == "failed")
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
    try command.change("drop function swallow() cascade")
  }

  @Test("refuses a statement: 70, naming the step in one line")
  func refuses() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try command.change("alter table tieout.delivery_record add constraint no check (false)")
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.hasPrefix("tieout: An SQL statement failed"))
    #expect(ended.errors.contains("load_delivery"), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(try command.value("select outcome from tieout.run") == "failed")
    #expect(try command.value("select count(*) from tieout.input_file") == "0")
  }
}
