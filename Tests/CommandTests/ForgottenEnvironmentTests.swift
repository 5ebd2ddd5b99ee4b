import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

@Suite("Secrets in environment variables") struct ForgottenEnvironmentTests {
  private static let secrets = [
    "PGPASSWORD": "planted-password", "TIEOUT_SHARED_SECRET": "planted0shared0secret00000000000",
    "TIEOUT_CATALOGUE_URLS": "http://127.0.0.1:9/planted-query?token=planted",
  ]

  /// The environment of a process, as the system shows it.
  private func environment(of process: pid_t) -> String {
    let bytes = try? FileHandle(forReadingAtPath: "/proc/\(process)/environ")?.readToEnd()
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }

  @Test(
    "the program removes secrets from its environment, and still sends the shared secret to Apple")
  func own() throws {
    let server = try ScriptedServer { _ in .silence }
    let command = try CommandNight()
    let receipt = try command.night.receipt("receipt")
    try command.night.put("{\"receipt-data\":\"\(receipt)\"}\n", at: "receipts/raw.ndjson")
    let database = "\(command.night.database.connectionString) password=planted-in-the-string"
    let program = try command.start(
      ["refresh-receipts", "--inbox", command.night.inbox.path],
      environment: [
        "TIEOUT_DATABASE": database, "TIEOUT_VERIFY_RECEIPT_URL": server.address("/planted-path"),
        "TIEOUT_TRUSTED_ROOTS": command.night.trustedRootsInEnvironment,
      ].merging(Self.secrets) { $1 })
    #expect(eventually { !server.questions.isEmpty })
    let seen = environment(of: program.process)
    #expect(seen.contains("TIEOUT_TRUSTED_ROOTS=\(command.night.trustedRootsInEnvironment)"))
    #expect(!seen.contains("planted"), "\(seen)")
    program.send(SIGTERM)
    #expect(try program.ended().status == 75)
    #expect(
      server.questions[0].body.contains("\"password\":\"planted0shared0secret00000000000\""))
  }

  @Test("psql does not inherit the secrets, except the database's password")
  func child() throws {
    let command = try CommandNight()
    let psql = try command.start(
      ["psql", "--", "-Atc", "\\! tr '\\\\0' '\\\\n' < /proc/$PPID/environ; env"],
      environment: ["TIEOUT_DATABASE": command.night.database.connectionString].merging(
        Self.secrets
      ) { $1 }
    ).ended()
    #expect(psql.status == 0, "\(psql.errors)")
    #expect(psql.output.contains("PGPASSWORD=planted-password"))
    #expect(!psql.output.contains("planted0shared") && !psql.output.contains("planted-query"))
    #expect(!psql.output.contains("TIEOUT_DATABASE=host"))
  }

  @Test(
    "the program can still open a database that asks for a password",
    arguments: ["string", "variables"])
  func password(way: String) throws {
    let server = try ThrowawayServer()
    try server.run("create role job login password 'it''s \\ planted'")
    try server.run("create database job owner job")
    shell(
      """
      printf 'local all postgres trust\\nlocal all all scram-sha-256\\n' > '\(server.folder)/data/pg_hba.conf'
      """)
    try server.run("select pg_reload_conf()")
    let command = try CommandNight()
    try command.putGoodNight()
    let place =
      way == "string"
      ? ["TIEOUT_DATABASE": "postgresql:///job?host=\(server.folder)&user=job"]
      : ["PGHOST": server.folder, "PGUSER": "job", "PGDATABASE": "job"]
    #expect(
      eventually {
        (try? command.run(environment: place, isOwnDatabase: false).status) == 69
      })
    let environment = place.merging(["PGPASSWORD": "it's \\ planted"]) { $1 }
    let ended = try command.run(environment: environment, isOwnDatabase: false)
    #expect(ended.status == 0, "\(ended.errors)")
    let psql = try command.start(
      ["psql", "--", "-Atc", "select current_user"], environment: environment
    ).ended()
    #expect(psql.output == "job\n", "\(psql.errors)")
  }
}
