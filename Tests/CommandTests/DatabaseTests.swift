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
    #expect(ended.errors.hasPrefix("tieout: The database cannot be reached."))
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

  @Test(
    "swallows rows: the sums do not close, 70, and nothing is kept or published",
    arguments: ["staging_evidence", "staging_delivery", "staging_catalogue"])
  func swallows(table: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try command.change(
      """
      create function swallow() returns trigger language plpgsql
      as $$ begin return null; end $$;
      create trigger swallow before insert on tieout.\(table)
      for each row execute function swallow()
      """)
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.contains("do not close"), "\(ended.errors)")
    #expect(ended.errors.contains("Nothing was published."))
    #expect(try command.value("select outcome from tieout.run") == "failed")
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))

    try command.change("drop function swallow() cascade")
    #expect(try command.run().status == 0)
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }

  @Test("swallows rejections: 70")
  func swallowsRejections() throws {
    let command = try CommandNight()
    try command.putBadRecord()
    try command.createTables()
    try command.change(
      "create rule swallow as on insert to tieout.rejection do instead nothing")
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.contains("reject"), "\(ended.errors)")
  }

  @Test("refuses a statement: 70, naming the step in one line")
  func refuses() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    try command.change("alter table tieout.delivery_record add constraint no check (false)")
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.hasPrefix("tieout: The database refused a statement"))
    #expect(ended.errors.contains("load_delivery"), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(try command.value("select outcome from tieout.run") == "failed")
    #expect(try command.value("select count(*) from tieout.input_file") == "0")
  }
}
