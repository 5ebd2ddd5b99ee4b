import ReconciliationTestSupport
import Foundation
import Glibc
import Testing

@Suite("A second run, or a signal to stop") struct LockTests {
  @Test("the second of two runs ends at once with 75 and names the first")
  func secondRun() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    let first = try command.start(command.words([]))
    #expect(try barrier.isReached())

    let second = try command.run()
    #expect(second.status == 75)
    #expect(second.output == "")
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(second.errors.contains("host \(host), process \(first.process), since 20"))
    #expect(second.errors.filter { $0 == "\n" }.count == 1)

    try barrier.open()
    #expect(try first.ended().status == 0)
    #expect(try command.value("select count(*) from tieout.run") == "1")
    #expect(try command.run().status == 0)
  }

  @Test("a command that needs the lock of a run ends with 75 while a run is at work")
  func otherCommands() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    let barrier = try Barrier(.loading, in: command)
    try command.putBadRecord()
    let run = try command.start(command.words([], asOf: "2026-11-21T03:00:00Z"))
    #expect(try barrier.isReached())
    for words in [
      ["recompute"], ["rebuild"], ["forget", "anna"], ["close", "2026-10"], ["approve", "2026-10"],
      ["withdraw", "catalog/1.json", "--because", "a test"],
      ["reopen-period", "2026-10", "--because", "a test"],
    ] {
      let other = try command.start(
        words + ["--database", command.night.database.connectionString],
        environment: [
          "TIEOUT_INBOX": command.night.inbox.path, "TIEOUT_REPORTS": command.night.reports.path,
        ]
      ).ended()
      #expect(other.status == 75, "\(words): \(other.errors)")
      #expect(
        other.errors.contains("process \(run.process), since 20"), "\(words): \(other.errors)")
    }
    try barrier.open()
    #expect(try run.ended().status == 2)
  }

  @Test("a hangup that the caller ignores does not stop a run")
  func ignored() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.reading, in: command)
    // As nohup does.
    let program = try command.start(
      command.words([]), prefix: ["bash", "-c", "trap '' HUP; exec \"$@\"", "bash"])
    #expect(try barrier.isReached())
    program.send(SIGHUP)
    try barrier.open()
    #expect(try program.ended().status == 0)
  }

  @Test(
    "a signal to stop undoes a run and ends it with 75, and the next run does all its work",
    arguments: [Barrier.Place.reading, .loading], [SIGTERM, SIGINT, SIGHUP])
  func toldToStop(place: Barrier.Place, signal: Int32) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(place, in: command)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    program.send(signal)
    let ended = try program.ended()
    #expect(ended.status == 75)
    #expect(ended.output == "")
    #expect(ended.errors.contains("Stopped: no record and no finding changed."))
    #expect(try command.value("select outcome from tieout.run") == "stopped")
    for table in [
      "input_file", "inbox_path", "document", "evidence", "store_transaction",
      "delivery_record", "catalogue_fact", "finding", "run_count",
    ] {
      #expect(try command.value("select count(*) from tieout.\(table)") == "0", "\(table)")
    }
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
    // The steps of the stopped run are still recorded.
    let last = "select step from tieout.run_step order by step_number desc limit 1"
    #expect(try command.value(last) == (place == .reading ? "read" : "load_delivery"))

    try barrier.remove()
    let next = try command.run()
    #expect(next.status == 0)
    #expect(next.output.contains("0 open findings in 1 transaction."))
  }

  @Test("a run ends with 75 when another session cancels its SQL statement")
  func cancelled() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    try command.change(
      """
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'
      """)
    let ended = try program.ended()
    #expect(ended.status == 75)
    #expect(ended.errors.contains("cancelled an SQL statement"))
    #expect(try command.value("select count(*) from tieout.store_transaction") == "0")
  }
}
