import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("A role whose transactions are stricter than a night needs")
struct StricterRoleTests {
  static let levels = ["repeatable read", "serializable"]

  private static func environment(_ level: String) -> [String: String] {
    ["PGOPTIONS": "-c default_transaction_isolation=\(level.replacing(" ", with: "\\ "))"]
  }

  /// Waits until an SQL statement of the program waits for a row that another session has locked.
  private static func isWaiting(_ command: CommandNight) throws -> Bool {
    try eventually {
      try command.value(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
        """) == "1"
    }
  }

  @Test(
    "an SQL statement with the error 40001 ends a run with 75, and the next run is complete",
    arguments: levels)
  func alone(level: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.reading, in: command)
    let killed = try command.start(command.words([]))
    #expect(try barrier.isReached())
    killed.send(SIGKILL)
    #expect(try killed.ended().status == 137)
    try barrier.remove()
    // The next run records the end of the killed run, in a row that another session is changing.
    let writer = try command.night.database.connect()
    try writer.run("begin; update tieout.run set settings = settings", step: "write")
    let program = try command.start(command.words([]), environment: Self.environment(level))
    #expect(try Self.isWaiting(command))
    try writer.run("commit", step: "write")
    let ended = try program.ended()
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(ended.output == "")
    #expect(ended.errors.contains("Another session blocked the command"), "\(ended.errors)")
    #expect(ended.errors.contains("[40001]"), "\(ended.errors)")
    #expect(try command.value("select count(*) from tieout.run where outcome = 'done'") == "0")
    let next = try command.run(environment: Self.environment(level))
    #expect(next.status == 0, "\(next.errors)")
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
    #expect(
      try command.value("select string_agg(outcome, ' ' order by run_id) from tieout.run")
        == "killed done")
    Torture.count("injected errors", 1, " real one")
  }

  @Test(
    "the night's own transaction is not stricter than it needs to be, and is done",
    arguments: levels)
  func night(level: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    let program = try command.start(command.words([]), environment: Self.environment(level))
    #expect(try barrier.isReached())
    // A strict transaction changes rows that the night has read and is going to change.
    try command.change(
      """
      begin isolation level serializable;
      select count(*) from tieout.run; select count(*) from tieout.store_transaction;
      update tieout.run set settings = settings; commit
      """)
    try barrier.remove()
    let ended = try program.ended()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }

  @Test(
    "a file that two sessions withdraw at once is withdrawn once, and the second is told",
    arguments: levels)
  func withdrawal(level: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    let writer = try command.night.database.connect()
    try writer.run(
      """
      begin;
      insert into tieout.withdrawal (sha256, path, because, withdrawn_by)
      select sha256, path, 'first', 'somebody' from tieout.input_file where path like 'deliveries/%'
      """, step: "write")
    let program = try command.start(
      [
        "withdraw", "--database", command.night.database.connectionString, "--inbox",
        command.night.inbox.path, "deliveries/3.csv", "--because", "second",
      ], environment: Self.environment(level))
    #expect(try Self.isWaiting(command))
    try writer.run("commit", step: "write")
    let ended = try program.ended()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("Already withdrawn: "))
    #expect(try command.value("select because from tieout.withdrawal") == "first")
  }
}
