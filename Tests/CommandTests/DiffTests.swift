import Foundation
import LibCrypto
import ReconciliationTestSupport
import Testing

@Suite("tieout diff") struct DiffTests {
  /// Two nights; on the second one another purchase is known, which nobody delivered.
  ///
  /// No test changes them.
  nonisolated(unsafe) private static let nights: Result<CommandNight, any Error> = Result {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-11-19T12:00:00Z").status == 0)
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      102            | book.emma  | 2026-11-18 11:00 | bert
      """)
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    return command.removedAtExit()
  }

  private func diff(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    // No database can be reached.
    try command.start(
      ["diff", "--reports", command.night.reports.path] + words,
      environment: ["PGHOST": "/nowhere"]
    ).ended()
  }

  @Test("the text names each row that was added, removed or changed; no database is needed")
  func text() throws {
    let command = try Self.nights.get()
    let ended = try diff(command, "2026-11-19", "latest")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(
      ended.output.hasPrefix("From 2026-11-19 to 2026-11-20\n\nmissing_deliveries: 1 added\n"))
    #expect(ended.output.contains("  + 102 book.emma 102 Production: account_id bert, "))
    #expect(ended.output.contains("findings: 1 added\n  + missing_delivery 102 book.emma F-"))
    #expect(ended.output.contains("duplicate_restores: no rows\n"))
    let back = try diff(command, "2026-11-20", "2026-11-19", "--statement", "missing_deliveries")
    #expect(
      back.output.contains("missing_deliveries: 1 removed\n  - 102 book.emma 102 Production: "))
    #expect(!back.output.contains("findings"))
    let same = try diff(command, "2026-11-20", "2026-11-20.1", "--statement", "findings")
    #expect(
      same.output == """
        From 2026-11-20 to 2026-11-20
        Both are the same edition. A day stands for its newest edition, and 2026-11-20.1 for \
        its first one.

        findings: 1 the same

        """)
  }

  @Test("files that are no statements are named if their bytes differ or only one edition has them")
  func otherFiles() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    try command.night.put("garbage{", at: "receipts/bad.ndjson")
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 2)
    let ended = try diff(command, "2026-11-20.1", "2026-11-20")
    #expect(ended.output.hasPrefix("From 2026-11-20.1 to 2026-11-20.2\n\n"), "\(ended.output)")
    let line = try #require(ended.output.split(separator: "\n").last)
    #expect(line.hasPrefix("Not compared row by row, but different: "), "\(ended.output)")
    #expect(line.contains("rejected_records.csv") && line.contains("control_totals.csv"))
    #expect(!line.contains("revenue.csv") && !line.contains("restatement.csv"))
    let same = try diff(command, "2026-11-20", "2026-11-20")
    #expect(!same.output.contains("different"), "\(same.output)")
    #expect(same.output.hasPrefix("From 2026-11-20.2 to 2026-11-20.2\nBoth are the same edition. "))
    try publish(command, "2026-11-20.2", without: "changes.csv")
    let changed = try diff(command, "2026-11-20.1", "2026-11-20")
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(changed.output.hasSuffix("\nOnly in 2026-11-20.1: changes.csv\n"), "\(changed.output)")
  }

  /// Changes an edition to what a program without one of the files would have published.
  private func publish(_ command: CommandNight, _ edition: String, without name: String) throws {
    let folder = command.night.reports.appending(path: edition)
    try FileManager.default.removeItem(at: folder.appending(path: name))
    func change(
      _ path: String, _ body: (String) -> String
    ) throws -> (old: String, new: String) {
      let file = command.night.reports.appending(path: path)
      let old = try String(contentsOf: file, encoding: .utf8)
      let new = body(old)
      try #require(new != old, "\(path)")
      try Data(new.utf8).write(to: file)
      return (old, new)
    }
    func hash(_ text: String) -> String {
      HashFunction.sha256.digest(of: Array(text.utf8)).hexadecimal
    }
    let entry = try Regex(#"\{[^{}]*"name":"\#(name)"[^{}]*\},?"#)
    let manifest = try change("\(edition)/manifest.json") { $0.replacing(entry, with: "") }
    let (old, new) = (hash(manifest.old), hash(manifest.new))
    _ = try change("\(edition)/SHA256SUMS") { text in
      text.split(separator: "\n").filter { !$0.hasSuffix("  \(name)") }
        .map { "\($0)\n" }.joined().replacing(old, with: new)
    }
    _ = try change("editions.txt") { $0.replacing(old, with: new) }
  }

  @Test("rows that a later revenue_since leaves out are counted")
  func earlierMonth() throws {
    let command = try CommandNight(copyOf: Self.nights.get())
    let night = try command.run("--allow-future", asOf: "2027-01-01T03:00:00Z")
    try #require(night.status == 0, "\(night.errors)")
    let ended = try diff(command, "2026-11-20", "2027-01-01", "--statement", "revenue")
    #expect(
      ended.output.hasSuffix(
        """

        revenue: no rows
          Not compared: 1 row about days before 2026-12-01, the revenue_since of 2027-01-01

        """), "\(ended.output)")
  }

  @Test("the CSV has a row for each value that differs")
  func csv() throws {
    let command = try Self.nights.get()
    let ended = try diff(
      command, "2026-11-19", "2026-11-20", "--format", "csv", "--statement", "revenue")
    #expect(ended.status == 0)
    let table = DrawnTable(csv: ended.output)
    #expect(table.header == ["statement", "change", "row", "column", "before", "after"])
    #expect(
      table.rows(where: "column", is: "units_sold").columns(["change", "before", "after"]).rows
        == [["changed", "1", "2"]])
    #expect(ended.output.split(separator: "\r\n").count == table.rows.count + 1)
  }

  @Test("names that differ only in the composition of a letter differ, and quotes are doubled")
  func bytes() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    func buy(_ account: String) throws {
      try command.night.transactions(
        """
        transaction_id | product_id              | purchased_at     | account_id
        102            | bad"\u{301},id | 2026-11-18 11:00 | \(account)
        103            | book.emma               | 2026-11-18 11:00 | \(account)
        """)
    }
    try buy("caf\u{e9}")
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    try buy("cafe\u{301}")
    try #require(try command.run(asOf: "2026-11-20T03:00:00Z").status == 0)
    let ended = try diff(command, "2026-11-20.1", "2026-11-20.2", "--format", "csv")
    let table = DrawnTable(csv: ended.output)
    #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(ended.output)")
    #expect(
      table.rows.contains { row in
        row.first == "missing_deliveries" && row.contains("account_id")
          && row.contains { Array($0.utf8) == Array("cafe\u{301}".utf8) }
      }, "\(ended.output)")
  }

  @Test(
    "an edition that is not there ends with 64, and the message says which are",
    arguments: [
      ("2026-11-18", "2026-11-19, 2026-11-20"), ("2026-11-20.2", "It has 2026-11-20."),
      ("yesterday", "2026-11-20.2, nor latest"), ("../x", "is neither a day"),
    ])
  func missing(name: String, words: String) throws {
    let command = try Self.nights.get()
    let ended = try diff(command, name, "latest")
    #expect(ended.status == 64)
    #expect(ended.output == "")
    #expect(ended.errors.contains(words), "\(ended.errors)")
    // Only tieout show takes a month.
    #expect(!ended.errors.contains("month"), "\(ended.errors)")
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("a folder without reports, and an unknown statement, end with 64")
  func nothing() throws {
    let command = try CommandNight()
    let ended = try diff(command, "latest", "latest")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("cannot be opened"), "\(ended.errors)")
    #expect(try diff(command, "latest", "latest", "--statement", "x").errors.contains("revenue"))
  }

  @Test("a statement that only one edition has is named")
  func onlyOne() throws {
    let command = try CommandNight(copyOf: Self.nights.get())
    try publish(command, "2026-11-19", without: "causes.csv")
    let ended = try diff(command, "2026-11-19", "2026-11-20", "--statement", "causes")
    #expect(ended.status == 0)
    #expect(ended.output.hasSuffix("\ncauses: only in 2026-11-20\n"))
  }

  @Test(
    "an edition that is not what was published is not compared",
    arguments: ["", "day,product_id\r\n2026-11-18,bo", "a,b\r\n1,2\r\n"])
  func damaged(text: String) throws {
    let command = try CommandNight(copyOf: Self.nights.get())
    try Data(text.utf8).write(
      to: command.night.reports.appending(path: "2026-11-20/revenue.csv"))
    for days in [("2026-11-19", "2026-11-20"), ("2026-11-20", "2026-11-19")] {
      let ended = try diff(command, days.0, days.1, "--statement", "revenue")
      #expect(ended.status == 1 && ended.output == "", "\(ended.output)")
      #expect(ended.errors.contains("2026-11-20/revenue.csv should have "), "\(ended.errors)")
    }
  }
}
