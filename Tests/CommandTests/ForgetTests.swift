import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("Names of people") struct ForgetTests {
  private func putPerson(_ command: CommandNight) throws {
    try command.putGoodNight()
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id | device_id
      301            | book.enma  | 2026-11-18 12:00 | PERSON-1   | PHONE-1
      """)
  }

  /// Puts a purchase of the person into the inbox that is not delivered, so that reports name them.
  private func putMissing(_ command: CommandNight) throws {
    try putPerson(command)
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      302            | book.emma  | 2026-11-18 12:00 | PERSON-1
      """)
  }

  private func forget(_ command: CommandNight, _ more: String...) throws -> Program.Ended {
    try forget(command, more)
  }

  private func forget(_ command: CommandNight, _ more: [String]) throws -> Program.Ended {
    try command.start(
      [
        "forget", "--database", command.night.database.connectionString, "--reports",
        command.night.reports.path,
      ] + more
    ).ended()
  }

  @Test("forget ends with 0, and no message, record of a run or report repeats the names")
  func forgotten() throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    #expect(try command.files().values.contains { $0.contains("PERSON-1") })
    try command.change("analyze")
    let dry = try forget(command, "--dry-run", "PERSON-1")
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(
      dry.output.contains("The account would be replaced by a token in 2 pieces of evidence."))
    #expect(try command.value("select count(*) from tieout.forgotten_name") == "0")
    let ended = try forget(command, "PERSON-1", "--log-level", "trace")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("The account was replaced by a token in 2 pieces of evidence."))
    #expect(ended.output.contains("Also replaced: 1 device or token that appears with no"))
    for file in ["receipts/4.ndjson", "receipts/5.ndjson"] {
      #expect(ended.output.contains("  \(file)"))
    }
    for name in ["PERSON-1", "PHONE-1"] {
      #expect(!ended.output.contains(name))
      #expect(!ended.errors.contains(name))
      #expect(
        try command.value(
          "select count(*) from tieout.run where run::text like '%\(name)%'") == "0")
      // The planner's statistics keep values of columns.
      #expect(
        try command.value(
          """
          select string_agg(tablename || '.' || attname, ' ') from pg_stats
          where pg_stats::text like '%\(name)%'
          """) == nil)
      for (file, text) in try command.files() { #expect(!text.contains(name), "\(file)") }
    }
    let again = try forget(command, "PERSON-1")
    #expect(again.status == 0)
    #expect(again.output.contains("No record that was loaded contains the account"))
    for blank in ["", "  "] { #expect(try forget(command, blank).status == 64) }
  }

  @Test("forget with --quiet prints the list of files, which no second run could find")
  func quiet() throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    let ended = try forget(command, "PERSON-1", "--quiet")
    #expect(ended.status == 0)
    #expect(ended.output.contains("receipts/"), "\(ended.output)")
  }

  @Test("forget leaves no name in the statistics of staging tables that are empty by then")
  func stagedNames() throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    let staged = [
      ("evidence", ["pointer", "account_id", "account_token", "device_id"]),
      ("delivery", ["account_id", "device_id", "error"]),
      ("client_transaction", ["account_id", "device_id"]),
      ("client_invalid_product", ["account_id", "device_id"]),
      ("acknowledgement", ["because", "acknowledged_by", "excerpt"]),
      ("rejection", ["detail", "excerpt"]),
    ]
    for (name, columns) in staged {
      try command.change(
        """
        insert into tieout.staging_\(name) (line, \(columns.joined(separator: ", ")))
        select line, \(columns.map { _ in "'PERSON-1'" }.joined(separator: ", "))
        from generate_series(1, 100) as line
        """)
      // Autovacuum does it during a long night, and the next run empties the tables.
      try command.change("analyze tieout.staging_\(name)")
      try command.change("truncate tieout.staging_\(name)")
    }
    let kept = "select count(*) from pg_stats where schemaname = 'tieout'"
    #expect(
      try command.value("\(kept) and tablename = 'staging_delivery' and attname = 'line'") == "1")
    let ended = try forget(command, "PERSON-1")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try command.value("\(kept) and pg_stats::text like '%PERSON-1%'") == "0")
  }

  @Test(
    "hashed names need a long enough key: 78 without it, and the message does not show the key",
    arguments: [
      nil, "", "short", "/nowhere",
    ])
  func keys(key: String?) throws {
    let command = try CommandNight()
    try putPerson(command)
    var environment = ["TIEOUT_PRIVACY": "hash"]
    if let key {
      let file = command.night.folder.appending(path: "key")
      try Data(key.utf8).write(to: file)
      environment["TIEOUT_PRIVACY_KEY_FILE"] = key == "/nowhere" ? key : file.path
    }
    let ended = try command.run(environment: environment)
    #expect(ended.status == 78)
    #expect(ended.errors.contains("privacy") || ended.errors.contains("openssl"), "\(ended.errors)")
    #expect(!ended.errors.contains("short"))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("a run with a changed privacy setting ends with 78 until a rebuild")
  func changed() throws {
    let command = try CommandNight()
    try putPerson(command)
    try #require(try command.run().status == 0)
    let file = command.night.folder.appending(path: "key")
    try Data("0123456789abcdef0123456789abcdef".utf8).write(to: file)
    let environment = ["TIEOUT_PRIVACY": "hash", "TIEOUT_PRIVACY_KEY_FILE": file.path]
    let refused = try command.run(environment: environment)
    #expect(refused.status == 78)
    #expect(refused.errors.contains("tieout rebuild"))
    let rebuilt = try command.start(
      [
        "rebuild", "--database", command.night.database.connectionString, "--inbox",
        command.night.inbox.path, "--reports", command.night.reports.path,
      ], environment: environment
    ).ended()
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    #expect(try command.run(environment: environment).status == 0)
    #expect(
      try command.value("select count(*) from tieout.evidence where account_id like 'h:%'") == "2")
  }

  @Test("forget ends with 73 and names the edition that it cannot remove; the next one removes it")
  func keptEdition() throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    let list = command.night.folder.appending(path: "points").path
    func forget(_ plan: String) throws -> Program.Ended {
      try command.start(
        [
          "forget", "--database", command.night.database.connectionString, "--reports",
          command.night.reports.path, "--remove-editions", "PERSON-1",
        ], environment: ["TIEOUT_EFFECTS": "\(list) \(plan)"]
      ).ended()
    }
    let trial = try CommandNight()
    try putMissing(trial)
    try #require(try trial.run().status == 0)
    try #require(
      try trial.start(
        [
          "forget", "--database", trial.night.database.connectionString, "--reports",
          trial.night.reports.path, "--remove-editions", "PERSON-1",
        ], environment: ["TIEOUT_EFFECTS": list]
      ).ended().status == 0)
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let last = try #require(lines.lastIndex { $0.hasPrefix("remove\t") })
    let ended = try forget("fail \(last + 1) errno \(EACCES)")
    #expect(ended.status == 73, "\(ended.errors)")
    #expect(
      ended.errors.contains(
        "The account is forgotten, but the edition 2026-11-20 cannot be removed"),
      "\(ended.errors)")
    #expect(
      ended.errors.contains("remove by hand what it leaves of these: 2026-11-20."),
      "\(ended.errors)")
    #expect(
      try command.publishedNames() == [
        ".2026-11-20.being-removed", "2026-11-20.2", "editions.txt", "index.html", "latest",
      ])
    #expect(try forget("").status == 0)
    #expect(
      try command.publishedNames() == ["2026-11-20.2", "editions.txt", "index.html", "latest"])
  }

  @Test(
    "a forget that fails after its commit lists what contains the account",
    arguments: [[], ["--quiet"]])
  func failedAfterCommit(options: [String]) throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    // A folder with this name keeps the calendar from being written.
    let calendar = command.night.reports.appending(path: "index.html")
    try FileManager.default.removeItem(at: calendar)
    try FileManager.default.createDirectory(
      at: calendar.appending(path: "obstacle"), withIntermediateDirectories: true)
    let ended = try forget(command, ["PERSON-1", "--remove-editions"] + options)
    #expect(ended.status == 73, "\(ended.errors)")
    #expect(try command.value("select count(*) > 0 from tieout.forgotten_name") == "t")
    for list in [
      "Input files with the account: receipts/4.ndjson, receipts/5.ndjson. ",
      "Published editions with it, unless they are gone: 2026-11-20.",
    ] { #expect(ended.errors.contains(list), "\(ended.errors)") }
    for name in ["PERSON-1", "PHONE-1"] { #expect(!ended.errors.contains(name)) }
    try FileManager.default.removeItem(at: calendar)
    let again = try forget(command, "PERSON-1", "--remove-editions")
    #expect(again.status == 0, "\(again.errors)")
    // The tables do not know any more which files contain the account.
    #expect(!again.output.contains("receipts/"), "\(again.output)")
    #expect(try !command.publishedNames().contains("2026-11-20"))
  }

  @Test("a forget that is stopped while the server commits lists what contains the account")
  func stoppedDuringCommit() throws {
    let command = try CommandNight()
    try putMissing(command)
    try #require(try command.run().status == 0)
    let night = command.night
    let barrier = try Barrier(.committing, in: command)
    // Only the program stops waiting, and the server does not.
    try command.change("alter function wait_here() set lock_timeout = 0")
    let program = try command.start(
      [
        "forget", "--database", night.database.connectionString, "--reports", night.reports.path,
        "PERSON-1",
      ], environment: ["TIEOUT_PATIENCE": "8"])
    #expect(try barrier.isReached())
    program.send(SIGTERM)
    // It waits for the answer to the commit: eight seconds, or half a minute without the variable.
    let ended = try program.ended()
    #expect(ended.status == 75, "\(ended.errors)")
    for words in [
      "Stopped while the server committed, so it may have done so.",
      "Input files with the account: receipts/4.ndjson, receipts/5.ndjson. ",
      "Published editions with it, unless they are gone: 2026-11-20.",
    ] { #expect(ended.errors.contains(words), "\(ended.errors)") }
    try barrier.open()
    #expect(
      try eventually { try command.value("select count(*) from tieout.forgotten_name") != "0" })
  }

  @Test("forget names the editions with the name, and removes them only when told to")
  func editions() throws {
    let command = try CommandNight()
    try putMissing(command)
    for day in 20...21 {
      try #require(try command.run(asOf: "2026-11-\(day)T03:00:00Z").status == 0)
    }
    let listed = try forget(command, "PERSON-1")
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(listed.output.contains("These published editions still contain it:"))
    for edition in ["2026-11-20", "2026-11-21"] {
      #expect(listed.output.contains("  \(edition): "), "\(listed.output)")
    }
    let all = ["2026-11-20", "2026-11-21", "2026-11-21.2", "editions.txt", "index.html", "latest"]
    #expect(try command.publishedNames() == all)
    let dry = try forget(command, "PERSON-1", "--remove-editions", "--dry-run")
    #expect(dry.output.contains("  2026-11-20: "), "\(dry.output)")
    #expect(!dry.output.contains("were removed"))
    #expect(try command.publishedNames() == all)
    let removed = try forget(command, "PERSON-1", "--remove-editions")
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(removed.output.contains("were removed:\n  2026-11-20\n  2026-11-21\n"))
    #expect(
      try command.publishedNames() == ["2026-11-21.2", "editions.txt", "index.html", "latest"])
    let calendar = try String(
      contentsOf: command.night.reports.appending(path: "index.html"), encoding: .utf8)
    #expect(calendar.contains("href=\"2026-11-21.2/index.html\""))
    #expect(!calendar.contains("href=\"2026-11-20"))
    for words in [
      ["show", "2026-11-20"], ["show", "2026-11-21.1"], ["diff", "2026-11-20", "latest"],
    ] {
      let ended = try command.start(words).ended()
      let told = "\(words[1]), because they were removed on request (editions.txt). It has "
      #expect(ended.status == 64 && ended.errors.contains(told), "\(ended.errors)")
    }
    // A number that was used once is never used again.
    _ = try command.run(asOf: "2026-11-20T03:00:00Z")
    #expect(
      try command.publishedNames() == [
        "2026-11-20.2", "2026-11-21.2", "editions.txt", "index.html", "latest",
      ])
  }

  @Test("forget lists an edition whose folder is a link, and neither searches nor removes it")
  func linkedEdition() throws {
    let command = try CommandNight()
    try putMissing(command)
    for day in 20...21 {
      try #require(try command.run(asOf: "2026-11-\(day)T03:00:00Z").status == 0)
    }
    let edition = command.night.reports.appending(path: "2026-11-20")
    let moved = command.night.folder.appending(path: "moved")
    try FileManager.default.moveItem(at: edition, to: moved)
    try FileManager.default.createSymbolicLink(at: edition, withDestinationURL: moved)
    let ended = try forget(command, "PERSON-1", "--remove-editions")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("were removed:\n  2026-11-21\n"), "\(ended.output)")
    #expect(
      ended.output.contains("still contain it:\n  2026-11-20: (a link, not searched)\n"),
      "\(ended.output)")
    #expect(FileManager.default.fileExists(atPath: moved.appending(path: "index.html").path))
    for words in [["show", "2026-11-20"], ["diff", "2026-11-20", "latest"]] {
      let asked = try command.start(words).ended()
      let told = "has no reports of 2026-11-20, only a link, which is not followed. It has "
      #expect(asked.status == 64 && asked.errors.contains(told), "\(asked.errors)")
    }
  }

  @Test("tieout roles prints the SQL statements that create the roles")
  func roles() throws {
    let command = try CommandNight()
    let ended = try command.start(["roles"]).ended()
    #expect(ended.status == 0)
    #expect(ended.output.contains("tieout_job"))
    // The server runs the same text that psql would get: two SQL statements.
    try command.change(ended.output)
    #expect(
      try command.value(
        "select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'tieout'")
        == "tieout_owner")
    for role in ["tieout_job", "tieout_reader"] {
      #expect(
        try command.value(
          "select has_database_privilege('\(role)', current_database(), 'connect')") == "t",
        "\(role)")
    }
  }
}
