import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import Testing
import WebTestSupport

/// Commands that wait for something which never answers.
///
/// Each ends: by itself where nobody helps, and at once with 75
/// when it is told to stop.
@Suite("Whatever never answers has an end", .serialized) struct SilentTests {
  /// Waits until the program has begun to wait, tells it to stop, and waits for its end.
  private func stopped(
    _ program: Program, _ signal: Int32 = SIGTERM, when isReady: () throws -> Bool
  ) throws -> Program.Ended {
    #expect(try eventually(isReady))
    program.send(signal)
    #expect(try eventually { try program.hasEnded() }, "it did not end")
    return try program.ended()
  }

  @Test(
    "the start lock of a stopped process: 75, and the holder is named",
    arguments: [SIGTERM, SIGINT, nil] as [Int32?])
  func startLock(signal: Int32?) throws {
    let place = try Place()
    try #require(try place.start("runs").ended().status == 0)
    let list = "\(place.folder)/points"
    let listed = try place.start("runs", environment: ["TIEOUT_EFFECTS": list]).ended()
    try #require(listed.status == 0)
    let points = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let start = try #require(points.firstIndex { $0.contains("pg_ctl start") })

    // The first is suspended while it starts the server.
    let first = try place.start("runs", environment: ["TIEOUT_EFFECTS": "- halt \(start + 1)"])
    #expect(eventually { first.state == "T" })
    let second = try place.start(
      ["run"], environment: signal == nil ? ["TIEOUT_PATIENCE": "2"] : [:])
    let ended =
      try signal.map { signal in
        try stopped(second, signal) { try second.said().contains("Waiting for process") }
      } ?? second.ended()
    #expect(ended.status == 75, "\(ended.errors)")
    let words = ended.errors.split(separator: "\n").last ?? ""
    #expect(words.contains("process \(first.process) (tieout runs, since 20"))
    #expect(words.contains("kill -CONT \(first.process)"))

    first.send(SIGCONT)
    #expect(try first.ended().status == 0)
    #expect(eventually { place.server == nil })
  }

  @Test("a server that takes the connection and says nothing: 69, and told to stop 75")
  func connection() throws {
    let socket = try SilentSocket()
    let command = try CommandNight()
    let words = ["runs", "--database", "host=\(socket.folder) dbname=tieout"]
    let limited = try command.start(words, environment: ["TIEOUT_PATIENCE": "2"]).ended()
    #expect(limited.status == 69)
    #expect(limited.errors.contains("\(socket.folder)/.s.PGSQL.5432"))
    #expect(limited.errors.contains("timeout expired"))
    #expect(socket.isAsked())
    for name in ["runs", "run", "findings", "withdraw"] {
      let program = try command.start([name] + words.dropFirst())
      let ended = try stopped(program) { socket.isAsked() }
      #expect(ended.status == 75, "\(name): \(ended.errors)")
      #expect(ended.errors.hasPrefix("tieout: Stopped"), "\(name): \(ended.errors)")
    }
  }

