import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing

/// A folder with an inbox, and with settings that name a state directory in the same folder.
final class Place {
  let folder: String

  /// - Parameter hasServer: Whether the state directory has a stopped server with empty tables.
  init(hasServer: Bool = false) throws {
    // The server's socket needs a short path that the server's user can reach.
    folder = ShortPath.unused("own")
    for name in ["receipts", "deliveries", "catalog"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/inbox/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    try "state_directory: \(folder)/state\n".write(
      toFile: "\(folder)/own.yaml", atomically: true, encoding: .utf8)
    guard hasServer else { return }
    let copied = try shell("cp -a '\(Self.prepared.get().folder)/state' '\(folder)/state'")
    try #require(copied.status == 0, "\(copied.output)")
  }

  /// The place of a stopped server, which is created once.
  nonisolated(unsafe) private static let prepared: Result<Place, any Error> = Result {
    let place = try Place()
    // A static property is never released.
    atexit { try? FileManager.default.removeItem(atPath: Place.prepared.get().folder) }
    let runs = try place.start("runs").ended()
    try #require(runs.status == 0, "\(runs.errors)")
    try #require(eventually { place.server == nil })
    return place
  }

  deinit {
    if let server { kill(server, SIGQUIT) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The process ID of the server.
  var server: pid_t? {
    let text = try? String(
      contentsOfFile: "\(folder)/state/data/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  func start(_ words: String..., environment: [String: String] = [:]) throws -> Program {
    try start(words, environment: environment)
  }

  /// - Parameter prefix: The words before the program's path, such as a command that starts the
  ///   program.
  func start(
    _ words: [String], environment: [String: String], prefix: [String] = []
  ) throws -> Program {
    var words = words
    words.insert(contentsOf: ["--config", "own.yaml"], at: 1)
    return try Program(
      words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder].merging(environment) { $1 },
      in: folder, prefix: prefix)
  }
}

@Suite("The program with a private server", .serialized) struct OwnServerTests {
  @Test("the private server keeps the loaded data from run to run, and psql and runs can read it")
  func keeps() throws {
    let place = try Place()
    try "[\"book.emma\"]".write(
      toFile: "\(place.folder)/inbox/catalog/a.json", atomically: true, encoding: .utf8)
    let first = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(first.status == 0, "\(first.errors)")
    #expect(place.server == nil)
    let second = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.output.contains("1 file skipped: unchanged since the last run."))

    let psql = try place.start("psql", "--", "-Atc", "select product_id from product").ended()
    #expect(psql.status == 0, "\(psql.errors)")
    #expect(psql.output == "book.emma\n")
    let wrong = try place.start("psql", "--", "-Atc", "select nothing from nowhere").ended()
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("nowhere"))
    let runs = try place.start("runs").ended()
    #expect(runs.status == 0)
    #expect(runs.output.split(separator: "\n").count == 3)
    #expect(place.server == nil)
  }

  @Test("psql is found beside the private server's programs if PATH has none")
  func besidePrograms() throws {
    let place = try Place(hasServer: true)
    let bin = "\(place.folder)/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin")
    where name != "psql" {
      try FileManager.default.createSymbolicLink(
        atPath: "\(bin)/\(name)", withDestinationPath: "/usr/bin/\(name)")
    }
    let psql = try place.start("psql", "--", "-Atc", "select 1", environment: ["PATH": bin]).ended()
    #expect(psql.status == 0 && psql.output == "1\n", "\(psql.errors)")
  }

  @Test(
    "variables with requirements for other servers do not apply to the private server",
    arguments: [
      "PGCHANNELBINDING=require", "PGGSSENCMODE=require", "PGTARGETSESSIONATTRS=standby",
      "PGSSLMODE=verify_full", "PGSSLROOTCERT=system", "PGSSLMINPROTOCOLVERSION=2",
      "PGSSLMAXPROTOCOLVERSION=TLSv1.1",
    ])
  func environment(variable: String) throws {
    let place = try Place()
    let pair = variable.split(separator: "=").map(String.init)
    let ended = try place.start(
      "run", "--as-of", CommandNight.asOf, environment: [pair[0]: pair[1]]
    ).ended()
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test("two commands can use the private server at once, and neither stops it for the other")
  func beside() throws {
    let place = try Place(hasServer: true)
    try #require(try place.start("run", "--as-of", CommandNight.asOf).ended().status == 0)
    let gate = try Gate(in: place.folder)
    let psql = try place.start("psql", "--", "-At", "-c", gate.command, "-c", "select 1")
    #expect(eventually { gate.isReached })
    let run = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !psql.hasEnded() && place.server != nil)
    gate.open()
    let ended = try psql.ended()
    #expect(ended.status == 0 && ended.output == "1\n", "\(ended.errors)")
    #expect(eventually { place.server == nil })
  }

  @Test("the next command takes over the server of a killed command and stops it")
  func adopts() throws {
    let place = try Place(hasServer: true)
    try #require(try place.start("run", "--as-of", CommandNight.asOf).ended().status == 0)
    let killed = try place.start("run", "--as-of", CommandNight.asOf)
    #expect(eventually { place.server != nil })
    killed.send(SIGKILL)
    _ = try killed.ended()
    #expect(place.server != nil)
    let run = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(run.status == 0, "\(run.errors)")
    #expect(eventually { place.server == nil })
  }

  @Test("the private server does not start when libpq's environment names a server")
  func notBesideAnother() throws {
    let place = try Place()
    let ended = try place.start(
      "run", "--as-of", CommandNight.asOf, environment: ["PGHOST": place.folder]
    ).ended()
    #expect(ended.status == 69)
    #expect(!FileManager.default.fileExists(atPath: "\(place.folder)/state"))
  }
}
