import Foundation
import Glibc
import ReconciliationTestSupport
import Testing

/// A folder with an inbox and settings that name a state directory in it.
final class Place {
  let folder: String

  init() throws {
    // The server's socket needs a short path, and its user a way to it.
    folder = "/tmp/tieout-own-\(UUID().uuidString.prefix(8))"
    for name in ["receipts", "deliveries", "catalog"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/inbox/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    try "state_directory: \(folder)/state\n".write(
      toFile: "\(folder)/own.yaml", atomically: true, encoding: .utf8)
  }

  deinit {
    if let server { kill(server, SIGQUIT) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The number of the server's process.
  var server: pid_t? {
    let text = try? String(
      contentsOfFile: "\(folder)/state/data/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  func start(_ words: String..., environment: [String: String] = [:]) throws -> Program {
    try start(words, environment: environment)
  }

  /// - Parameter prefix: What is to start the program instead.
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

@Suite("The program with a server of its own", .serialized) struct OwnServerTests {
  @Test("keeps what it loaded from one run to the next, and psql and runs see it")
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

  @Test(
    "does not ask of it what the environment asks of servers elsewhere",
    arguments: ["PGCHANNELBINDING=require", "PGGSSENCMODE=require", "PGTARGETSESSIONATTRS=standby"])
  func environment(variable: String) throws {
    let place = try Place()
    let pair = variable.split(separator: "=").map(String.init)
    let ended = try place.start(
      "run", "--as-of", CommandNight.asOf, environment: [pair[0]: pair[1]]
    ).ended()
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test("has a second command beside the first, and neither takes the server from the other")
  func beside() throws {
    let place = try Place()
    try #require(try place.start("run", "--as-of", CommandNight.asOf).ended().status == 0)
    let psql = try place.start("psql", "--", "-c", "select pg_sleep(2)")
    #expect(eventually { place.server != nil })
    let run = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try psql.ended().status == 0)
    #expect(eventually { place.server == nil })
  }

  @Test("takes over the server that a killed command left, and stops it")
  func adopts() throws {
    let place = try Place()
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

  @Test("never starts when libpq's environment names a server")
  func notBesideAnother() throws {
    let place = try Place()
    let ended = try place.start(
      "run", "--as-of", CommandNight.asOf, environment: ["PGHOST": place.folder]
    ).ended()
    #expect(ended.status == 69)
    #expect(!FileManager.default.fileExists(atPath: "\(place.folder)/state"))
  }
}