  @Test(
    "a server process that was stopped in the midst of a statement or a copy: 75 when told to stop")
  func statement() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    for place in [Barrier.Place.reading, .loading] {
      let barrier = try Barrier(place, in: command)
      let program = try command.start(command.words([]))
      #expect(try barrier.isReached())
      let backends = try command.backends("tieout run") + command.backends("tieout load")
      try #require(!backends.isEmpty)
      for backend in backends { kill(backend, SIGSTOP) }
      let ended = try stopped(program) { true }
      for backend in backends { kill(backend, SIGCONT) }
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(ended.errors.contains("Stopped"))
      try barrier.remove()
    }
    #expect(try command.run().status == 0)
  }

  @Test("a server process that was stopped: 69 in the end, by its number")
  func limit() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.loading, in: command)
    let program = try command.start(
      command.words([]), environment: ["TIEOUT_PATIENCE": "3"])
    #expect(try barrier.isReached())
    let backends = try command.backends("tieout run")
    for backend in backends { kill(backend, SIGSTOP) }
    let ended = try program.ended()
    for backend in backends { kill(backend, SIGCONT) }
    #expect(ended.status == 69, "\(ended.errors)")
    #expect(backends.contains { ended.errors.contains("its process \($0)") }, "\(ended.errors)")
    try barrier.remove()
    #expect(try command.run().status == 0)
  }

  @Test(
    "a lock on a table that somebody holds for ever: 75, and who it is",
    arguments: ["schema_version", "run", "evidence"])
  func tableLock(table: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.createTables()
    let holder = try Connection(
      command.night.database.connectionString, applicationName: "a forgotten psql")
    try holder.run("begin; lock table tieout.\(table)", step: "hold")
    let limited = try command.run(environment: ["TIEOUT_PATIENCE": "2"])
    #expect(limited.status == 75, "\(limited.errors)")
    #expect(limited.errors.contains("(a forgotten psql of "), "\(limited.errors)")
    let ended = try stopped(try command.start(command.words([]))) {
      try command.value("select count(*) from pg_locks where not granted") != "0"
    }
    #expect(ended.status == 75, "\(ended.errors)")
    try holder.run("rollback", step: "let go")
    #expect(try command.run().status == 0)
  }

  @Test("a web server that says nothing: 75 when told to stop")
  func web() throws {
    let socket = try SilentSocket(isWeb: true)
    let command = try CommandNight()
    try command.putGoodNight()
    let program = try command.start(
      command.words([]),
      environment: ["TIEOUT_CATALOGUE_URLS": "http://127.0.0.1:\(socket.port)/products.json"])
    let ended = try stopped(program) { socket.isAsked() }
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(try command.run().status == 0)
  }

  @Test("a reader of standard output that reads nothing: 75 when told to stop")
  func output() throws {
    let command = try CommandNight()
    try command.createTables()
    let pipe = "\(command.night.folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)
    defer { close(reader) }
    // Full, so that not a word fits in.
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    let filler = [UInt8](repeating: 0x78, count: 65_536)
    while write(reader, filler, filler.count) > 0 {}
    let program = try command.start(
      ["runs", "--database", command.night.database.connectionString],
      prefix: ["sh", "-c", "exec \"$@\" >'\(pipe)'", "sh"])
    let ended = try stopped(program) { program.isBlocked }
    #expect(ended.status == 75, "\(ended.errors)")
  }

  @Test("psql that a person left open: 75 when told to stop, and the server goes")
  func psql() throws {
    let place = try Place()
    let program = try place.start("psql", "--", "-c", "select pg_sleep(600)")
    let ended = try stopped(program) { place.server != nil && program.hasChild("psql") }
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(eventually { place.server == nil })
  }

  @Test("standard input that says nothing: 75 when told to stop")
  func input() throws {
    let command = try CommandNight()
    let program = try command.start(
      ["forget", "-", "--database", command.night.database.connectionString],
      prefix: ["sh", "-c", "sleep 600 | { exec \"$@\"; }", "sh"])
    #expect(eventually { program.child("tieout") != nil })
    let child = try #require(program.child("tieout"))
    usleep(500_000)
    kill(child, SIGTERM)
    #expect(eventually { !FileManager.default.fileExists(atPath: "/proc/\(child)") })
    program.send(SIGKILL)
    #expect(try program.ended().errors.contains("Stopped"))
  }

  @Test("a private server that is killed, or loses a process, in the midst of a night")
  func privateServer() throws {
    let place = try Place()
    try "[\"book.emma\"]".write(
      toFile: "\(place.folder)/inbox/catalog/a.json", atomically: true, encoding: .utf8)
    try #require(try place.start("runs").ended().status == 0)
    for isServer in [false, true] {
      let program = try place.start("psql", "--", "-c", "select pg_sleep(600)")
      #expect(eventually { place.server != nil && place.backend("pg_sleep", "SELECT") != nil })
      let target = isServer ? place.server : place.backend("pg_sleep", "SELECT")
      kill(try #require(target), SIGKILL)
      #expect(try eventually { try program.hasEnded() }, "it hangs")
      _ = try program.ended()
      let next = try place.start("run", "--as-of", CommandNight.asOf).ended()
      #expect(next.status == 0, "\(next.errors)")
      #expect(eventually { place.server == nil })
    }
  }
}
