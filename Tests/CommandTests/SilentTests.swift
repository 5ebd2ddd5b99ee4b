import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

/// Commands that wait for something that never answers.
///
/// Each command ends with exit status 75 soon after a signal to stop. Several waits also end by
/// themselves after a timeout.
@Suite("Commands that wait for something that never answers", .serialized) struct SilentTests {
  /// Waits until `isReady` holds, sends the signal to the program, and waits for its end.
  private func stopped(
    _ program: Program, _ signal: Int32 = SIGTERM, when isReady: () throws -> Bool
  ) throws -> Program.Ended {
    #expect(try eventually(isReady))
    program.send(signal)
    #expect(try eventually { try program.hasEnded() }, "it did not end")
    return try program.ended()
  }

  @Test(
    "a command that waits for the start lock of a suspended process ends with 75 and names it",
    arguments: [SIGTERM, SIGINT, nil] as [Int32?])
  func startLock(signal: Int32?) throws {
    let place = try Place(hasServer: true)
    let list = "\(place.folder)/points"
    let listed = try place.start("runs", environment: ["TIEOUT_EFFECTS": list]).ended()
    try #require(listed.status == 0)
    let points = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let start = try #require(points.firstIndex { $0.contains("pg_ctl start") })

    // The first command is suspended while it starts the server.
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

  @Test("a server that never replies: a command ends with 69, or with 75 after a signal")
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
    "a signal ends a run with 75 while a server process is suspended in an SQL statement or copy")
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

  @Test("a run ends with 69 and names the server process when that process stays suspended")
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
    "a table lock that another session keeps ends a run with 75, and the message names the holder",
    arguments: [
      "schema_version", "run", "evidence",
      // Used outside a transaction: in a query, and in a COPY.
      "run_step", "input_file", "staging_document",
    ])
  func tableLock(table: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
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
    try holder.run("rollback", step: "release")
    #expect(try command.run().status == 0)
  }

  @Test("a run that waits for a web server without an answer ends with 75 after a signal")
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

  @Test("a command whose standard output nobody reads ends with 75 after a signal")
  func output() throws {
    let command = try CommandNight()
    let pipe = "\(command.night.folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)
    defer { close(reader) }
    // The pipe is full, so the program cannot write any output.
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    let filler = [UInt8](repeating: 0x78, count: 65_536)
    while write(reader, filler, filler.count) > 0 {}
    let program = try command.start(
      ["runs", "--database", command.night.database.connectionString],
      prefix: ["sh", "-c", "exec \"$@\" >'\(pipe)'", "sh"])
    // It also waits in `poll` for answers of the server, but never so long.
    var times = 0
    let ended = try stopped(program) {
      times = program.isBlocked ? times + 1 : 0
      return times == 50
    }
    #expect(ended.status == 75, "\(ended.errors)")
  }

  @Test("a signal ends an open psql with 75, and the private server stops")
  func psql() throws {
    let place = try Place(hasServer: true)
    let program = try place.start("psql", "--", "-c", "select pg_sleep(600)")
    let ended = try stopped(program) { place.server != nil && program.hasChild("psql") }
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(eventually { place.server == nil })
  }

  @Test("a command that waits for standard input stops after a signal")
  func input() throws {
    let command = try CommandNight()
    let pipe = "\(command.night.folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Nothing is ever written to the pipe, and it does not end.
    let writer = open(pipe, O_RDWR)
    defer { close(writer) }
    let program = try command.start(
      ["forget", "-", "--database", command.night.database.connectionString],
      prefix: ["sh", "-c", "exec \"$@\" <'\(pipe)'", "sh"])
    let ended = try stopped(program) { program.isBlocked }
    #expect(ended.status == 75, "\(ended.errors)")
    #expect(ended.errors.contains("Stopped"), "\(ended.errors)")
  }

  @Test("a command ends when its private server is killed, and the next run succeeds")
  func privateServer() throws {
    let place = try Place(hasServer: true)
    try "[\"book.emma\"]".write(
      toFile: "\(place.folder)/inbox/catalog/a.json", atomically: true, encoding: .utf8)
    for isServer in [false, true] {
      let program = try place.start("psql", "--", "-c", "select pg_sleep(600)")
      // The title of a process changes while it is read, so what was found once is not asked for again.
      var backend: pid_t?
      _ = eventually {
        backend = place.backend("pg_sleep", "SELECT")
        return place.server != nil && backend != nil
      }
      let target = isServer ? place.server : backend
      kill(try #require(target), SIGKILL)
      #expect(try eventually { try program.hasEnded() }, "it hangs")
      _ = try program.ended()
      let next = try place.start("run", "--as-of", CommandNight.asOf).ended()
      #expect(next.status == 0, "\(next.errors)")
      #expect(eventually { place.server == nil })
    }
  }
}
