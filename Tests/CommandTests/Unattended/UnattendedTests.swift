import Foundation
import ReconciliationTestSupport
import Reports
import Testing

@Suite("An unattended night") struct UnattendedTests {
  @Test("a good night prints nothing with --quiet")
  func quiet() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run("--quiet")
    #expect(ended.status == 0)
    #expect(ended.output == "")
    #expect(ended.errors == "")
    #expect(try command.files().count == Report.all.count + 4)
  }

  @Test("with --quiet a warning prints nothing; with a log file the log has it")
  func quietWarnings() throws {
    let command = try CommandNight()
    let log = command.night.folder.appending(path: "tieout.log").path
    for words in [["--quiet"], ["--quiet", "--log-file", log]] {
      let ended = try command.start(command.words(words)).ended()
      #expect(ended.status == 0)
      #expect(ended.output == "")
      #expect(ended.errors == "")
    }
    let said = try String(contentsOfFile: log, encoding: .utf8)
    #expect(said.contains("warning: There is no catalogue"))
  }

  @Test("the summary is on standard output, and the log is on standard error")
  func streams() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run("--log-level", "debug")
    #expect(ended.output.hasPrefix("tieout as of 2026-11-20T03:00:00Z\n"))
    #expect(!ended.output.contains("debug:"))
    let lines = ended.errors.split(separator: "\n")
    #expect(lines.count > 10)
    #expect(lines.dropLast().allSatisfy { $0.contains(" debug: step ms=") }, "\(ended.errors)")
    #expect(lines.last?.contains(" notice: tieout run as of ") == true)
  }

  @Test("--log-format json logs one JSON object per line")
  func jsonLines() throws {
    let command = try CommandNight()
    try command.night.put("", at: "archive/old.ndjson")
    let ended = try command.run(
      "--quiet", "--log-file", "-", "--log-format", "json", "--log-level", "debug")
    let lines = ended.errors.split(separator: "\n")
    #expect(lines.count > 10)
    for line in lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(Set(object.keys).isSuperset(of: ["time", "level", "message"]))
      // Numbers are numbers.
      if object["message"] as? String == "step" { #expect(object["ms"] is Int, "\(line)") }
    }
    #expect(lines.contains { $0.contains("\"level\":\"warning\"") && $0.contains("archive") })
    #expect(lines.last?.contains("\"exit_status\":0,\"files\":0,\"findings\":0,") == true)
  }

  @Test("the reports do not depend on the locale or the time zone of the environment")
  func environment() throws {
    let one = try CommandNight()
    let other = try CommandNight()
    for command in [one, other] {
      try command.night.put(SampleNight.inbox("catalog/catalog-2026-11.json"), at: "catalog/a.json")
      try command.night.put(
        SampleNight.inbox("receipts/app-server-1/receipts-2026-11-17_18.ndjson.gz"),
        at: "receipts/b.ndjson.gz")
      try command.night.put(
        SampleNight.inbox("deliveries/deliveries-2026-11-13_15.csv"), at: "deliveries/c.csv")
    }
    let usual = try one.run(environment: [
      "HOME": NSHomeDirectory(), "TERM": "xterm", "LANG": "C.UTF-8", "TZ": "UTC",
    ])
    // This is like a start by cron. Another locale must not change a number or a date.
    let cron = try other.run(environment: [
      "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "PGTZ": "Asia/Tokyo",
      "PGDATESTYLE": "German", "PGCLIENTENCODING": "LATIN1",
    ])
    #expect(usual.status == cron.status)
    #expect(try one.files() == other.files())
    #expect(try one.night.table("findings.csv").rows.count > 3)
  }
}
