import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("Runs beside other sessions") struct ConcurrencyTests {
  @Test("many runs at once give the reports of one run; any that is refused reports the lock")
  func manyRuns() throws {
    let alone = try CommandNight(hasTables: false)
    try alone.putGoodNight()
    try #require(try alone.run().status == 0)

    let command = try CommandNight(hasTables: false)
    try command.putGoodNight()
    var runs: [Program] = []
    for _ in 0..<8 { runs.append(try command.start(command.words([]))) }
    let ended = try runs.map { try $0.ended() }
    #expect(ended.allSatisfy { [0, 75].contains($0.status) }, "\(ended.map(\.errors))")
    #expect(ended.contains { $0.status == 0 })
    for refused in ended where refused.status == 75 {
      #expect(refused.errors.contains("Another run holds the lock"), "\(refused.errors)")
    }
    #expect(try command.files() == alone.files())
    #expect(try command.night.database.digests() == alone.night.database.digests())
    #expect(try command.value("select count(*) from tieout.run where outcome <> 'done'") == "0")
    Torture.count("concurrent runs", ended.count)
  }

  @Test("a run does not wait for an analyst's long query")
  func longQuery() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let analyst = try command.night.database.connect()
    try analyst.run("begin isolation level repeatable read", step: "ask")
    try readEverything(as: analyst)
    #expect(try command.run().status == 0)
    // The analyst's snapshot is older than the night and does not contain it.
    #expect(
      try analyst.run("select count(*) from tieout.store_transaction", step: "ask").first == "0")
    #expect(try command.run(asOf: "2026-11-21T03:00:00Z").status == 0)
    #expect(
      try analyst.run("select count(*) from tieout.store_transaction", step: "ask").first == "0")
    try analyst.run("commit", step: "ask")
    #expect(
      try analyst.run("select count(*) from tieout.store_transaction", step: "ask").first == "1")
    Torture.count("concurrent runs", 2)
  }

  /// Reads every table, so that the analyst's transaction holds a lock on each.
  private func readEverything(as analyst: Connection) throws {
    let names = try analyst.run(
      """
      select table_name from information_schema.tables
      where table_schema = 'tieout' and table_type = 'BASE TABLE'
      """, step: "ask")
    for name in names.values.compactMap({ $0[0] }) {
      try analyst.run("select count(*) from tieout.\(name)", step: "ask")
    }
  }

  @Test("a run does not wait for pg_dump, and the dump contains the complete night before")
  func dump() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    let file = command.night.folder.appending(path: "dump").path
    // pg_dump waits for this table. By then it has its snapshot and has locked most other tables.
    let holder = try command.night.database.connect()
    try holder.run("begin; create table tieout.zebra (stripe integer)", step: "hold")
    try holder.run("commit; begin; lock table tieout.zebra", step: "hold")
    let dump = try Program(
      running: [
        "pg_dump", "--format=custom", "--file=\(file)",
        "--dbname=\(command.night.database.connectionString)",
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(
      try eventually {
        try command.value(
          """
          select count(*) from pg_stat_activity
          where application_name = 'pg_dump' and wait_event_type = 'Lock'
              and datname = current_database()
          """) == "1"
      })
    try command.putBadRecord()
    #expect(try command.run(asOf: "2026-11-21T03:00:00Z").status == 2)
    try holder.run("rollback", step: "hold")
    #expect(try dump.ended().status == 0)

    let restored = try ScratchDatabase()
    let ended = shell(
      "pg_restore --exit-on-error --dbname='\(restored.connectionString)' '\(file)'")
    #expect(ended.status == 0, "\(ended.output)")
    let runs = "select count(*) as runs from run where outcome = 'done'"
    #expect(try restored.draw(runs) == DrawnTable(header: ["runs"], rows: [["1"]]).text)
    // The next run can use the restored database.
    let next = try command.run(
      "--database", restored.connectionString, "--reports",
      command.night.folder.appending(path: "elsewhere").path, asOf: "2026-11-21T03:00:00Z")
    #expect(next.status == 2, "\(next.errors)")
    Torture.count("concurrent runs", 2)
  }

  @Test("a run that loses its lock to another run ends with 75, and the next run is complete")
  func lostLock() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    let first = try command.start(command.words([]))
    #expect(try barrier.isReached())
    try command.change(
      """
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'tieout \(first.process) %'
      """)
    let second = try command.start(command.words([]))
    #expect(
      try eventually {
        try command.value("select count(*) from tieout.run where outcome = 'running'") == "1"
          && command.value("select count(*) from tieout.run where outcome = 'killed'") == "1"
      })
    try barrier.remove()
    let lost = try first.ended()
    #expect(lost.status == 75, "\(lost.errors)")
    #expect(lost.errors.contains("another run has started"), "\(lost.errors)")
    let ended = try second.ended()
    // Rows that the first run staged can disturb the second run. Then the control totals do not
    // agree, and the run ends with 70.
    #expect([0, 70].contains(ended.status), "\(ended.errors)")
    let last = try command.run()
    #expect(last.status == 0, "\(last.errors)")
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
    Torture.count("concurrent runs", 3)
  }

  @Test("a deadlock with another session ends a run with 75, and the next run is complete")
  func deadlock() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    // It runs after the trigger of the barrier, because its name is later in the alphabet.
    try command.change(
      """
      create function wait_there() returns trigger language plpgsql
      as $$ begin perform pg_advisory_xact_lock(2); return new; end $$;
      create trigger wait_there before insert on tieout.stored_delivery
      for each statement execute function wait_there()
      """)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    // This connection does not look for deadlocks, so that the run detects the deadlock.
    let other = try Program(
      running: [
        "psql", command.night.database.connectionString, "-qAtc",
        """
        set deadlock_timeout = '1h'; begin; select pg_advisory_xact_lock(2);
        lock table tieout.stored_delivery; commit
        """,
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(
      try eventually {
        try command.value(
          """
          select count(*) from pg_locks
          where
              not granted
              and relation = 'tieout.stored_delivery'::regclass
              and database = (select oid from pg_database where datname = current_database())
          """) == "1"
      })
    try barrier.open()
    let ended = try program.ended()
    #expect(try other.ended().status == 0)
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(ended.errors.contains("[40P01]"), "\(ended.errors)")
    #expect(ended.errors.contains("Another session blocked the command"))
    try command.change("drop function wait_here(), wait_there() cascade")
    #expect(try command.run().status == 0)
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
    Torture.count("injected errors", 1, " real one")
  }

  @Test("a role with serializable transactions and asynchronous commit can complete a night")
  func otherDefaults() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let options = "-c default_transaction_isolation=serializable -c synchronous_commit=off"
    #expect(try command.run(environment: ["PGOPTIONS": options]).status == 0)
  }
}
