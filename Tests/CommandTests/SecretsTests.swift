import Foundation
import Glibc
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

@Suite("Secrets, and the modes of published files", .serialized) struct SecretsTests {
  private static let secrets = [
    "planted-password-of-the-url", "planted-password-of-the-environment",
    "planted0shared0secret00000000000", "planted-key-of-privacy-0123456789abcdef",
    "planted-query-of-an-address", "planted-password-of-a-notification",
  ]

  private func environment(
    _ command: CommandNight, privacy: String
  ) throws -> [String: String] {
    let key = command.night.folder.appending(path: "privacy-key")
    try Data(Self.secrets[3].utf8).write(to: key)
    return [
      "PGPASSWORD": Self.secrets[1], "TIEOUT_SHARED_SECRET": Self.secrets[2],
      "TIEOUT_PRIVACY": privacy, "TIEOUT_PRIVACY_KEY_FILE": key.path,
      "TIEOUT_CATALOGUE_URLS": "http://127.0.0.1:9/list.json?token=\(Self.secrets[4])",
      "TIEOUT_LOG_LEVEL": "trace", "TIEOUT_SINGLE_SIGNER": "true",
    ]
  }

  /// The names and the bytes of all files below a folder, and the members of workbooks.
  private func everything(below folder: String) throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { name in
      let path = "\(folder)/\(name)"
      let bytes = try? Data(contentsOf: URL(filePath: path))
      var text = name + String(decoding: bytes ?? Data(), as: UTF8.self)
      if name.hasSuffix(".xlsx") {
        let members = try SpreadsheetText.members(of: path)
        #expect(members.contains("<sheetData>"), "\(name)")
        text += members
      }
      return text
    }.joined()
  }

  private func tables(_ command: CommandNight) throws -> String {
    let names = try command.night.database.connect().run(
      """
      select relname from pg_class where relnamespace = 'tieout'::regnamespace and relkind = 'r'
      """, step: "ask"
    ).values.compactMap { $0[0] }
    return try command.night.database.draw(
      each: names.map { name in
        // Also the bytes of a rejected record, as text.
        name == "rejection"
          ? "select *, encode(raw, 'escape') as raw_text from rejection"
          : "select one::text from \(name) as one"
      }
    ).joined()
  }

  /// A night with a purchase that was not delivered, with a rejected record, and with settings that
  /// have secrets.
  private func prepared() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      102            | book.emma  | 2026-10-18 10:00 | 1.99  | USD
      """)
    try command.night.put(
      "{\"status\":21003,\"password\":\"\(Self.secrets[5])\"}\n", at: "receipts/bad.ndjson")
    let database = "\(command.night.database.connectionString) password=\(Self.secrets[0])"
    let settings = """
      database: "\(database)"
      inbox: \(command.night.inbox.path)
      reports: \(command.night.reports.path)
      verify_receipt_url: http://127.0.0.1:9/verify
      books_begin: 2026-10-01T00:00:00Z

      """
    try settings.write(
      to: command.night.folder.appending(path: "tieout.yaml"), atomically: true, encoding: .utf8)
    return command
  }

  private func expectNoSecret(in text: String, _ place: String) {
    #expect(!text.isEmpty, "\(place)")
    for secret in Self.secrets { #expect(!text.contains(secret), "\(place): \(secret)") }
  }

  @Test(
    "no run writes a secret to its output, its log, its errors, the reports or the tables",
    .needs(.python3),
    arguments: [
      "2 run", "2 run --log-format json", "2 run --dry-run", "65 run --max-rejected 0",
      "64 run --as-of nonsense", "64 run --inbox /nowhere", "0 run --help",
    ], ["none", "hash"])
  func runs(line: String, privacy: String) throws {
    let all = line.split(separator: " ").map(String.init)
    let status = Int32(all[0]) ?? -1
    let words = Array(all.dropFirst())
    let command = try prepared()
    let ended = try command.start(words, environment: environment(command, privacy: privacy))
      .ended()
    #expect(ended.status == status, "\(ended.errors)")
    var text = ended.output + ended.errors
    if FileManager.default.fileExists(atPath: command.night.reports.path) {
      text += try everything(below: command.night.reports.path)
    }
    if status != 64, words.last != "--help" { text += try tables(command) }
    expectNoSecret(in: text, line)
  }

  /// Each command with its exit status; in the second night after the first one.
  ///
  /// `FINDING` is the name of a finding.
  private static let lines = [
    "2 run --as-of 2026-11-20T03:00:00Z", "0 run --as-of 2026-11-21T03:00:00Z", "2 check inbox",
    "0 findings", "0 acknowledge FINDING --because known", "0 reopen FINDING", "0 explain 102",
    "0 delivery-status 102", "0 runs", "0 diff 2026-11-20 2026-11-21", "0 restate",
    "0 close 2026-10", "0 approve 2026-10", "0 reopen-period 2026-10 --because wrong", "0 periods",
    "0 journal", "0 verify reports", "0 show 2026-11-21", "0 withdraw", "0 refresh-receipts",
    "0 recompute", "0 forget nobody", "0 rebuild", "0 roles", "0 cluster status",
    "78 cluster distribute", "0 psql -- -Atc table\u{a0}tieout.run",
    "64 upgrade-server --database host=/nowhere",
  ]

  @Test(
    "no command writes a secret to its output, its log, its errors, the reports or the tables",
    .needs(.python3), arguments: ["none", "hash"])
  func nowhere(privacy: String) throws {
    let command = try prepared()
    let variables = try environment(command, privacy: privacy)
    var tried: Set<String> = []
    for line in Self.lines {
      let all = line.split(separator: " ").map { String($0).replacing("\u{a0}", with: " ") }
      var words = Array(all.dropFirst())
      tried.insert(words.prefix(words[0] == "cluster" ? 2 : 1).joined(separator: " "))
      if let place = words.firstIndex(of: "FINDING") {
        words[place] = try #require(
          try command.value(
            "select name from tieout.finding where status in ('open', 'acknowledged') order by name"
          ))
      }
      let ended = try command.start(words, environment: variables).ended()
      #expect(ended.status == Int32(all[0]), "\(line): \(ended.errors)")
      if words[0] == "psql" { #expect(ended.output.contains("|done|"), "\(ended.output)") }
      expectNoSecret(in: ended.output + ended.errors, line)
    }
    try expectNoSecret(in: everything(below: command.night.reports.path), "reports")
    try expectNoSecret(in: tables(command), "tables")
    #expect(try tried == Set(ProgramHelp.commands().map(\.commandName)))
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
