import Foundation
import ReconciliationTestSupport
import Testing

@testable import Runs
@testable import tieout

@Suite("The progress line on a terminal") struct ProgressTests {
  /// A prefix that starts the program on a terminal.
  ///
  /// All its output becomes one stream.
  private static let onTerminal = [
    "bash", "-c", #"script -qec "$(printf '%q ' "$@")" /dev/null"#, "bash",
  ]

  /// The characters that erase the line before it is drawn again.
  private static let wipe = "\r\u{1b}[2K"

  @Test("the steps appear one after the other on one line, and then only the summary")
  func oneLine() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run(prefix: Self.onTerminal)
    #expect(ended.status == 0)
    let drawn = ended.output.components(separatedBy: Self.wipe)
    let summary = try #require(drawn.first { $0.contains("tieout as of") })
    #expect(summary.hasPrefix("tieout as of"), "the line is wiped away before the summary")
    let lines = drawn.filter { $0 != summary && !$0.isEmpty }
    #expect(lines.count > 3)
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains("\n") }, "\(lines)")
    #expect(lines.contains { $0.contains("schema") })
    #expect(!ended.output.contains("left"), "a first night has no estimate")
    let second = try command.run(prefix: Self.onTerminal)
    #expect(second.output.contains(/about \d+ s left/))
  }

  @Test("--quiet shows nothing on a terminal")
  func quiet() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    #expect(try command.run("--quiet", prefix: Self.onTerminal).output == "")
  }

  @Test("a terminal that cannot erase a line gets no escape sequences")
  func dumb() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run(environment: ["TERM": "dumb"], prefix: Self.onTerminal)
    #expect(ended.status == 0)
    #expect(ended.output.hasPrefix("tieout as of"), "\(ended.output)")
    #expect(!ended.output.unicodeScalars.contains("\u{1b}"))
  }

  @Test("a log line starts on a line of its own")
  func logLines() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run("--log-level", "debug", prefix: Self.onTerminal)
    // A terminal ends each line with CR and LF.
    let lines = ended.output.split(separator: "\r\n").filter { $0.contains("debug: step") }
    #expect(lines.count > 10)
    for line in lines {
      let text = line.components(separatedBy: Self.wipe).last ?? ""
      #expect(text.firstMatch(of: /^20\d\d-/) != nil, "\(line)")
    }
  }

  private static func line(
    done: Int64? = nil, all: Int64? = nil, usual: (step: Double?, later: Double)? = nil,
    seconds: Double
  ) -> String {
    var progress = RunProgress(step: "load_evidence")
    progress.done = done
    progress.all = all
    progress.usual = usual.map { RunProgress.Usual(step: $0.step, later: $0.later) }
    return ProgressLine(progress, seconds: seconds).text
  }

  @Test("the line shows the rate and the time left of reading, and the time of later steps")
  func reading() {
    #expect(
      Self.line(done: 300_000_000, all: 1_200_000_000, seconds: 10)
        == "load evidence [######..................] 25 %  30 MB/s  30 s left")
    #expect(
      Self.line(done: 300_000_000, all: 1_200_000_000, usual: (5, 40), seconds: 10)
        == "load evidence [######..................] 25 %  30 MB/s  30 s left, then about 40 s")
    // If a file has grown since it was opened, the line still shows 100 %.
    #expect(Self.line(done: 3, all: 2, seconds: 2).contains("] 100 %  0 MB/s  0 s left"))
    #expect(Self.line(done: 0, all: 0, seconds: 0) == "load evidence")
  }

  @Test(
    "the time left comes from earlier durations, and leaves out a step that takes longer")
  func later() {
    #expect(Self.line(seconds: 0.4) == "load evidence")
    #expect(Self.line(seconds: 7) == "load evidence  7 s")
    #expect(Self.line(usual: (10, 40), seconds: 4) == "load evidence  4 s  about 46 s left")
    #expect(Self.line(usual: (10, 40), seconds: 400) == "load evidence  7 min  about 40 s left")
    #expect(Self.line(usual: (nil, 7300), seconds: 0) == "load evidence  about 2 h 2 min left")
    #expect(Self.line(done: 50_000_000, seconds: 2) == "load evidence  2 s  50 MB, 25 MB/s")
    #expect(Self.line(done: 999_999, seconds: 0.5) == "load evidence")
  }
}

@Suite("The steps of a run") struct RunsTests {
  @Test("runs prints a line about the run, and a table of its steps")
  func steps() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    let database = ["--database", command.night.database.connectionString]
    let ended = try command.start(["runs", "1"] + database).ended()
    #expect(ended.status == 0)
    let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("run  as_of "))
    #expect(lines[1].contains("  1  2026-11-20T03:00:00Z  done "))
    #expect(lines[2] == "")
    let header = ["step", "name", "seconds", "rows", "rows/s", "MB", "MB/s"]
    #expect(lines[3].split(separator: " ").map(String.init) == header)
    #expect(lines[4].firstMatch(of: /^ +1  schema +\d+\.\d{3}/) != nil)
    #expect(lines.contains { $0.firstMatch(of: /\ \ read +\d+\.\d{3} +4 .* +0\.0$/) != nil })
  }

  @Test("runs ends with 64 for an unknown run, and says that a killed run's steps are unknown")
  func unknown() throws {
    let command = try CommandNight()
    let database = ["--database", command.night.database.connectionString]
    let ended = try command.start(["runs", "1"] + database).ended()
    #expect(ended.status == 64)
    #expect(ended.errors.hasPrefix("tieout: Run 1 does not exist. Dry runs use up numbers "))
    try command.change(
      """
      insert into tieout.run (as_of, as_of_on, outcome, program_version, started_by, started_on_host,
          settings)
      values ('2026-11-20', '2026-11-20', 'killed', '0', 'anna', 'host', '{}')
      """)
    let killed = try command.start(["runs", "1"] + database).ended()
    #expect(killed.output.hasSuffix("\nThe steps of this run are unknown.\n"))
  }
}
