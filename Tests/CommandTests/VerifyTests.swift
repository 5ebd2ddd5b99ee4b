import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout verify") struct VerifyTests {
  /// Two nights, which each test copies before it changes them.
  nonisolated(unsafe) private static let first: Result<CommandNight, any Error> = Result {
    let command = try CommandNight()
    try command.putGoodNight()
    for day in 19...20 {
      try #require(try command.run(asOf: "2026-11-\(day)T03:00:00Z").status == 0)
    }
    return command.removedAtExit()
  }

  private func nights() throws -> CommandNight { try CommandNight(copyOf: Self.first.get()) }

  private func verify(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    // No database can be reached.
    try command.start(["verify"] + words, environment: ["PGHOST": "/nowhere"]).ended()
  }

  @Test("published reports are proven without a database, and quiet says nothing about them")
  func proven() throws {
    let command = try Self.first.get()
    let ended = try verify(command, "reports", "reports/latest", "reports/2026-11-19/")
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    #expect(ended.output.hasPrefix("reports: 2 editions with "))
    #expect(ended.output.contains("Chain: publication 1 to 2; the head is 2026-11-20, SHA-256 "))
    #expect(ended.output.contains("\nreports/latest: 1 edition with "))
    let quiet = try verify(command, "reports", "--quiet")
    #expect(quiet.status == 0 && quiet.output == "" && quiet.errors == "")
  }

  @Test("a changed file ends with 1 and one line that says which, what and what to do")
  func changed() throws {
    let command = try nights()
    let file = command.night.reports.appending(path: "2026-11-19/revenue.csv")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: file)
    for words in [["reports"], ["reports", "--quiet"], ["reports/latest", "reports"]] {
      let ended = try command.start(["verify"] + words).ended()
      #expect(ended.status == 1)
      #expect(
        ended.errors.hasPrefix("tieout: reports/2026-11-19/revenue.csv should have the SHA-256 "))
      #expect(ended.errors.contains("Take it from a backup or an archive"))
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("a name from outside cannot control the terminal")
  func names() throws {
    let command = try nights()
    try Data().write(
      to: command.night.reports.appending(path: "2026-11-19/\u{1b}[2J\u{202e}\u{a0}.csv"))
    let ended = try verify(command, "reports")
    #expect(ended.status == 1)
    #expect(ended.errors.contains("\\u{1b}[2J\\u{202e}\\u{a0}.csv is not part of the edition"))
  }

  @Test("the pack of a closed period is verified without its reports folder")
  func pack() throws {
    let command = try nights()
    let closed = try command.start([
      "close", "2026-10", "--database", command.night.database.connectionString, "--reports",
      command.night.reports.path,
    ]).ended()
    try #require(closed.status == 0, "\(closed.errors)")
    let pack = "reports/closed/2026-10"
    let ended = try verify(command, pack, "reports")
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    let words = "\(pack): 1 closed period with 5 files as written.\nreports: 2 editions "
    #expect(ended.output.hasPrefix(words), "\(ended.output)")
    let both = try verify(command, pack, "--anchor", "reports/editions.txt")
    #expect(both.status == 64 && both.errors.contains("is one pack of a closed period"))
    let file = command.night.reports.appending(path: "closed/2026-10/period.csv")
    try (Data(contentsOf: file) + [10]).write(to: file)
    let changed = try verify(command, pack)
    #expect(changed.status == 1)
    #expect(changed.errors.hasPrefix("tieout: \(pack)/period.csv should have the SHA-256 "))
    // The folder of all packs has no manifest.
    #expect(try verify(command, "reports/closed").status == 64)
  }

  @Test("nothing to verify ends with 64, and a file that cannot be read with 73")
  func unusable() throws {
    let command = try nights()
    #expect(try verify(command, "nowhere").status == 64)
    #expect(try verify(command, "inbox").status == 64)
    #expect(try verify(command, "reports", "--anchor", "nowhere").status == 64)
    #expect(try verify(command, "reports/latest", "--anchor", "nowhere").status == 64)
    #expect(try verify(command, "reports", "reports", "--anchor", "nowhere").status == 64)
    #expect(try verify(command).status == 64)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: "\(command.night.reports.path)/2026-11-20/months.csv")
    let ended = try command.start(["verify", "reports"], prefix: withoutPrivilege).ended()
    #expect(ended.status == 73, "\(ended.errors)")
    #expect(
      ended.errors.contains(
        "months.csv cannot be opened: Permission denied. Nothing more was verified. Let this user"
      ))
    let reports = command.night.reports.path
    let mode = try FileManager.default.attributesOfItem(atPath: reports)[.posixPermissions]
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: reports)
    let closed = try command.start(["verify", "reports"], prefix: withoutPrivilege).ended()
    try FileManager.default.setAttributes([.posixPermissions: mode as Any], ofItemAtPath: reports)
    #expect(closed.status == 73, "\(closed.errors)")
    #expect(closed.errors.contains("Permission denied. Let this user open it."))
  }

  @Test("the anchor is compared with the chain: another head, and one that is gone, end with 1")
  func anchor() throws {
    let command = try nights()
    let list = command.night.reports.appending(path: "editions.txt")
    let right = try String(contentsOf: list, encoding: .utf8)
    let anchor = command.night.folder.appending(path: "heads")
    func status(_ text: String) throws -> (Int32, String) {
      try text.write(to: anchor, atomically: true, encoding: .utf8)
      let ended = try verify(command, "reports", "--anchor", "heads")
      return (ended.status, ended.errors + ended.output)
    }
    let same = try status(right)
    #expect(same.0 == 0, "\(same.1)")
    let lines = right.split(separator: "\n").map(String.init)
    #expect(try status("\(lines[0])\n").1.contains("Note: 1 edition is newer than the anchor."))
    // The line of a run that was killed, and then the whole line.
    #expect(try status("\(lines[0])\n\(lines[1].prefix(30))\n\(lines[1])\n").0 == 0)
    #expect(try status("\(lines[0])\n\(lines[1].prefix(30))").0 == 0)
    for (text, words) in [
      ("\(lines[0].prefix(30))\n\(lines[1])\n", "heads:1 is not a line that the program writes"),
      ("", "heads has no head of a chain"), ("\n", "heads has no head of a chain"),
      (
        right.replacing(/[0-9a-f]\n/, with: "") + "\n",
        "is not a line that the program writes"
      ),
      (
        lines[0].dropLast() + (lines[0].hasSuffix("0") ? "1" : "0") + "\n",
        "heads:1 says that publication 1 is 2026-11-19 with the SHA-256 "
      ),
      (
        right + lines[1].replacing("published 2 2026-11-20 ", with: "published 3 2026-11-20.2 ")
          + "\n", "2026-11-20.2 is missing: heads:3 says that it was publication 3"
      ),
    ] as [(String, String)] {
      let ended = try status(text)
      #expect(ended.0 == 1 && ended.1.contains(words), "\(ended.1)")
    }
  }
}
