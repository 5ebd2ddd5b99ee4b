import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout show") struct ShowTests {
  /// Two editions of the last day of October, and one of the next day.
  ///
  /// No test changes them.
  nonisolated(unsafe) private static let nights: Result<CommandNight, any Error> = Result {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-10-31T03:00:00Z").status == 0)
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n102 | book.emma | 2026-10-18 11:00")
    try #require(try command.run(asOf: "2026-10-31T03:00:00Z").status == 0)
    try #require(try command.run(asOf: "2026-11-01T03:00:00Z").status == 0)
    return command.removedAtExit()
  }

  private func show(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    // No database can be reached.
    try command.start(["show"] + words, environment: ["PGHOST": "/nowhere"]).ended()
  }

  @Test("a file's bytes are printed as they were published, of any edition and of a month")
  func bytes() throws {
    let command = try Self.nights.get()
    for (words, folder) in [
      (["2026-10-31", "--edition", "1"], "2026-10-31"), (["2026-10-31.1"], "2026-10-31"),
      (["2026-10-31"], "2026-10-31.2"), (["2026-10"], "2026-10-31.2"),
      (["2026-10", "--edition", "1"], "2026-10-31"), (["latest"], "2026-11-01"),
    ] {
      for file in ["months.csv", "index.html", "manifest.json", "SHA256SUMS"] {
        let ended = try command.start(["show"] + words + [file]).ended()
        let text = try String(
          contentsOf: command.night.reports.appending(path: "\(folder)/\(file)"), encoding: .utf8)
        #expect(ended.status == 0 && ended.output == text, "\(words) \(file): \(ended.errors)")
      }
    }
  }

  @Test("the list has every file with its size and its checksum")
  func list() throws {
    let command = try Self.nights.get()
    let ended = try show(command, "2026-10-31", "--edition", "1")
    #expect(ended.status == 0, "\(ended.errors)")
    let lines = ended.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "2026-10-31, as of 2026-10-31T03:00:00Z, publication 1: as published.")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: command.night.reports.appending(path: "2026-10-31").path)
    #expect(Set(lines.dropFirst(2).map { String($0.prefix { $0 != " " }) }) == Set(names))
    let sums = try String(
      contentsOf: command.night.reports.appending(path: "2026-10-31/SHA256SUMS"), encoding: .utf8)
    for sum in sums.split(separator: "\n") {
      let line = lines.first { $0.hasPrefix("\(sum.dropFirst(66)) ") }
      #expect(line?.hasSuffix(String(sum.prefix(64))) == true, "\(sum)")
    }
  }

  @Test("an edition that was changed is not shown, not even a file that is right")
  func changed() throws {
    let command = try CommandNight(copyOf: Self.nights.get())
    let file = command.night.reports.appending(path: "2026-10-31/causes.csv")
    try Data("cause\r\n".utf8).write(to: file)
    for words in [
      ["2026-10-31.1"], ["2026-10-31.1", "months.csv"], ["2026-10-31.1", "causes.csv"],
    ] {
      let ended = try command.start(["show"] + words).ended()
      #expect(ended.status == 1 && ended.output == "")
      #expect(ended.errors.contains("2026-10-31/causes.csv should have "), "\(ended.errors)")
    }
    #expect(try show(command, "2026-10-31").status == 0)
  }

  @Test(
    "what is not there ends with 64, and the message says what is",
    arguments: [
      (["2026-10-30"], "It has newer or older ones, such as 2026-10-31"),
      (["2026-10-31", "--edition", "3"], "It has 2026-10-31, 2026-10-31.2"),
      (["2026-09"], "has no reports of 2026-09-30"), (["2026-13"], "takes a month such as"),
      (["2026-09"], " A month stands for its last day; tieout explain 2026-09 says which "),
      (
        ["2026-10-31", "../../etc/passwd"],
        "has no file ../../etc/passwd. It has SHA256SUMS, causes"
      ),
      (["2026-10-31", "--edition", "0"], "--edition must be at least 1"),
      (["2026-10-31.2", "--edition", "1"], "2026-10-31.2 is an edition itself"),
      (["2026-10-31", "--reports", "nowhere"], "Name it with --reports"),
    ])
  func unknown(words: [String], said: String) throws {
    let command = try Self.nights.get()
    let ended = try command.start(["show"] + words).ended()
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.contains(said), "\(ended.errors)")
  }
}
