import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

@Suite("The monitor that ping_url names") struct PingTests {
  private static func run(
    _ command: CommandNight, _ address: String, _ words: [String] = [], patience: String = ""
  ) throws -> Program.Ended {
    try command.start(
      command.words(words),
      environment: [
        "TIEOUT_PING_URL": address, "no_proxy": "127.0.0.1", "TIEOUT_PATIENCE": patience,
      ]
    ).ended()
  }

  @Test("a night asks for /start, then for the address itself or with its exit status")
  func signals() throws {
    let server = try ScriptedServer { _ in .answer(200, [:], "OK") }
    let command = try CommandNight()
    try command.putGoodNight()
    #expect(try Self.run(command, server.address("/a-secret")).status == 0)
    #expect(server.questions.map(\.path) == ["/a-secret/start", "/a-secret"])
    #expect(server.questions.allSatisfy { $0.method == "GET" && $0.body.isEmpty })

    // A query stays behind the path.
    try command.putBadRecord()
    #expect(try Self.run(command, server.address("/b/?key=x%2Fy")).status == 2)
    #expect(
      server.questions.dropFirst(2).map(\.path) == ["/b/start?key=x%2Fy", "/b/2?key=x%2Fy"])

    // A dry run and other commands ask nobody.
    #expect(try Self.run(command, server.address("/d"), ["--dry-run"]).status == 0)
    let recomputed = try command.start(
      [
        "recompute", "--database", command.night.database.connectionString, "--reports",
        command.night.reports.path,
      ], environment: ["TIEOUT_PING_URL": server.address("/d")]
    ).ended()
    #expect(recomputed.status == 0, "\(recomputed.errors)")
    #expect(server.questions.count == 4)

    try FileManager.default.removeItem(at: command.night.inbox)
    #expect(try Self.run(command, server.address("/c")).status == 64)
    #expect(server.questions.dropFirst(4).map(\.path) == ["/c/start", "/c/64"])
  }

  @Test(
    "a monitor that fails is a warning in the log that does not name the address",
    .timeLimit(.minutes(10)),
    arguments: ["refuses", "is silent", "breaks off", "is not there", "redirects elsewhere"])
  func failure(kind: String) throws {
    let server = try ScriptedServer { _ in
      switch kind {
      case "refuses": .answer(404)
      case "is silent": .silence
      case "redirects elsewhere": .answer(302, ["Location": "file:///etc/passwd"])
      default: .raw("")
      }
    }
    let address = server.address("/a-secret-path?and=more")
    if kind == "is not there" { server.close() }
    let command = try CommandNight()
    try command.putGoodNight()
    let log = command.night.folder.appending(path: "tieout.log").path
    let ended = try Self.run(command, address, ["--quiet", "--log-file", log], patience: "2")
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    let said = try String(contentsOfFile: log, encoding: .utf8)
    let warnings = said.split(separator: "\n").filter { $0.contains(" warning: ping_url: ") }
    #expect(warnings.count == 2, "\(said)")
    #expect(said.contains("at http://127.0.0.1:\(server.port) was not reached at the start"))
    #expect(!said.contains("a-secret-path") && !said.contains("more"), "\(said)")
    #expect(!(try command.value("select settings from tieout.run") ?? "").contains("a-secret"))
  }

  @Test("the end is told again if the first attempt fails")
  func again() throws {
    let server = try ScriptedServer { $0.number == 1 ? .raw("") : .answer(200) }
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try Self.run(command, server.address("/x"))
    #expect(!ended.errors.contains("ping_url"), "\(ended.errors)")
    #expect(server.questions.map(\.path) == ["/x/start", "/x", "/x"])
  }

  @Test("a signal while the monitor does not answer the end keeps the status of the night")
  func stoppedAtEnd() throws {
    let server = try ScriptedServer { $0.number == 0 ? .answer(200) : .silence }
    let command = try CommandNight()
    try command.putGoodNight()
    let program = try command.start(
      command.words([]),
      environment: ["TIEOUT_PING_URL": server.address("/x"), "no_proxy": "127.0.0.1"])
    #expect(eventually { server.questions.count == 2 })
    program.send(SIGTERM)
    let ended = try program.ended()
    #expect(ended.status == 0)
    #expect(!ended.errors.contains("Stopped"), "\(ended.errors)")
  }

  @Test(
    "a signal while the monitor does not answer the start ends with 75, and the monitor learns it")
  func stoppedAtStart() throws {
    let server = try ScriptedServer { $0.number == 0 ? .silence : .answer(200) }
    let command = try CommandNight()
    try command.putGoodNight()
    let program = try command.start(
      command.words([]),
      environment: ["TIEOUT_PING_URL": server.address("/x"), "no_proxy": "127.0.0.1"])
    #expect(eventually { server.questions.count == 1 })
    program.send(SIGTERM)
    #expect(try program.ended().status == 75)
    #expect(server.questions.map(\.path) == ["/x/start", "/x/75"])
  }

  @Test("an address that is not of the web is refused, and the message does not repeat it")
  func refused() throws {
    let command = try CommandNight()
    for address in ["ftp://monitor/a-secret", "a-secret", "https://me:a-secret@monitor/"] {
      let ended = try Self.run(command, address)
      #expect(ended.status == 78)
      #expect(ended.errors.contains("TIEOUT_PING_URL") && !ended.errors.contains("a-secret"))
    }
  }
}
