import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("A database that fails") struct DatabaseTests {
  @Test("a database that cannot be reached ends a run with 69, and the message names the place")
  func unreachable() throws {
    let command = try CommandNight()
    let ended = try command.run("--database", "host=\(command.night.folder.path) dbname=none")
    #expect(ended.status == 69)
    #expect(ended.output == "")
    #expect(ended.errors.hasPrefix("tieout: Cannot connect to the database."))
    #expect(ended.errors.contains("its disk is not full"))
    #expect(ended.errors.contains("password (PGPASSFILE), pg_hba.conf"))
    #expect(ended.errors.contains(command.night.folder.path))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("upgrade-server refuses another server than the private one")
  func notPrivate() throws {
    let command = try CommandNight()
    defer { withExtendedLifetime(command) {} }
    let ended = try command.start(["upgrade-server", "--database", "host=db.example.com"]).ended()
    #expect(ended.status == 64, "\(ended.errors)")
    #expect(ended.errors.contains("--database: this command upgrades"), "\(ended.errors)")
  }

  @Test("a database of a newer program ends a run with 69 and is not changed")
  func newer() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.change("insert into tieout.schema_version (version) values (999)")
    let ended = try command.run()
    #expect(ended.status == 69)
    #expect(ended.errors.contains("999"))
    #expect(ended.errors.contains("newer tieout"))
    #expect(try command.value("select count(*) from tieout.run") == "0")
  }

  @Test("tables of an older build end a run with 69 until psql drops them")
  func older() throws {
    let command = try CommandNight()
    try command.putGoodNight()
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

  @Test("psql has the search path whatever options the connection string or a service sets")
  func searchPath() throws {
    let command = try CommandNight()
    let text = command.night.database.connectionString
    let options = "-c work_mem=3MB"
    let services = command.night.folder.appending(path: "services")
    let lines = try ConnectionText(text).values.map { "\($0.keyword)=\($0.value)\n" }
    try Data("[nights]\n\(lines.joined())options=\(options)\n".utf8).write(to: services)
    for (database, variables) in [
      ("\(text) options='\(options)'", [:]), (text, ["PGOPTIONS": options]),
      ("service=nights", ["PGSERVICEFILE": services.path]),
    ] as [(String, [String: String])] {
      let psql = try command.start(
        [
          "psql", "--database", database, "--", "-XAtc",
          "select current_setting('work_mem'), count(*) from run",
        ], environment: variables
      ).ended()
      #expect(psql.output == "3MB|0\n", "\(variables): \(psql.errors)")
    }
  }

  @Test("rows that the database discards end a run with 70, and nothing is kept or published")
  func swallows() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    for table in ["staging_evidence", "staging_delivery", "staging_catalogue"] {
      try expectSwallowed(table, command)
    }
    #expect(try command.run().status == 0)
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }

  @Test("rejections that the database discards, in either table, end a run with 70")
  func swallowsRejections() throws {
    let command = try CommandNight()
    try command.putBadRecord()
    for table in ["staging_rejection", "rejection"] { try expectSwallowed(table, command) }
    #expect(try command.run().status == 2)
  }

  @Test("acknowledgements, or their rejected lines, that the database discards end a run with 70")
  func swallowsAcknowledgements() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put(
      "finding,until,because,by\nF-000000000000,,known,anna\n", at: "acknowledgements/a.csv")
    for table in ["staging_acknowledgement", "rejection"] { try expectSwallowed(table, command) }
    #expect(try command.run().status == 2)
  }

  @Test("rows of a statement that the database discards end a run with 70 if their findings remain")
  func swallowsRows() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n102 | book.emma | 2026-11-18 12:00")
    try expectSwallowed("carried_missing_delivery", command)
    #expect(try command.run().status == 0)
  }

  /// Makes a table discard new rows, expects that a run fails and shows nothing, and repairs the
  /// table.
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
    #expect(ended.status == 70, "\(table)")
    #expect(ended.errors.contains(words), "\(table): \(ended.errors)")
    #expect(ended.errors.contains("Nothing was published."))
    let outcomes = "select string_agg(distinct outcome, ' ') from tieout.run"
    #expect(try command.value(outcomes) == "failed")
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
    try command.change("drop function swallow() cascade")
  }

  // Once the schema does not exist and the role may not create it, once it belongs to another role.
  @Test(
    "a role without rights on the schema ends with 69, and the message says how it gets them",
    arguments: [false, true])
  func noRight(hasTables: Bool) throws {
    let command = try CommandNight(hasTables: hasTables)
    try command.putGoodNight()
    let role = "stranger_\(UUID().uuidString.prefix(8).lowercased())"
    try command.change("create role \(role) login")
    defer { try? command.change("drop role if exists \(role)") }
    let database = "\(command.night.database.connectionString) user=\(role)"
    for words in [command.words([]), ["findings"]] {
      let ended = try command.start(words + ["--database", database]).ended()
      #expect(ended.status == 69, "\(ended.errors)")
      #expect(ended.errors.contains("lacks a right"), "\(ended.errors)")
      #expect(ended.errors.contains("permission denied for"), "\(ended.errors)")
      #expect(ended.errors.contains("`tieout roles`"))
      #expect(ended.errors.contains("let tieout_owner run any command once"))
      #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("a view of others on a view that must be created again ends a run with 69 and is named")
  func dependentView() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.change(
      """
      create schema analyst;
      create view analyst.waiting as select class from tieout.obligation;
      create view analyst.due as select class from tieout.obligation;
      update tieout.view_version set fingerprint = 'older'
      """)
    let ended = try command.run()
    #expect(ended.status == 69, "\(ended.errors)")
    for name in ["analyst.waiting", "analyst.due"] {
      #expect(ended.errors.contains("view \(name) depends on view"), "\(ended.errors)")
    }
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    try command.change("drop schema analyst cascade")
    #expect(try command.run().status == 0)
  }

  @Test("if row-level security hides rows from a role, the message says how to switch it off")
  func rowSecurity() throws {
    let command = try CommandNight()
    let role = "stranger_\(UUID().uuidString.prefix(8).lowercased())"
    try command.change(
      """
      create role \(role) login in role pg_read_all_data;
      alter table tieout.view_version enable row level security
      """)
    defer { try? command.change("drop role if exists \(role)") }
    let database = "\(command.night.database.connectionString) user=\(role)"
    let ended = try command.start(["findings", "--database", database]).ended()
    #expect(ended.status == 69, "\(ended.errors)")
    #expect(ended.errors.hasPrefix("tieout: Row-level security"), "\(ended.errors)")
    #expect(ended.errors.contains("for table \"view_version\""), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "if a worker's disk is full or the worker stops, a run ends with 69 and names the worker",
    arguments: [
      ("53100", "The disk of worker-1:5432 is full"),
      ("57P01", "The server worker-1:5432 of the cluster ended its connection"),
    ])
  func worker(state: String, words: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    // A coordinator adds this line to the context of an error that it passes on.
    try command.change(
      """
      create function refuse() returns trigger language plpgsql
      as $$ begin
          execute '/*
      while executing command on worker-1:5432
      */ do $do$ begin raise exception ''refused by a test'' using errcode = ''\(state)''; end $do$';
          return null;
      end $$;
      create trigger refuse before insert on tieout.stored_delivery
      for each row execute function refuse()
      """)
    let ended = try command.run()
    #expect(ended.status == 69, "\(ended.errors)")
    #expect(ended.errors.contains(words), "\(ended.errors)")
    #expect(ended.errors.contains("refused by a test (on worker-1:5432)"), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    try command.change("drop function refuse() cascade")
    #expect(try command.run().status == 0)
  }

  @Test("an SQL statement that fails ends a run with 70, and a message of one line names the step")
  func refuses() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.change("alter table tieout.stored_delivery add constraint no check (false)")
    let ended = try command.run()
    #expect(ended.status == 70)
    #expect(ended.errors.hasPrefix("tieout: An SQL statement failed"))
    #expect(ended.errors.contains("load_delivery"), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(try command.value("select outcome from tieout.run") == "failed")
    #expect(try command.value("select count(*) from tieout.input_file") == "0")
  }
}
