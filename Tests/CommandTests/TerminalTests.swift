import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Strings from outside on a terminal") struct TerminalTests {
  /// A night with rejected files whose names contain control sequences for terminals.
  private func steeringNight() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    for name in AttackString.short {
      let name = name.replacing("/", with: "\u{2215}")
      try command.night.put("{\"status\":21003}\n", at: "receipts/bad/\(name)")
      // This file is beside the inbox's folders, so that the summary names it.
      guard !name.hasPrefix(".") else { continue }
      try command.night.put("", at: name)
    }
    return command
  }

  private func expectHarmless(_ ended: Program.Ended) {
    #expect(AttackString.isHarmless(ended.output))
    #expect(AttackString.isHarmless(ended.errors))
  }

  @Test(
    "the summary and the logs escape control characters in names", arguments: ["plain", "json"])
  func names(format: String) throws {
    let command = try steeringNight()
    let summary = try command.run("--log-format", format, "--log-level", "debug")
    #expect(summary.status == 2)
    expectHarmless(summary)
    #expect(summary.output.contains("\\u{1b}[2J"))
    let quiet = try command.run("--quiet", "--log-file", "-", "--log-format", format)
    #expect(quiet.status == 0)
    expectHarmless(quiet)
    #expect(quiet.errors.contains(format == "json" ? "\\u001b[2J" : "\\u{1b}[2J"))
    if format == "json" {
      for line in quiet.errors.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["message"] != nil)
      }
      #expect(quiet.errors.contains("\\u202egpj.exe"))
    }
    expectHarmless(
      try command.start(["runs", "--database", command.night.database.connectionString]).ended())
  }

  @Test("the message about too many rejections is one line with escaped names")
  func refused() throws {
    let command = try steeringNight()
    let ended = try command.run("--max-rejected", "0")
    #expect(ended.status == 65)
    #expect(ended.output == "")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    expectHarmless(ended)
  }

  @Test(
    "an as-of that is not an instant, such as a path, ends with 64 and creates no file",
    arguments: [
      "../../../../tmp/x", "/etc/passwd", "2026-11-20/../../x", "2026-11-20T03:00:00Z/../..",
      "\u{1b}[2J", "'; drop table tieout.run; --", "%s%n",
    ])
  func asOf(text: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run(asOf: text)
    #expect(ended.status == 64)
    expectHarmless(ended)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: command.night.folder.path) == ["inbox"])
  }

  @Test(
    "an as-of before the year 2 or after the year 9998 ends with 64, and no run is recorded",
    arguments: [
      ("0001-01-01T00:00:00Z", "America/New_York"), ("0001-06-01T00:00:00Z", "UTC"),
      ("9999-12-31T23:59:59Z", "Asia/Tokyo"),
    ])
  func year(asOf: String, zone: String) throws {
    let command = try CommandNight()
    let ended = try command.run(asOf: asOf, environment: ["TIEOUT_TIME_ZONE": zone])
    #expect(ended.status == 64)
    #expect(
      ended.errors.contains("as_of: in the time zone \(zone) the day of \(asOf)"), "\(ended.errors)"
    )
    #expect(try command.value("select count(*) from tieout.run") == "0")
  }

  @Test("a reports folder is used as a plain name, and one with control characters is refused")
  func reports() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let folder = command.night.folder.path
    let refused = try command.run("--reports", "\(folder)/a\u{1b}[2J\n")
    #expect(refused.status == 64)
    expectHarmless(refused)
    let name = "$(id);'%s\u{202e}=1"
    let ended = try command.run("--reports", "\(folder)/inbox/../\(name)")
    #expect(ended.status == 0, "\(ended.errors)")
    expectHarmless(ended)
    #expect(ended.output.contains("Reports are in "))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == [name, "inbox"])
  }

  @Test(
    "unknown arguments are quoted with escaped control characters",
    arguments: [["run", "\u{1b}[2J"], ["--\u{1b}[2J\u{202e}"], ["\u{9b}2J"], ["runs", "\u{1b}c"]])
  func words(words: [String]) throws {
    let command = try CommandNight()
    let ended = try command.start(words).ended()
    #expect(ended.status == 64)
    #expect(ended.errors.contains("Usage: "))
    expectHarmless(ended)
  }

  @Test("JSON escapes characters that steer a terminal, and keeps their values")
  func json() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let error = "a\u{85}b\u{9b}2J\u{202e}c \u{1f600}\u{e0001}"
    try command.night.put(
      #"{"delivery_id":"failed","transaction_id":"100","product_id":"book.emma","occurred_at":"#
        + "\"2026-11-18T12:00:00Z\",\"status\":\"failed\",\"error\":\"\(error)\"}\n",
      at: "deliveries/odd.ndjson")
    try #require(try command.run().status != 2)
    let ended = try command.start(
      ["explain", "failed", "--json", "--database", command.night.database.connectionString]
    ).ended()
    #expect(ended.status == 0)
    expectHarmless(ended)
    #expect(ended.output.contains(#"a\u0085b\u009b2J\u202ec"#), "\(ended.output)")
    let value = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
    #expect("\(value)".contains("2J") && ended.output.contains(#"\udb40\udc01"#))
  }

  @Test("columns are aligned if some of their characters take two columns of the terminal")
  func wideCharacters() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      """
      transaction_id | product_id           | purchased_at     | account_id
      7001           | 漢字の本・第一巻     | 2026-11-18 10:00 | anna
      7002           | some.long.identifier | 2026-11-18 10:00 | anna
      """)
    try #require(try command.run().status == 0)
    for columns in [80, 110, 300] {
      let ended = try command.start(
        [
          "findings", "--rule", "invalid_product_id", "--database",
          command.night.database.connectionString,
        ],
        environment: ["COLUMNS": "\(columns)"]
      ).ended()
      let lines = ended.output.split(separator: "\n").map(String.init)
      // These characters are above U+3000; all others of the table take one column.
      func width(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
      }
      #expect(lines.allSatisfy { width($0[...]) <= columns }, "\(ended.output)")
      let ends = lines.filter { $0.hasSuffix("unknown") }.map { width($0.dropLast(7)) }
      #expect(Set(ends).count == 1 || columns == 80, "\(ended.output)")
    }
  }

  @Test("a message about a settings file escapes its control characters")
  func settings() throws {
    let command = try CommandNight()
    for text in ["\"\\e[2J\": 1\n", "inbox: [\u{9b}2J\n", "fail_on: \"\\e]0;x\\a\"\n"] {
      try text.write(
        to: command.night.folder.appending(path: "own.yaml"), atomically: true, encoding: .utf8)
      let ended = try command.run("--config", "own.yaml")
      #expect(ended.status == 78)
      expectHarmless(ended)
    }
  }
}
