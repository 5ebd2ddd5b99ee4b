import Foundation
import LibCrypto
import Glibc
import ReconciliationTestSupport
import Testing

@Suite("What --quiet prints") struct QuietTests {
  /// A night with more of everything than the message has room for.
  private static func badNight() throws -> CommandNight {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    try command.night.put("{\"status\":21002}\n", at: "receipts/worse.ndjson")
    let rows = (200..<220).map { "\($0) | book.emma | 2026-11-18 \(11 + $0 % 9):00" }
    let wrong = (300..<305).map { "\($0) | book.\($0) | 2026-11-18 12:00" }
    try command.night.transactions(
      (["transaction_id | product_id | purchased_at"] + rows + wrong).joined(separator: "\n"))
    // The log goes on while the others lack their deliveries.
    try command.night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      X2,101,book.emma,delivered,2026-11-19T10:05:00Z

      """, at: "deliveries/later.csv")
    return command
  }

  @Test(
    "a night that needs a person prints at most ten lines on standard error, and nothing else",
    arguments: ["never", "error", "new-error", "info"])
  func done(limit: String) throws {
    let (status, said): (Int32, String) =
      switch limit {
      case "error": (1, "25 findings of level error are open.")
      case "new-error": (1, "25 findings of level error opened in this run.")
      case "info": (1, "31 findings of level info or higher are open.")
      default: (2, "The night is done, but 2 records could not be used.")
      }
    let words = ["--fail-on", limit]
    let command = try Self.badNight()
    let log = command.night.folder.appending(path: "tieout.log").path
    let ended = try command.start(
      command.words(words + ["--quiet", "--log-file", log, "--log-level", "debug"])
    ).ended()
    #expect(ended.status == status)
    #expect(ended.output == "")
    let lines = ended.errors.split(separator: "\n").map(String.init)
    #expect(lines.count <= 10, "\(ended.errors)")
    #expect(
      lines.first
        == "tieout run as of 2026-11-20T03:00:00Z: exit status \(status). \(said)")
    #expect(
      lines[1] == "20 deliveries were due: 0 delivered, 20 missing, 0 uncertain.")
    #expect(
      lines[2] == "At risk: missing USD 39.80 list price (20 deliveries). "
        + "A list price is an estimate of what the customer paid.")
    #expect(lines[3] == "Open findings: 25 errors, 5 warnings, 1 info; 31 of them new.")
    #expect(lines[4].hasPrefix("Not used: 2 records, most often status_2100"))
    let worst = lines.filter { $0.hasPrefix("error missing_delivery 2") }
    #expect(worst.count == 3, "\(ended.errors)")
    for line in worst {
      let words = try #require(line.components(separatedBy: ": ").last).split(separator: " ")
      #expect(words.prefix(2) == ["tieout", "explain"])
      let explained = try command.start(
        words.dropFirst().map(String.init)
          + ["--database", command.night.database.connectionString]
      ).ended()
      #expect(explained.status == 0 && !explained.output.isEmpty, "\(line)")
    }
    let manifest = try Data(
      contentsOf: command.night.reports.appending(path: "2026-11-20/manifest.json"))
    let head = HashFunction.sha256.digest(of: manifest).hexadecimal
    let reports = "\(command.night.reports.path)/2026-11-20"
    #expect(
      lines.last == "Reports: \(reports)   Head: publication 1, SHA-256 \(head)   Log: \(log)")
    // The same, without a log.
    let again = try command.start(command.words(words + ["--quiet"])).ended()
    #expect(again.errors.split(separator: "\n").count <= 10)
    #expect(!again.errors.contains("Log: ") && !again.errors.contains("warning:"))
  }

  @Test("a night that fails prints what happened, what to do, and the newest reports")
  func failed() throws {
    let command = try Self.badNight()
    let refused = try command.run("--quiet", "--max-rejected", "1")
    #expect(refused.status == 65)
    #expect(refused.output == "")
    #expect(refused.errors.hasPrefix("tieout run failed with exit status 65.\n2 of "))
    #expect(refused.errors.contains("\nReports: none yet in \(command.night.reports.path)\n"))
    #expect(try command.run("--quiet", "--fail-on", "never").status == 2)
    let lost = try command.run(
      "--quiet", "--database", "host=\(command.night.folder.path) dbname=none")
    #expect(lost.status == 69)
    let lines = lost.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(lost.errors)")
    #expect(lines[0] == "tieout run failed with exit status 69.")
    #expect(lines[1].hasPrefix("Cannot connect to the database."))
    #expect(lines[2] == "Reports: \(command.night.reports.path)/latest, still of 2026-11-20")
  }

  @Test("a misspelled folder of the inbox is in the message")
  func misspelledFolder() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try FileManager.default.moveItem(
      at: command.night.inbox.appending(path: "deliveries"),
      to: command.night.inbox.appending(path: "Deliveries"))
    let ended = try command.run("--quiet")
    #expect(ended.status == 2 && ended.output == "")
    let lines = ended.errors.split(separator: "\n")
    #expect(
      lines[1].hasSuffix(
        "The folder Deliveries/ of the inbox was not read (since 2026-11-20): its name is misspelled."
      ), "\(ended.errors)")
    #expect(
      lines.contains("Not used: 1 file, most often misspelled_folder (1), first in Deliveries"))
    #expect(lines[0].hasSuffix("The night is done, but 1 file could not be used."))
    try command.putBadRecord()
    let both = try command.run("--quiet")
    #expect(both.errors.contains("The night is done, but 1 file and 1 record could not be used."))
    #expect(both.errors.contains("\nNot used: 1 file and 1 record, most often "))
  }

  @Test("a file that stays unreadable is in the log of every night, and in a mail that is sent")
  func unreadableFile() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put("no gzip", at: "deliveries/more.csv.gz")
    let log = command.night.folder.appending(path: "tieout.log")
    func run(_ day: Int) throws -> Program.Ended {
      try? FileManager.default.removeItem(at: log)
      return try command.run("--quiet", "--log-file", log.path, asOf: "2026-11-\(day)T03:00:00Z")
    }
    let words = "Unreadable file deliveries/more.csv.gz (since 2026-11-20, not_gzip)"
    for (day, status) in [(20, 2), (21, 0), (22, 0)] {
      let ended = try run(day)
      #expect(Int(ended.status) == status, "\(ended.errors)")
      #expect(ended.errors.contains(words) == (status != 0), "\(ended.errors)")
      #expect(try String(contentsOf: log, encoding: .utf8).contains(words))
    }
    try command.putBadRecord()
    let mail = try run(23)
    #expect(mail.status == 2)
    #expect(mail.errors.contains(words), "\(mail.errors)")
  }

  @Test(
    "new findings come first if they are the reason, however many older ones are worse",
    arguments: [("new-error", true), ("error", false)])
  func newFirst(limit: String, isFirst: Bool) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    func buy(_ numbers: ClosedRange<Int>, on day: String) throws {
      let rows = numbers.map { "\($0) | book.emma | \(day) 11:00" }
      try command.night.transactions(
        (["transaction_id | product_id | purchased_at"] + rows).joined(separator: "\n"))
    }
    func deliver(_ id: String, at instant: String) throws {
      // Another delivery of the first purchase shows that the log goes on.
      try command.night.put(
        """
        delivery_id,transaction_id,product_id,status,occurred_at
        \(id),101,book.emma,delivered,\(instant)

        """, at: "deliveries/\(id).csv")
    }
    try buy(201...215, on: "2026-11-18")
    try deliver("X1", at: "2026-11-19T10:05:00Z")
    try #require(try command.run("--fail-on", limit).status == 1)
    try buy(301...301, on: "2026-11-19")
    try deliver("X2", at: "2026-11-20T10:05:00Z")
    let ended = try command.run("--quiet", "--fail-on", limit, asOf: "2026-11-21T03:00:00Z")
    #expect(ended.status == 1)
    let worst = ended.errors.split(separator: "\n").filter { $0.hasPrefix("error ") }
    #expect(worst.count == 3, "\(ended.errors)")
    #expect(worst.first?.contains(" 301 book.emma ") == isFirst, "\(ended.errors)")
  }

  @Test("a night of now that a night in the future keeps from being the newest ends with 1")
  func laterNight() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let future = "2126-11-20T03:00:00Z"
    try #require(try command.run(asOf: future).status == 0)
    var words = command.words([])
    words.removeAll { ["--as-of", CommandNight.asOf].contains($0) }
    let why =
      "Run 1 has the as-of \(future), which is in the future. Until that instant every other run is one of"
    let quiet = try command.start(words + ["--quiet", "--fail-on", "never"]).ended()
    #expect(quiet.status == 1 && quiet.output == "")
    let lines = quiet.errors.split(separator: "\n")
    #expect(lines.first?.contains(": exit status 1. \(why)") == true, "\(quiet.errors)")
    #expect(lines.count <= 10)
    let loud = try command.start(words).ended()
    #expect(loud.status == 1)
    #expect(loud.output.contains("Note: \(why)"), "\(loud.output)")
    // A run with an as-of of its own was asked for that day: it is done, and says the same.
    let past = try command.run()
    #expect(past.status == 0)
    #expect(past.output.contains("Note: \(why)"), "\(past.output)")
    // The message has the way out.
    #expect(
      try command.start(words + ["--quiet", "--ignore-future-nights"]).ended().status == 0)
    #expect(try command.start(words + ["--quiet"]).ended().status == 0)
  }

  @Test("a run into the reports folder of another database is done, ends with 1 and says why")
  func otherDatabase() throws {
    let (one, other) = (try CommandNight(), try CommandNight())
    for command in [one, other] { try command.putGoodNight() }
    try #require(try one.run().status == 0)
    var words = other.words(["--quiet"], asOf: "2026-11-21T03:00:00Z")
    words.replace([other.night.reports.path], with: [one.night.reports.path])
    let why =
      "The newest edition in \(one.night.reports.path), 2026-11-20 as of 2026-11-20T03:00:00Z,"
    let quiet = try other.start(words).ended()
    #expect(quiet.status == 1 && quiet.output == "")
    #expect(quiet.errors.contains(": exit status 1. \(why) was not published"), "\(quiet.errors)")
    #expect(try other.start(words).ended().status == 0)
  }

  @Test("the mail and the summary of a rebuild count its new rejections")
  func rebuilt() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    try #require(try command.run().status == 2)
    let words = [
      "rebuild", "--inbox", command.night.inbox.path, "--reports", command.night.reports.path,
      "--database", command.night.database.connectionString,
    ]
    let environment = ["TIEOUT_TRUST": "signed"]
    let loud = try command.start(words + ["--dry-run"], environment: environment).ended()
    #expect(loud.status == 2)
    #expect(
      loud.output.contains("\nNew rejections in this rebuild: 1 of 2. "), "\(loud.output)")
    let quiet = try command.start(words + ["--quiet"], environment: environment).ended()
    #expect(quiet.status == 2)
    #expect(
      quiet.errors.hasPrefix(
        "tieout rebuild as of \(CommandNight.asOf): exit status 2. The night is done, but 1 rejection is new.\n"
      ),
      "\(quiet.errors)")
    #expect(
      quiet.errors.contains("\nNew rejections: 1, most often unsigned (1), first in "),
      "\(quiet.errors)")
  }

  @Test("--quiet as a setting does the same")
  func setting() throws {
    let command = try Self.badNight()
    try command.writeSettings("quiet: true\nlog_file: own.log\n")
    let ended = try command.run()
    #expect(ended.status == 2 && ended.output == "")
    #expect(ended.errors.split(separator: "\n").count <= 10)
    let own = command.night.folder.appending(path: "own.log").path
    #expect(try String(contentsOfFile: own, encoding: .utf8).contains("exit_status=2"))
    #expect(try command.run().errors == "")
  }
}

@Suite("The log file") struct LogFileTests {
  @Test(
    "lines are appended, the file belongs to its owner and group alone, and rotation is noticed")
  func appended() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let log = command.night.folder.appending(path: "tieout.log").path
    for count in 1...2 {
      #expect(try command.run("--quiet", "--log-file", log).status == 0)
      #expect(try lines(log) == count)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions]
    #expect((mode as? Int).map { $0 & 0o137 } == 0, "\(String(describing: mode))")
    try FileManager.default.moveItem(atPath: log, toPath: "\(log).1")
    #expect(try command.run("--log-file", log).output.hasPrefix("tieout as of "))
    #expect(try lines(log) == 1)
    #expect(try lines("\(log).1") == 2)
    // Other commands need no right to write into the log.
    let listed = try command.start(
      ["findings", "--database", command.night.database.connectionString],
      environment: ["TIEOUT_LOG_FILE": "/nowhere/tieout.log"]
    ).ended()
    #expect(listed.status == 0, "\(listed.errors)")
  }

  @Test("the error that ends a night is also in its log, as a JSON line if that is the format")
  func error() throws {
    let command = try CommandNight()
    try FileManager.default.removeItem(at: command.night.inbox)
    let log = command.night.folder.appending(path: "tieout.log").path
    let ended = try command.run("--log-file", log, "--log-format", "json")
    #expect(ended.status == 64)
    #expect(ended.errors.hasPrefix("tieout: There is no inbox folder"))
    let line = try Data(contentsOf: URL(filePath: log))
    let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
    #expect(object["exit_status"] as? Int == 64)
    #expect(object["level"] as? String == "error")
    #expect((object["message"] as? String)?.contains("There is no inbox folder") == true)
  }

  @Test(
    "a log file that cannot be written ends a night with 73 before anything changes",
    arguments: ["folder", "pipe", "link", "no/such/folder/tieout.log", "closed/tieout.log"])
  func refused(name: String) throws {
    let command = try CommandNight(hasTables: false)
    try command.putGoodNight()
    let folder = command.night.folder.path
    let made = shell(
      """
      cd '\(folder)' && mkdir folder && mkfifo pipe && ln -s elsewhere link && mkdir -m 500 closed
      """)
    try #require(made.status == 0, "\(made.output)")
    for quiet in [[], ["--quiet"]] {
      let ended = try command.start(
        command.words(["--log-file", "\(folder)/\(name)"] + quiet), prefix: withoutPrivilege
      ).ended()
      #expect(ended.status == 73, "\(ended.errors)")
      #expect(ended.output == "")
      #expect(ended.errors.contains("log_file: \(folder)/\(name.split(separator: "/")[0])"))
      #expect(ended.errors.contains("--log-file"))
      #expect(!ended.errors.contains("Log: "), "\(ended.errors)")
      #expect(
        ended.errors.hasSuffix("   No log, because log_file could not be opened\n")
          == !quiet.isEmpty, "\(ended.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/elsewhere"))
    #expect(try command.value("select to_regnamespace('tieout') is null") == "t")
  }

  private func lines(_ path: String) throws -> Int {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
  }
}
