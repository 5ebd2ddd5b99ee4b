import Foundation
import ReconciliationTestSupport
import Testing

@Suite("A standard stream that cannot be written") struct StreamTests {
  /// The prefix that starts the program with a redirection of the shell.
  private static func with(_ redirection: String) -> [String] {
    ["sh", "-c", "exec \"$0\" \"$@\" \(redirection)"]
  }

  @Test(
    "a run ends with its own exit status, and messages are written into no file",
    arguments: ["2>/dev/full", "2>&-", "<&- 2>&-"], [["--log-level", "debug"], ["--quiet"]])
  func errors(redirection: String, words: [String]) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let stream = Self.with(redirection)
    func run(_ more: String...) throws -> Program.Ended {
      try command.start(command.words(words + more), prefix: stream).ended()
    }
    #expect(try run().status == 0)
    try command.putBadRecord()
    let ended = try run()
    #expect(ended.status == 2)
    #expect(ended.output.isEmpty == words.contains("--quiet"))
    let proof = try command.start(["verify", command.night.reports.path]).ended()
    #expect(proof.status == 0, "\(proof.errors)")
    #expect(try run("--max-rejected", "x").status == 64)
    #expect(try run("--inbox", "/nowhere").status == 64)
    #expect(try run("--unknown").status == 64)
  }

  @Test(
    "output that cannot be written ends a run with 73, unless it has another status than 0",
    arguments: [">/dev/full", ">&-"])
  func output(redirection: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let stream = Self.with(redirection)
    let done = try command.run(prefix: stream)
    #expect(done.status == 73)
    #expect(
      done.errors.contains("tieout: The command is done, but its output could not be written"),
      "\(done.errors)")
    #expect(try command.publishedNames().contains("2026-11-20"))
    #expect(try command.run(prefix: stream).status == 73)
    #expect(try command.run("--quiet", prefix: stream).status == 0)
    try command.putBadRecord()
    let rejected = try command.run(prefix: stream)
    #expect(rejected.status == 2)
    #expect(rejected.errors.contains("its output could not be written"))
    let database = ["--database", command.night.database.connectionString]
    for words in [
      ["recompute", "--reports", command.night.reports.path] + database, ["runs"] + database,
      ["explain", "101"] + database, ["delivery-status", "101"] + database, ["roles"],
      ["--help"], ["run", "--help"], ["--version"],
    ] {
      let ended = try command.start(words, prefix: stream).ended()
      #expect(ended.status == 73, "\(words)")
      #expect(ended.errors.contains("could not be written"), "\(words): \(ended.errors)")
    }
  }

  @Test("a command that is done says so if its output cannot be written")
  func committed() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n301 | book.enma | 2026-11-18 12:00")
    try #require(try command.run().status == 0)
    let finding = try #require(try command.value("select name from tieout.finding limit 1"))
    let database = ["--database", command.night.database.connectionString]
    let reports = ["--reports", command.night.reports.path]
    let folders: [String: [String]] = [
      "acknowledge": [], "reopen": [], "withdraw": ["--inbox", command.night.inbox.path],
    ]
    for (words, query) in [
      (["close", "2026-10"], "select period from tieout.period_closing"),
      (["approve", "2026-10"], "select closing_id from tieout.period_approval"),
      (
        ["reopen-period", "2026-10", "--because", "a test"],
        "select closing_id from tieout.period_closing where reopened_at is not null"
      ),
      (
        ["acknowledge", finding, "--because", "a test"],
        "select finding from tieout.acknowledgement where ended_by is null"
      ),
      (
        ["reopen", finding],
        "select finding from tieout.acknowledgement where ended_by is not null"
      ),
      (
        ["withdraw", "receipts/2.ndjson", "--because", "a test"],
        "select path from tieout.withdrawal where undone_by is null"
      ),
    ] as [([String], String)] {
      let ended = try command.start(
        words + (folders[words[0]] ?? reports) + database,
        environment: ["TIEOUT_SINGLE_SIGNER": "true"], prefix: Self.with(">/dev/full")
      ).ended()
      #expect(ended.status == 73, "\(words)")
      #expect(
        ended.errors.contains("tieout: The command is done, but its output could not be written"),
        "\(words): \(ended.errors)")
      #expect(try command.value(query) != nil, "\(words)")
    }
  }
}
