import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing
import WebTestSupport

@Suite("refresh-receipts") struct RefreshReceiptsTests {
  private static let secret = "5ec4e7c0ffee5ec4e7c0ffee5ec4e7c0"
  private static let answer = """
    {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.reader",
    "request_date_ms":"1763600000000","in_app":[{"transaction_id":"77",
    "original_transaction_id":"77","product_id":"book.emma","quantity":"1",
    "purchase_date_ms":"1763500000000","original_purchase_date_ms":"1763500000000"}]}}
    """

  private static func put(_ count: Int, in command: CommandNight) throws {
    for number in 1...count {
      let text = try command.night.receipt("receipt \(number)")
      try command.night.put(
        "{\"receipt-data\":\"\(text)\",\"account_id\":\"anna\"}\n",
        at: "receipts/raw-\(number).ndjson")
    }
  }

  /// Starts `tieout refresh-receipts` with the test's folders, database and server.
  private static func start(
    _ server: ScriptedServer, _ more: String..., in command: CommandNight,
    environment: [String: String] = [:], prefix: [String] = []
  ) throws -> Program {
    try command.start(
      [
        "refresh-receipts", "--inbox", command.night.inbox.path, "--database",
        command.night.database.connectionString,
      ] + more,
      environment: [
        "TIEOUT_VERIFY_RECEIPT_URL": server.address("/production"),
        "TIEOUT_VERIFY_RECEIPT_SANDBOX_URL": server.address("/sandbox"),
        "TIEOUT_TRUSTED_ROOTS": command.night.trustedRootsInEnvironment,
      ].merging(environment) { $1 }, prefix: prefix)
  }

