import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Commands for findings") struct FindingsCommandTests {
  /// Two books that were bought and never delivered, one of them with a name that a spreadsheet
  /// would read as a formula, and a book that is not for sale.
  private static func command() throws -> CommandNight {
    let command = try CommandNight()
    let night = command.night
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99\n=book | USD 1.99")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      101            | book.emma  | 2026-11-17 10:00 | anna
      102            | =book      | 2026-11-17 11:00 | anna
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      900            | book.other | 2026-11-17 09:00 | delivered
      901            | book.emma  | 2026-11-17 12:00 | failed
      """)
    return command
  }

  /// The same after a night; nobody connects to its database.
  nonisolated(unsafe) private static let first: Result<CommandNight, any Error> = Result {
    let command = try FindingsCommandTests.command()
    try #require(try command.run("--fail-on", "never").status == 0)
    return command.removedAtExit()
  }

  private func tieout(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    try command.start(
      [words[0], "--database", command.night.database.connectionString] + words.dropFirst(),
      environment: ["COLUMNS": "200"]
    ).ended()
  }

  private func name(of subject: String, in command: CommandNight) throws -> String {
    try #require(
      try command.value("select name from tieout.finding where subject = '\(subject)'"))
  }

  @Test("acknowledge, findings, run and reopen agree, and end with the documented exit statuses")
  func life() throws {
    let command = try Self.command()
    #expect(try command.run("--fail-on", "new-error").status == 1)
    #expect(try command.run("--fail-on", "new-error").status == 0)
    #expect(try command.run("--fail-on", "error").status == 1)
    let (one, other) = (
      try name(of: "101 book.emma", in: command), try name(of: "102 =book", in: command)
    )
    let listed = try tieout(command, "findings")
    #expect(listed.status == 0)
    #expect(
      listed.output.contains("\(one)  error  open       0  missing_delivery    101 book.emma"),
      "\(listed.output)")

    let done = try tieout(
      command, "acknowledge", one, other, "--because", "asked", "--until", "2126-12-31", "--by",
      "anna")
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.output == """
        \(one) is acknowledged until the end of 2126-12-31: missing_delivery 101 book.emma
        \(other) is acknowledged until the end of 2126-12-31: missing_delivery 102 =book

        """)
    #expect(try command.run("--fail-on", "error").status == 1)
    let third = try name(of: "book.other unknown", in: command)
    #expect(try tieout(command, "acknowledge", third, "--because", "soon sold").status == 0)
    let quiet = try command.run("--fail-on", "error")
    #expect(quiet.status == 0)
    #expect(
      quiet.output.contains(
        """
        found                      open  new tonight  acknowledged
        error  invalid_product_id     0            0             1
        error  missing_delivery       0            0             2
        """), "\(quiet.output)")
    #expect(quiet.output.contains("0 open findings, 0 new, 3 acknowledged. "))
    let user = shell("id -un").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let role = try command.value("select session_user") ?? ""
    let page = try command.files()["index.html"] ?? ""
    #expect(page.contains("by <bdi>anna (user \(user), role \(role))</bdi>"))
    #expect(try command.night.report("findings.csv").contains(",acknowledged,\(one),"))

    let back = try tieout(command, "reopen", String(one.prefix(8)), "--because", "after all")
    #expect(back.status == 0)
    #expect(back.output == "\(one) is open again: missing_delivery 101 book.emma\n")
    #expect(try command.run("--fail-on", "error").status == 1)
    // Without `--by`, the name of the effective user is recorded.
    let who = "select count(*) from tieout.acknowledgement where ended_by = '\(NSUserName())'"
    #expect(try command.value(who) == "1")
  }

  @Test("an invalid request ends with 64 and changes nothing")
  func refused() throws {
    let command = try CommandNight(copyOf: Self.first.get())
    let one = try name(of: "101 book.emma", in: command)
    for words in [
      ["acknowledge", "F-000000000000", "--because", "x"], ["acknowledge", one],
      ["acknowledge", "\u{1b}[2J", "--because", "x"], ["acknowledge", one, "--because", ""],
      ["acknowledge", one, "--because", "x", "--until", "2020-01-01"],
      ["acknowledge", one, "--because", "x", "--until", "soon"], ["reopen", one],
      ["reopen", "'; drop table finding; --"], ["findings", "--rule", "missing"],
      ["findings", "--limit", "0"], ["findings", "--format", "xml"],
      ["findings", "--level", "bad"],
    ] {
      let ended = try command.start(
        [words[0], "--database", command.night.database.connectionString] + words.dropFirst()
      ).ended()
      #expect(ended.status == 64, "\(words): \(ended.output)\(ended.errors)")
      #expect(ended.output == "")
      #expect(!ended.errors.unicodeScalars.contains("\u{1b}"))
    }
    #expect(try command.value("select count(*) from tieout.acknowledgement") == "0")
  }

  @Test("before the first night the list says that nothing was compared", arguments: [true, false])
  func beforeFirstNight(hasTables: Bool) throws {
    let command = try CommandNight(hasTables: hasTables)
    let words = ["findings", "--database", command.night.database.connectionString]
    let table = try command.start(words).ended()
    #expect(table.status == 0 && table.errors == "")
    #expect(table.output.hasPrefix("No night was done yet"), "\(table.output)")
    let json = try command.start(words + ["--format", "json"]).ended()
    #expect(json.output == "[]\n" && json.errors.contains("No night was done yet"))
    let csv = try command.start(words + ["--format", "csv"]).ended()
    #expect(csv.output.hasPrefix("finding,rule,") && csv.errors.contains("No night was done yet"))
    for list in ["runs", "journal"] {
      let ended = try command.start([list] + words.dropFirst()).ended()
      #expect(ended.status == 0 && ended.errors == "")
      #expect(ended.output.hasPrefix("No night was done yet"), "\(ended.output)")
    }
    #expect(try command.run().status == 0)
    #expect(try command.start(words).ended().output == "No finding matches.\n")
    #expect(
      try command.start(words + ["--product", "book.enma"]).ended().output
        == "No finding matches.\nNo record and no catalogue has the product book.enma.\n")
  }

  @Test("before the first night a command that finds nothing names the database")
  func namesDatabase() throws {
    let command = try CommandNight()
    // None of them changes anything.
    let commands = [
      ["acknowledge", "F-907b", "--because", "known"], ["reopen", "F-907b"],
      ["approve", "2026-10", "--reports", "reports"],
      ["reopen-period", "2026-10", "--because", "wrong", "--reports", "reports"],
      ["withdraw", "deliveries/a.csv", "--because", "wrong"],
      ["withdraw"], ["periods"], ["restate"], ["restate", "2026-10"], ["runs", "9"],
    ]
    func ask(_ words: [String]) throws -> Program.Ended {
      try command.start(words + ["--database", command.night.database.connectionString]).ended()
    }
    func status(_ words: [String]) -> Int32 { words.count == 1 || words[0] == "restate" ? 0 : 64 }
    for words in commands {
      let before = try ask(words)
      #expect(before.status == status(words), "\(words)")
      let said = before.status == 0 ? before.output : before.errors
      #expect(
        said.contains("No night was done yet in the database tieout_test_"), "\(words): \(said)")
    }
    try command.putGoodNight()
    try #require(try command.run().status == 0)
    for words in commands {
      let after = try ask(words)
      #expect(after.status == status(words), "\(words)")
      let said = after.output + after.errors
      #expect(!said.contains("No night was done yet"), "\(words): \(said)")
    }
  }

  @Test("CSV has the format of the reports, JSON the same findings, and text escapes control codes")
  func formats() throws {
    let command = try CommandNight(copyOf: Self.first.get())
    let one = try name(of: "102 =book", in: command)
    // No reader accepts such a name, but a table can still contain it.
    try command.change(
      """
      update tieout.finding set subject = E'book.\\x1b[2J', key.product_id = E'book.\\x1b[2J'
      where subject like 'book.other%'
      """)
    _ = try tieout(command, "acknowledge", one, "--because", "=1+1", "--by", "@anna")
    let csv = try tieout(command, "findings", "--format", "csv").output
    let table = DrawnTable(csv: csv)
    #expect(
      table.header == [
        "finding", "rule", "level", "status", "age_days", "first_flagged_on", "environment",
        "subject", "reason", "detail", "acknowledged_by", "acknowledged_at", "acknowledged_until",
        "because", "acknowledged_system_user", "acknowledged_role",
      ])
    // A missing value is an empty cell, also of a finding without an environment.
    #expect(table.rows.contains { $0[6] == "" } && !csv.contains(",\"\","))
    #expect(csv.hasSuffix("\r\n") && table.rows.allSatisfy { $0.count == table.header.count })
    let row = try #require(table.rows(where: "finding", is: one).records.first)
    #expect(row["because"] == "'=1+1" && row["acknowledged_by"] == "'@anna")
    // Whatever name was given, the system and the database know who it was.
    let user = shell("id -un").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let role = try command.value("select session_user")
    #expect(row["acknowledged_system_user"] == user && row["acknowledged_role"] == role)
    let json = try tieout(command, "findings", "--format", "json").output
    let listed = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(listed.map { $0["finding"] as? String } == table.rows.map { $0[0] })
    let acknowledged = listed.compactMap { $0["acknowledged"] as? [String: Any] }
    #expect(acknowledged.count == 1 && acknowledged[0]["because"] as? String == "=1+1")
    #expect(acknowledged[0]["system_user"] as? String == user)
    #expect(acknowledged[0]["role"] as? String == role)
    _ = try command.start(
      ["reopen", one, "--by", "berta", "--database", command.night.database.connectionString],
      environment: ["USER": "somebody", "LOGNAME": "somebody"]
    ).ended()
    #expect(
      try command.value(
        "select concat_ws(' ', ended_by, ended_system_user, ended_role) from tieout.acknowledgement"
      )
        == "berta \(user) \(role ?? "")")
    #expect(listed.contains { ($0["subject"] as? String)?.contains("\u{1b}[2J") == true })

    let shown = try tieout(command, "findings").output
    #expect(!shown.unicodeScalars.contains("\u{1b}") && shown.contains("book.\\u{1b}[2J"))
    let none = try tieout(command, "findings", "--status", "resolved", "--format", "json")
    #expect(none.output == "[]\n")
    #expect(
      try tieout(command, "findings", "--status", "resolved").output == "No finding matches.\n")
    let part = try tieout(command, "findings", "--limit", "1").output
    #expect(part.hasSuffix("2 more findings. --limit 3 shows all.\n"), "\(part)")
    let most = try tieout(command, "findings", "--limit", "2").output
    #expect(most.hasSuffix("\n1 more finding. --limit 3 shows all.\n"), "\(most)")
  }

  @Test("findings that are open again are counted apart from new ones: summary, log, mail and page")
  func openAgain() throws {
    let command = try CommandNight()
    let night = command.night
    try command.putGoodNight()
    try night.transactions(
      "transaction_id | product_id | purchased_at\n102 | book.emma | 2026-11-18 11:00")
    try #require(try command.run().output.contains("1 open finding, 1 new. "))
    // The attempt succeeds. Then a later record says that it failed.
    let header = "delivery_id | transaction_id | product_id | occurred_at | status\n"
    let attempt = header + "D2 | 102 | book.emma | "
    try night.deliveries(attempt + "2026-11-21 01:00 | delivered")
    try #require(try command.run(asOf: "2026-11-21T03:00:00Z").output.contains(" 1 resolved."))
    try night.deliveries(attempt + "2026-11-22 01:00 | failed")
    let asOf = "2026-11-22T03:00:00Z"
    let log = night.folder.appending(path: "log").path
    let mail = try command.run(
      "--quiet", "--fail-on", "new-error", "--log-file", log, "--dry-run", asOf: asOf)
    let counts = "Open findings: 1 error, 0 warnings, 0 infos; 0 of them new, 1 open again.\n"
    #expect(mail.status == 1 && mail.errors.contains(counts), "\(mail.errors)")
    let written = try String(contentsOfFile: log, encoding: .utf8)
    #expect(written.contains(" new=0 ") && written.contains(" reopened=1 "), "\(written)")
    let output = try command.run(asOf: asOf).output
    #expect(output.contains("1 open finding, 0 new, 1 open again. "), "\(output)")
    let table = """
      found                    open  new tonight  open again
      error  missing_delivery     1            0           1

      """
    #expect(output.contains(table), "\(output)")
    #expect(try night.report("index.html").contains("Open: 1 error, 0 new, 1 open again. "))
  }

  @Test("a finding is explained by its subject with the pictures of findings.csv")
  func printedSubject() throws {
    let command = try CommandNight(copyOf: Self.first.get())
    let subject = try #require(
      try command.value("select min(subject) from tieout.finding where subject like 'book.other%'"))
    // No reader accepts such a name of a product, but that of a server.
    try command.change(
      """
      update tieout.finding
      set
          subject = E'=\\x1b[2J\\u0085' || subject,
          subject_hash = tieout.text_hash(E'=\\x1b[2J\\u0085' || subject)
      where subject = '\(subject)'
      """)
    let table = DrawnTable(csv: try tieout(command, "findings", "--format", "csv").output)
    let printed = "'=␛[2J␦\(subject)"
    let row = try #require(table.rows(where: "subject", is: printed).records.first)
    let name = try #require(row["finding"])
    for asked in [printed, "=\u{1b}[2J\u{85}\(subject)"] {
      let ended = try tieout(command, "explain", asked)
      #expect(ended.status == 0 && ended.output.contains(name), "\(ended.output)\(ended.errors)")
    }
    #expect(try tieout(command, "explain", "␛[2J␦\(subject)").status == 1)
  }

  @Test("a line is no wider than the terminal, even with a long subject")
  func width() throws {
    let command = try CommandNight()
    try command.night.catalogue(
      "product_id | prices\n\(String(repeating: "long.", count: 40))end | USD 1.99")
    try command.night.transactions(
      """
      transaction_id | product_id                                   | purchased_at
      101            | \(String(repeating: "long.", count: 40))end   | 2026-11-17 10:00
      """)
    try command.night.deliveries(
      "transaction_id | product_id | occurred_at\n900 | x | 2026-11-17 09:00")
    _ = try command.run()
    for columns in [80, 100, 120, 300, 1000] {
      let ended = try command.start(
        ["findings", "--database", command.night.database.connectionString],
        environment: ["COLUMNS": "\(columns)"]
      ).ended()
      let lines = ended.output.split(separator: "\n")
      // In 80 columns, subjects have lines of their own.
      #expect(lines.count == (columns == 80 ? 5 : 3), "\(lines)")
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(lines.contains { $0.contains("…") } == (columns < 300))
    }
  }

  @Test("a product that ends with a blank is in quotation marks in the list, and not in JSON")
  func blank() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put(
      "delivery_id,transaction_id,product_id,status,occurred_at\n"
        + "D9,9,\"book.emma \",delivered,2026-11-10T10:05:00Z\n", at: "deliveries/blank.csv")
    _ = try command.run()
    let listed = try tieout(command, "findings", "--rule", "invalid_product_id")
    #expect(listed.output.contains("  “book.emma ” unknown  "), "\(listed.output)")
    let json = try tieout(command, "findings", "--format", "json")
    #expect(json.output.contains("\"book.emma  unknown\"") && !json.output.contains("“"))
  }

  @Test("fail_on can be set by option and environment, and new-warning includes warnings")
  func settings() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.catalogue("product_id | type | prices\ncoins.100 | consumable | USD 0.99")
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      302            | 301                     | coins.100  | 2026-11-18 12:00
      """)
    let variable = ["TIEOUT_FAIL_ON": "new-warning"]
    #expect(try command.run("--fail-on", "new-error", "--dry-run").status == 0)
    #expect(try command.run("--dry-run", environment: variable).status == 1)
    #expect(try command.run(environment: variable).status == 1)
    #expect(try command.run(environment: variable).status == 0)
    #expect(try command.run("--fail-on", "warning", environment: variable).status == 1)
  }

  @Test("docs/findings.md shows the actual list of the sample night")
  func documented() throws {
    let command = try CommandNight()
    let database = ["--database", command.night.database.connectionString]
    let night = try command.start(
      [
        "run", "--inbox", SampleNight.folder.appending(path: "inbox").path, "--reports",
        command.night.reports.path, "--config",
        SampleNight.folder.appending(path: "tieout.yaml").path, "--as-of", "2026-11-20T03:00:00Z",
      ] + database
    ).ended()
    try #require(night.status == 2)
    let listed = try command.start(
      ["findings", "--level", "error", "--limit", "5"] + database
    ).ended()
    let page = try String(
      contentsOf: SampleNight.folder.appending(path: "../docs/findings.md"), encoding: .utf8)
    #expect(page.contains("```\n\(listed.output)```\n"), "\(listed.output)")
  }

  @Test("an SQL statement that fails after a finding was acknowledged leaves that acknowledgement")
  func partlyDone() throws {
    let command = try CommandNight(copyOf: Self.first.get())
    let (one, other) = (
      try name(of: "101 book.emma", in: command), try name(of: "102 =book", in: command)
    )
    try command.change(
      """
      create function public.refuse() returns trigger language plpgsql as $$
      begin
          raise 'refused';
      end
      $$;
      create trigger refuse before insert on tieout.acknowledgement
      for each row when (new.finding = '\(other)') execute function public.refuse()
      """)
    let done = try tieout(command, "acknowledge", one, other, "--because", "asked")
    #expect(done.status == 70)
    #expect(
      done.errors.contains("what the command had completed before stays."), "\(done.errors)")
    #expect(!done.errors.contains("Nothing changed"), "\(done.errors)")
    #expect(
      try command.value("select finding from tieout.acknowledgement") == one)
  }
}
