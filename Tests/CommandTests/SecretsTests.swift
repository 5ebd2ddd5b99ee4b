import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import Testing
import WebTestSupport

@Suite("Secrets, and the modes of published files", .serialized) struct SecretsTests {
  private static let secrets = [
    "planted-password-of-the-url", "planted-password-of-the-environment",
    "planted0shared0secret00000000000", "planted-key-of-privacy-0123456789abcdef",
    "planted-query-of-an-address", "planted-password-of-a-notification",
  ]

  private func environment(_ command: CommandNight) throws -> [String: String] {
    let key = command.night.folder.appending(path: "privacy-key")
    try Data(Self.secrets[3].utf8).write(to: key)
    return [
      "PGPASSWORD": Self.secrets[1], "TIEOUT_SHARED_SECRET": Self.secrets[2],
      "TIEOUT_PRIVACY": "hash", "TIEOUT_PRIVACY_KEY_FILE": key.path,
      "TIEOUT_CATALOGUE_URLS": "http://127.0.0.1:9/list.json?token=\(Self.secrets[4])",
      "TIEOUT_LOG_LEVEL": "trace",
    ]
  }

  /// The names and the bytes of all files below a folder.
  private func everything(below folder: String) throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { name in
      let bytes = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      return name + String(decoding: bytes ?? Data(), as: UTF8.self)
    }.joined()
  }

  private func tables(_ command: CommandNight) throws -> String {
    let names = try command.night.database.connect().run(
      """
      select relname from pg_class where relnamespace = 'tieout'::regnamespace and relkind = 'r'
      """, step: "ask"
    ).values.compactMap { $0[0] }
    return try names.map {
      try command.night.database.draw("select one::text from tieout.\($0) as one")
    }
    .joined()
  }

  @Test(
    "no command writes a secret to its output, its log, its errors, the reports or the tables",
    arguments: [
      "2 run", "2 run --log-format json", "2 run --dry-run", "65 run --max-rejected 0",
      "64 run --as-of nonsense", "64 run --inbox /nowhere", "0 run --help", "0 recompute",
      "0 rebuild", "0 runs", "0 refresh-receipts", "0 withdraw",
      "0 psql -- -Atc table\u{a0}tieout.run",
    ])
  func nowhere(line: String) throws {
    let all: [String] = line.split(separator: " ").map { String($0).replacing("\u{a0}", with: " ") }
    let status = Int32(all[0]) ?? -1
    let words: [String] = Array(all.dropFirst())
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put(
      "{\"status\":21003,\"password\":\"\(Self.secrets[5])\"}\n", at: "receipts/bad.ndjson")
    let variables = try environment(command)
    let database = "\(command.night.database.connectionString) password=\(Self.secrets[0])"
    let settings = """
      database: "\(database)"
      inbox: \(command.night.inbox.path)
      reports: \(command.night.reports.path)
      verify_receipt_url: http://127.0.0.1:9/verify

      """
    try settings.write(
      to: command.night.folder.appending(path: "tieout.yaml"), atomically: true, encoding: .utf8)
    if words[0] != "run" {
      // The other commands need the tables and the reports of an earlier run.
      #expect(try command.start(["run"], environment: variables).ended().status == 2)
    }
    let program = try command.start(words, environment: variables)
    let ended = try program.ended()
    #expect(ended.status == status, "\(ended.errors)")
    var text = ended.output + ended.errors
    if FileManager.default.fileExists(atPath: command.night.reports.path) {
      text += try everything(below: command.night.reports.path)
    }
    if ![64, 78].contains(status), words.last != "--help" {
      text += try tables(command)
    }
    #expect(!text.isEmpty)
    if words[0] == "psql" { #expect(ended.output.contains("|done|"), "\(ended.output)") }
    for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test(
    "no message contains the password of a connection string that cannot be used",
    arguments: [
      "host=localhost password=my planted-password", "postgresql://user:pa:planted-password@[host",
      "password='planted-password", "planted-password=1", "postgresql://u:%planted-password@h/d",
      "postgresql://u:my@planted-password@127.0.0.1:1/d", "postgresql://u:s3/planted-password@h/d",
      "postgresql://u:12/planted-password@h/d", "host=127.0.0.1 port=planted-password",
      "host=/nowhere password=planted-password",
    ])
  func unreadable(database: String) throws {
    let command = try CommandNight()
    for words in [["run", "--inbox", command.night.inbox.path], ["psql"], ["runs"]] {
      let ended = try command.start(words, environment: ["TIEOUT_DATABASE": database]).ended()
      // libpq can read the last string only, and nobody answers there.
      #expect(
        ended.status == (database.hasPrefix("host=/nowhere") ? 69 : 78), "\(ended.errors)")
      #expect(!(ended.output + ended.errors).contains("planted-password"), "\(ended.errors)")
    }
  }

  @Test("the arguments of the psql process do not contain the password")
  func psqlWords() throws {
    let command = try CommandNight()
    let database = "\(command.night.database.connectionString) password=planted-password"
    let gate = try Gate(in: command.night.folder.path)
    let program = try command.start(
      ["psql", "--", "-c", gate.command], environment: ["TIEOUT_DATABASE": database])
    var seen = ""
    _ = eventually {
      let list = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      for process in list where process.allSatisfy(\.isNumber) {
        let handle = FileHandle(forReadingAtPath: "/proc/\(process)/cmdline")
        let words = (try? handle?.readToEnd() ?? Data()) ?? Data()
        let text = String(decoding: words, as: UTF8.self)
        if text.contains("psql"), text.contains(command.night.database.connectionString.suffix(36))
        {
          seen = text
        }
      }
      return !seen.isEmpty
    }
    #expect(!seen.isEmpty)
    #expect(!seen.contains("planted-password"))
    gate.open()
    #expect(try program.ended().status == 0)
  }

  @Test(
    "only the user and the group can read the reports and their folders, with any umask",
    arguments: [
      "000", "022", "077", "277", "777",
    ])
  func modes(umask: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let reports = command.night.folder.appending(path: "made/again/reports").path
    let ended = try command.run(
      "--reports", reports, prefix: ["sh", "-c", "umask \(umask); exec \"$@\"", "sh"])
    #expect(ended.status == 0, "\(ended.errors)")
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(reports)/2026-11-20") {
      #expect(mode("\(reports)/2026-11-20/\(name)") & ~0o640 == 0, "\(name)")
      #expect(mode("\(reports)/2026-11-20/\(name)") & 0o600 == 0o600, "\(name)")
    }
    for folder in [reports, "\(reports)/2026-11-20"] {
      #expect(mode(folder) & ~0o750 == 0, "\(folder)")
      #expect(mode(folder) & 0o700 == 0o700, "\(folder)")
    }
  }
}