  @Test("the next run loads the answer of a refresh, and a second refresh sends nothing")
  func asks() throws {
    let server = try ScriptedServer { question in
      question.number == 0
        ? .answer(200, [:], "{\"status\":21007}") : .answer(200, [:], Self.answer)
    }
    let command = try CommandNight()
    try Self.put(1, in: command)
    let dry = try Self.start(server, "--dry-run", in: command).ended()
    #expect(dry.status == 0 && server.questions.isEmpty)
    #expect(dry.output.contains("would be sent          1\n"))
    let ended = try Self.start(server, in: command).ended()
    #expect(ended.status == 0)
    #expect(ended.errors.contains(" notice: tieout refresh-receipts: receipts in the inbox 1,"))
    #expect(
      ended.output == """
        refresh-receipts
        receipts in the inbox         1
        sent recently                 0
        due                           1
        answers written to the inbox  1
        The next run loads the answers.

        """)
    #expect(server.questions.map(\.path) == ["/production", "/sandbox"])
    #expect(server.questions[0].headers["user-agent"]?.hasPrefix("tieout/") == true)
    _ = try command.run()
    #expect(try command.value("select transaction_id from tieout.store_transaction") == "77")
    #expect(try command.value("select account_id from tieout.evidence") == "anna")
    let again = try Self.start(server, in: command).ended()
    #expect(again.status == 0 && server.questions.count == 2)
  }

  @Test(
    "the shared secret is in the body of requests, and in no message, file or table",
    arguments: [
      (true, 0), (false, 0), (false, 21003), (false, 21004), (false, 21005), (false, 500),
    ])
  func secret(isInFile: Bool, status: Int) throws {
    let server = try ScriptedServer { _ in
      // A server may return what it was sent. The program must not repeat that.
      status == 500
        ? .answer(500, [:], Self.secret)
        : .answer(200, [:], status == 0 ? Self.answer : "{\"status\":\(status)}")
    }
    let command = try CommandNight()
    try Self.put(1, in: command)
    let file = command.night.folder.appending(path: "shared-secret")
    if isInFile { try Self.secret.write(to: file, atomically: true, encoding: .utf8) }
    let environment =
      isInFile
      ? ["TIEOUT_SHARED_SECRET_FILE": file.path] : ["TIEOUT_SHARED_SECRET": Self.secret]
    let ended = try Self.start(
      server, "--log-level", "trace", in: command, environment: environment
    ).ended()
    #expect(ended.status == [0: 0, 21003: 2, 21004: 78, 21005: 2, 500: 2][status])
    #expect(server.questions.allSatisfy { $0.body.contains("\"password\":\"\(Self.secret)\"") })
    #expect(server.questions.count == ([21005, 500].contains(status) ? 5 : 1))
    for question in server.questions {
      #expect(!question.path.contains(Self.secret))
      #expect(!question.headers.values.contains { $0.contains(Self.secret) })
    }
    try? FileManager.default.removeItem(at: file)
    _ = try command.run("--log-level", "trace", environment: environment)
    let said = ended.output + ended.errors
    #expect(!said.contains(Self.secret))
    // The checks cover the inbox, the reports, and the database with its record of the run.
    let files = try FileManager.default.subpathsOfDirectory(atPath: command.night.folder.path)
    #expect(files.contains { $0.hasSuffix("control_totals.csv") })
    for file in files {
      let path = command.night.folder.appending(path: file).path
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.secret), "\(file)")
    }
    for table in ["run", "receipt_question", "rejection", "evidence", "run_step"] {
      let found = try command.value(
        "select count(*) from tieout.\(table) where \(table)::text like '%\(Self.secret)%'")
      #expect(found == "0", "\(table)")
    }
  }

  @Test("the arguments of the process do not contain the shared secret")
  func arguments() throws {
    let server = try ScriptedServer { _ in .silence }
    let command = try CommandNight()
    try Self.put(1, in: command)
    let program = try Self.start(
      server, in: command, environment: ["TIEOUT_SHARED_SECRET": Self.secret])
    #expect(eventually { !server.questions.isEmpty })
    let words = try Data(contentsOf: URL(filePath: "/proc/\(program.process)/cmdline"))
    #expect(words.count > 10 && !String(decoding: words, as: UTF8.self).contains(Self.secret))
    program.send(SIGTERM)
    let ended = try program.ended()
    #expect(ended.status == 75)
    #expect(ended.errors.contains("Stopped: the answers received so far are kept."))
  }

  @Test("a wrong or unreadable shared secret ends with 78, and a bad limit ends with 64")
  func refusals() throws {
    let server = try ScriptedServer { _ in .answer(200, [:], "{\"status\":21004}") }
    let command = try CommandNight()
    try Self.put(2, in: command)
    let wrong = try Self.start(server, in: command).ended()
    #expect(wrong.status == 78 && wrong.errors.contains("21004"))
    #expect(server.questions.count == 1)
    let unreadable = try Self.start(
      server, in: command, environment: ["TIEOUT_SHARED_SECRET_FILE": "nowhere"]
    ).ended()
    #expect(unreadable.status == 78 && unreadable.errors.contains("shared_secret_file"))
    #expect(try Self.start(server, "--limit", "0", in: command).ended().status == 64)
    #expect(
      try command.start(["refresh-receipts", "--shared-secret", "x"]).ended().status == 64)
  }

  @Test("the second of two refreshes ends with 75 and names the first")
  func locked() throws {
    let server = try ScriptedServer { _ in .silence }
    let command = try CommandNight()
    try Self.put(1, in: command)
    let first = try Self.start(server, in: command)
    #expect(eventually { !server.questions.isEmpty })
    let second = try Self.start(server, in: command).ended()
    #expect(second.status == 75)
    #expect(second.errors.contains("Another refresh holds the lock"))
    #expect(second.errors.contains("process \(first.process)"))
    // A refresh does not stop a run.
    #expect(try command.run().status != 75)
    first.send(SIGINT)
    #expect(try first.ended().status == 75)
  }

  @Test(
    "a run fetches a catalogue, keeps it after a 304, and shows its age if the server is gone")
  func catalogue() throws {
    let server = try ScriptedServer { question in
      question.headers["if-none-match"] == "\"a\""
        ? .answer(304) : .answer(200, ["ETag": "\"a\""], "[\"book.emma\"]")
    }
    let command = try CommandNight()
    let environment = ["TIEOUT_CATALOGUE_URLS": server.address("/p.json?key=\(Self.secret)")]
    for _ in 0..<2 {
      let ended = try command.run(environment: environment)
      #expect(!ended.output.contains("could not be fetched"), "\(ended.output)")
    }
    #expect(server.questions.count == 2)
    #expect(try command.value("select product_id from tieout.catalogue_fact") == "book.emma")
    server.close()
    let ended = try command.run(environment: environment)
    #expect(ended.status == 0)
    #expect(ended.output.contains("Note: The catalogue at \(server.address("/p.json")) could not"))
    #expect(
      ended.output.contains(/is used, which is (less than a minute|[0-9]+ minutes?) old\./))
    let quiet = try command.run("--quiet", "--log-file", "-", environment: environment)
    #expect(quiet.errors.contains("warning: The catalogue at "))
    #expect(!(ended.output + ended.errors + quiet.errors).contains(Self.secret))
    #expect(
      try command.value("select count(*) from tieout.run where run::text like '%5ec4e7%'") == "0")
  }
}
