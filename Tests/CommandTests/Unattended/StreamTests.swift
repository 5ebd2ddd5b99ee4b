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
}
