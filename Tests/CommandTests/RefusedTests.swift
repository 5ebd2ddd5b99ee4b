import ReconciliationTestSupport
import Foundation
import Testing

@Suite("Refused arguments, settings and input") struct RefusedTests {
  @Test(
    "an unknown option or command ends with 64",
    arguments: [
      ["run", "--as-off", "2026-11-20T03:00:00Z"], ["walk"], ["run", "tonight"],
      ["run", "--inbox"],
    ])
  func usage(words: [String]) throws {
    let command = try CommandNight()
    let ended = try command.start(words).ended()
    #expect(ended.status == 64)
    #expect(ended.output == "")
    #expect(ended.errors.contains("Usage: tieout"))
  }

  /// A run reads 5 records: 3 good ones, in 3 files, and 2 bad ones.
  private func nightWithTwoBadRecords() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put(
      "{\"status\":21003}\n{\"status\":21002}\n", at: "receipts/bad.ndjson")
    return command
  }

  @Test("more rejections than --max-rejected end a run with 65, and it loads and publishes nothing")
  func tooMuchRejected() throws {
    let command = try nightWithTwoBadRecords()
    for limit in ["1", "0", "0%", "10%"] {
      let ended = try command.run("--max-rejected", limit)
      #expect(ended.status == 65, "\(limit)")
      #expect(ended.output == "")
      #expect(ended.errors.contains("2 of "), "\(limit): \(ended.errors)")
      #expect(ended.errors.contains("Nothing was loaded or published."))
      // No table keeps the rejections of this run, so the message names their places.
      #expect(ended.errors.contains("status_21003 once, first in receipts/bad.ndjson:1"))
      #expect(try command.value("select count(*) from tieout.store_transaction") == "0")
      #expect(try command.value("select count(*) from tieout.input_file") == "0")
      let outcomes = "select string_agg(distinct outcome, ' ') from tieout.run"
      #expect(try command.value(outcomes) == "rejected")
      #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
    }
    // A run with a higher limit loads the same files.
    #expect(try command.run("--max-rejected", "2").status == 2)
    #expect(try command.value("select count(*) from tieout.store_transaction") == "1")
  }

  @Test("no more rejections than --max-rejected end a run with 2", arguments: ["100%", "50%"])
  func fewRejected(limit: String) throws {
    #expect(try nightWithTwoBadRecords().run("--max-rejected", limit).status == 2)
  }

  @Test("an unknown setting ends with 78, and the message names the most similar setting")
  func unknownSetting() throws {
    let command = try CommandNight()
    try command.writeSettings("grace_hour: 12\n")
    let ended = try command.run()
    #expect(ended.status == 78)
    #expect(ended.output == "")
    #expect(ended.errors.contains("grace_hour"))
    #expect(ended.errors.contains("grace_hours"))
    #expect(ended.errors.contains("tieout.yaml"))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "an invalid value ends with 64 in an option, and with 78 in a variable or the settings file",
    arguments: [
      (["--as-of", "yesterday"], [:], "", "--as-of"),
      (["--fail-on", "eror"], [:], "", "--fail-on"),
      (["--max-rejected", "101%"], [:], "", "--max-rejected"),
      (["--log-level", "loud"], [:], "", "--log-level"),
      (["--log-format", "xml"], [:], "", "--log-format"),
      ([], ["TIEOUT_AS_OF": "yesterday"], "", "TIEOUT_AS_OF"),
      ([], ["TIEOUT_FAIL_ON": "catastrophe"], "", "TIEOUT_FAIL_ON"),
      ([], [:], "time_zone: Mars/Olympus\n", "time_zone"),
      ([], [:], "grace_hours: [\n", "tieout.yaml"),
      (["--config", "nowhere.yaml"], [:], "", "nowhere.yaml"),
      ([], ["TIEOUT_CONFIG": "nowhere.yaml"], "", "nowhere.yaml"),
    ])
  func badValue(
    words: [String], environment: [String: String], settings: String, named: String
  ) throws {
    let command = try CommandNight()
    if !settings.isEmpty { try command.writeSettings(settings) }
    let ended = try command.start(command.words(words), environment: environment).ended()
    #expect(ended.status == (words.isEmpty ? 78 : 64))
    #expect(ended.output == "")
    #expect(ended.errors.contains(named), "\(ended.errors)")
  }

  @Test("an as-of more than a minute after the clock ends with 64, unless --allow-future is given")
  func future() throws {
    let command = try CommandNight(hasTables: false)
    try command.putGoodNight()
    func instant(in seconds: Double) -> String {
      Date.now.addingTimeInterval(seconds).ISO8601Format()
    }
    func run(_ words: [String], asOf: String, allowing: String = "") throws -> Program.Ended {
      try command.start(
        command.words(words, asOf: asOf), environment: ["TIEOUT_ALLOW_FUTURE": allowing]
      ).ended()
    }
    let later = instant(in: 3600)
    for words in [[], ["--quiet"], ["--dry-run"]] {
      let ended = try run(words, asOf: later)
      #expect(ended.status == 64, "\(words): \(ended.errors)")
      #expect(ended.output == "")
      #expect(ended.errors.contains("--as-of: \(later) is in the future"), "\(ended.errors)")
      #expect(ended.errors.contains("--allow-future"))
      #expect(try command.value("select to_regnamespace('tieout') is null") == "t")
    }
    // The difference between two clocks is no mistake.
    let close = try run([], asOf: instant(in: 20))
    #expect(close.status == 0, "\(close.errors)")
    let option = try run(["--allow-future"], asOf: later)
    #expect(option.status == 0, "\(option.errors)")
    let variable = try run([], asOf: instant(in: 7200), allowing: "true")
    #expect(variable.status == 0, "\(variable.errors)")
  }

  @Test(
    "books or revenue that begin in the future end with 78, with the place of the setting",
    arguments: [
      ("books_begin", "2962-11-01T00:00:00Z"), ("revenue_since", "2962-11-01"),
    ])
  func futureBeginning(key: String, value: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-11-19T03:00:00Z").status == 0)
    try command.writeSettings("\(key): \(value)\n")
    let variable = "TIEOUT_\(key.uppercased())"
    for (variables, place) in [([:], "tieout.yaml: \(key)"), ([variable: value], variable)] {
      let ended = try command.start(
        command.words([], asOf: "2026-11-20T03:00:00Z"),
        environment: variables.merging(["TIEOUT_ALLOW_FUTURE": ""]) { $1 }
      ).ended()
      #expect(ended.status == 78, "\(ended.errors)")
      #expect(ended.output == "")
      #expect(ended.errors.contains("\(place): \(value) is in the future"), "\(ended.errors)")
      #expect(ended.errors.contains("Correct the year"))
    }
    let night = command.night
    let places = ["--reports", night.reports.path, "--database", night.database.connectionString]
    for words in [["recompute"], ["forget", "anna"]] {
      let ended = try command.start(words + places, environment: ["TIEOUT_ALLOW_FUTURE": ""])
        .ended()
      #expect(ended.status == 78, "\(words): \(ended.errors)")
      #expect(ended.errors.contains("tieout.yaml: \(key): \(value) is in the future"))
    }
    #expect(try command.publishedNames().filter { $0.hasPrefix("2") } == ["2026-11-19"])
    let allowed = try command.start(
      command.words(["--allow-future"], asOf: "2026-11-20T03:00:00Z"),
      environment: ["TIEOUT_ALLOW_FUTURE": ""]
    ).ended()
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  @Test("a run of a day before the books begin is possible")
  func beforeBooksBegin() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.writeSettings(
      "books_begin: 2026-11-25T00:00:00Z\nrevenue_since: 2026-11-25\n")
    let ended = try command.start(
      command.words([], asOf: "2026-11-20T03:00:00Z"), environment: ["TIEOUT_ALLOW_FUTURE": ""]
    ).ended()
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test("an inbox that is a file ends with 64, and the message says that it is a file")
  func fileAsInbox() throws {
    let command = try CommandNight()
    try command.putBadRecord()
    let file = command.night.inbox.appending(path: "receipts/bad.ndjson").path
    let ended = try command.run("--inbox", file)
    #expect(ended.status == 64)
    #expect(ended.errors.contains("The inbox \(file) is a file"), "\(ended.errors)")
    #expect(ended.errors.contains("tieout check FILE"))
  }

  @Test(
    "a missing inbox ends with 64 if an option names it, otherwise with 78; no reports folder is created",
    arguments: ["option", "setting", "variable", "default"])
  func missingInbox(named: String) throws {
    let command = try CommandNight()
    let inbox = command.night.inbox.path
    try FileManager.default.removeItem(at: command.night.inbox)
    if named == "setting" { try command.writeSettings("inbox: \(inbox)\n") }
    var words = command.words([])
    if named != "option" { words.removeSubrange(1...2) }
    // The night's folder contains the inbox with the default name.
    let ended = try command.start(
      words, environment: ["TIEOUT_INBOX": named == "variable" ? inbox : ""]
    ).ended()
    #expect(ended.status == (named == "option" ? 64 : 78))
    #expect(ended.errors.contains(named == "default" ? "There is no inbox folder inbox" : inbox))
    #expect(ended.errors.contains("--inbox"))
    #expect(!FileManager.default.fileExists(atPath: command.night.reports.path))
  }
}

extension CommandNight {
  /// Writes `tieout.yaml` into the folder in which the program is started.
  func writeSettings(_ text: String) throws {
    try text.write(
      to: night.folder.appending(path: "tieout.yaml"), atomically: true, encoding: .utf8)
  }
}
