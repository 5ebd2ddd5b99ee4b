import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("Failures of a real server or a real disk", .serialized) struct RealErrorTests {
  /// Expects a failed run: its exit status, a message of one line, and nothing published.
  private func expectRefusal(
    _ ended: Program.Ended, _ status: Int32, _ words: String, _ command: CommandNight
  ) {
    #expect(ended.status == status, "\(ended.errors)")
    #expect(ended.output == "")
    let lines = ended.errors.split(separator: "\n").filter { $0.hasPrefix("tieout: ") }
    #expect(lines.count == 1, "\(ended.errors)")
    #expect(ended.errors.contains(words), "\(ended.errors)")
    let names = (try? command.publishedNames().filter { !$0.hasPrefix(".") }) ?? []
    #expect(names == [])
    Torture.count("injected errors", 1, " real one")
  }

  /// Expects that the next run succeeds as if nothing had failed.
  private func expectWhole(_ ended: Program.Ended, _ command: CommandNight) throws {
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("0 open findings in 1 transaction."))
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }

  @Test("a server that stops during a run ends it with 69, and the next run is complete")
  func restart() throws {
    let server = try ThrowawayServer()
    let command = try CommandNight()
    try command.putGoodNight()
    let database = ["--database", server.connectionString]
    try #require(
      try command.start(["runs"] + database).ended().status == 0)
    try server.run(
      """
      create function wait_here() returns trigger language plpgsql
      as $$ begin perform pg_sleep(60); return new; end $$;
      create trigger wait_here before insert on tieout.stored_delivery
      for each statement execute function wait_here()
      """)
    let program = try command.start(command.words(database))
    #expect(
      try eventually {
        try server.run("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == "1"
      })
    try server.stop("immediate")
    let words = "broke before the command was done. Check the server and start the command again: "
    expectRefusal(try program.ended(), 69, words, command)
    try server.start()
    try server.run("drop function wait_here() cascade")
    try expectWhole(try command.start(command.words(database)).ended(), command)
    #expect(try server.run("select count(*) from tieout.run where outcome = 'killed'") == "1")
  }

  @Test("a server that is a read-only standby ends a run with 69")
  func standby() throws {
    let primary = try ThrowawayServer("wal_level = replica\nmax_wal_senders = 4")
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(
      try command.start(["runs", "--database", primary.connectionString]).ended().status == 0)
    let standby = try ThrowawayServer(standbyOf: primary)
    let refused = try command.start(
      command.words(["--database", standby.connectionString])
    ).ended()
    expectRefusal(refused, 69, "read-only", command)
    #expect(refused.errors.contains("Connect to the primary"), "\(refused.errors)")
    try expectWhole(
      try command.start(command.words(["--database", primary.connectionString])).ended(), command)
  }

  @Test("a role that can only read ends a run with 69")
  func readOnly() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let options = ["PGOPTIONS": "-c default_transaction_read_only=on"]
    expectRefusal(try command.run(environment: options), 69, "read-only", command)
    try expectWhole(try command.run(), command)
  }

  @Test(
    "a run ends with 69 when one of its connections cannot be opened", arguments: 0...3)
  func outOfConnections(limit: Int) throws {
    let command = try CommandNight(hasTables: false)
    try command.putGoodNight()
    let role = "tieout_few_\(UUID().uuidString.prefix(8).lowercased())"
    let name = try #require(try command.value("select current_database()"))
    try command.change(
      "create role \(role) login connection limit \(limit); alter database \(name) owner to \(role)"
    )
    defer { try? command.change("reassign owned by \(role) to postgres; drop role \(role)") }
    let ended = try command.run(
      "--database", "\(command.night.database.connectionString) user=\(role)")
    expectRefusal(ended, 69, "too many connections", command)
    try command.change("alter role \(role) connection limit 20")
    let next = try command.run(
      "--database", "\(command.night.database.connectionString) user=\(role)")
    try expectWhole(next, command)
  }

  @Test("a role's settings do not change how the run's SQL is read")
  func settings() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let options =
      "-c standard_conforming_strings=off -c array_nulls=off -c quote_all_identifiers=on"
    try expectWhole(try command.run(environment: ["PGOPTIONS": options]), command)
  }

  @Test("a role's timeouts for short queries do not stop a run that takes longer")
  func timeouts() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.change(
      """
      create function wait_here() returns trigger language plpgsql
      as $$ begin perform pg_sleep(1.5); return new; end $$;
      create trigger wait_here before insert on tieout.stored_delivery
      for each statement execute function wait_here()
      """)
    let timeouts = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]
    let options = timeouts.map { "-c \($0)=1000" }.joined(separator: " ")
    try expectWhole(try command.run(environment: ["PGOPTIONS": options]), command)
  }

  @Test("a role's timeout for idle sessions does not stop a run that reads for longer")
  func idleSession() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.reading, in: command)
    let program = try command.start(
      command.words([]), environment: ["PGOPTIONS": "-c idle_session_timeout=1000"])
    #expect(try barrier.isReached())
    usleep(2_000_000)
    try barrier.open()
    try expectWhole(try program.ended(), command)
  }

  @Test("a role's timeout that is too short ends a run with 75, and the next run is complete")
  func shortTimeout() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.change(
      """
      create function wait_here() returns trigger language plpgsql
      as $$ begin perform pg_sleep(1); return new; end $$;
      create trigger wait_here before insert on tieout.staging_delivery
      for each statement execute function wait_here()
      """)
    let options = ["PGOPTIONS": "-c statement_timeout=500"]
    expectRefusal(try command.run(environment: options), 75, "statement timeout", command)
    try command.change("drop function wait_here() cascade")
    try expectWhole(try command.run(), command)
  }

  @Test("a full disk of the database ends a run with 69", .needsMount(ThrowawayServer.mayMount))
  func databaseFull() throws {
    let server = try ThrowawayServer()
    let command = try CommandNight()
    try command.putGoodNight()
    let place = try server.mountSmall("200m")
    try server.run("create tablespace small location '\(place)'")
    try server.run("create database tight tablespace small")
    let database = "\(server.connectionString) dbname=tight"
    try #require(try command.start(["runs", "--database", database]).ended().status == 0)
    try server.run("checkpoint")
    // The new size is the used size and a few pages.
    try server.resize("$(($(du -sk '\(place)' | cut -f 1) + 48))k")
    let words = command.words(["--database", database])
    let refused = try command.start(words).ended()
    expectRefusal(refused, 69, "The disk of the database server is full", command)
    try server.resize("200m")
    try expectWhole(try command.start(words).ended(), command)
  }

  @Test("a full disk of the reports ends a run with 73", .needsMount(ThrowawayServer.mayMount))
  func reportsFull() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let small = try SmallDisk(at: command.night.reports.path, size: "16k")
    expectRefusal(try command.run(), 73, "No space left on device", command)
    try small.remount("size=10m")
    try expectWhole(try command.run(), command)
  }

  @Test(
    "a full disk of the anchor or of the metrics file needs room",
    .needsMount(ThrowawayServer.mayMount))
  func otherFilesFull() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let place = command.night.folder.appending(path: "full").path
    let small = try SmallDisk(at: place, size: "16k")
    defer { withExtendedLifetime(small) {} }
    _ = shell("head -c 1000000 /dev/zero >'\(place)/filling'")
    for (option, status, words) in [
      ("--anchor", 73, "The next run appends what is missing."),
      ("--metrics-file", 0, "The run does not depend on it."),
    ] as [(String, Int32, String)] {
      let ended = try command.run(option, "full/file")
      #expect(ended.status == status, "\(ended.errors)")
      #expect(
        ended.errors.contains("No space left on device. \(words) Make room, or name another file."),
        "\(ended.errors)")
    }
  }

  @Test(
    "a read-only file system of the reports ends a run with 73",
    .needsMount(ThrowawayServer.mayMount))
  func reportsReadOnly() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let small = try SmallDisk(at: command.night.reports.path, size: "10m")
    try small.remount("ro")
    expectRefusal(try command.run(), 73, "Read-only file system", command)
    try small.remount("rw")
    try expectWhole(try command.run(), command)
  }

  @Test(
    "a committed night that cannot be published ends with 73, and the next run publishes it",
    .needsMount(ThrowawayServer.mayMount))
  func fullDuringPublication() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let small = try SmallDisk(at: command.night.reports.path, size: "10m")
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    try small.remount("ro")
    try barrier.remove()
    let ended = try program.ended()
    #expect(ended.status == 73, "\(ended.errors)")
    try small.remount("rw")
    let next = try command.run()
    #expect(next.errors.contains("were not published by their run"))
    #expect(next.status == 0)
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }
}

/// A small file system in memory, mounted for a test.
private final class SmallDisk {
  private let place: String

  init(at place: String, size: String) throws {
    self.place = place
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let mounted = shell("mount -t tmpfs -o size=\(size) tmpfs '\(place)'")
    try #require(mounted.status == 0, "\(mounted.output)")
  }

  deinit {
    _ = shell("umount -l '\(place)'")
  }

  func remount(_ options: String) throws {
    let mounted = shell("mount -o remount,\(options) '\(place)'")
    try #require(mounted.status == 0, "\(mounted.output)")
  }
}
