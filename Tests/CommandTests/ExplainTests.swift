import Foundation
import ReconciliationTestSupport
import Testing

@Suite("tieout explain and delivery-status") struct ExplainTests {
  /// A book that was bought and never delivered, a book that was delivered, and deliveries for
  /// other transactions.
  ///
  /// Nobody connects to its database.
  nonisolated(unsafe) private static let first: Result<CommandNight, any Error> = Result {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook.emma\nbook.iliad")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      101            | book.emma  | 2026-11-18 10:00 | anna
      102            | book.iliad | 2026-11-18 10:00 | bob
      """)
    try command.night.deliveries(
      """
      transaction_id | product_id | occurred_at      | account_id | server
      1001           | book.emma  | 2026-11-18 10:05 | anna       | eu-1
      102            | book.iliad | 2026-11-18 10:05 |            | \u{1b}[2Jeu-1
      1002           | book.iliad | 2026-11-17 10:05 | cleo       | eu-1
      """)
    try #require(try command.run().status == 0)
    return command.removedAtExit()
  }

  /// A copy of the first one for all tests that only ask.
  nonisolated(unsafe) private static let asked: Result<CommandNight, any Error> = Result {
    try CommandNight(copyOf: first.get()).removedAtExit()
  }

  /// A copy for one test.
  private func command() throws -> CommandNight { try CommandNight(copyOf: Self.first.get()) }

  private func ask(_ command: CommandNight, _ words: String...) throws -> Program.Ended {
    try ask(command, words)
  }

  private func ask(_ command: CommandNight, _ words: [String]) throws -> Program.Ended {
    try command.start(words + ["--database", command.night.database.connectionString]).ended()
  }

  private func things(_ json: String) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return try #require(object?["things"] as? [[String: Any]])
  }

  @Test("the cause comes first, and lines fit the terminal")
  func text() throws {
    let command = try Self.asked.get()
    let ended = try ask(command, "explain", "101")
    #expect(ended.status == 0, "\(ended.errors)")
    let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "101, as of 2026-11-20T03:00:00Z")
    #expect(
      lines[2].hasPrefix(
        "Bought on 2026-11-18T10:00:00Z and never delivered: no attempt was made."))
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(ended.output.contains("[differs: transaction_id]"))
    #expect(ended.output.contains("  deliveries/3.csv:2"))
    let narrow = try command.start(
      ["explain", "101", "--database", command.night.database.connectionString],
      environment: ["COLUMNS": "50"]
    ).ended().output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 50 })
    let words = { (text: String) in text.split(whereSeparator: \.isWhitespace) }
    #expect(words(narrow) == words(ended.output))
  }

  @Test("a line that is full at a double space continues at the usual column")
  func doubleSpace() throws {
    let command = try Self.asked.get()
    func lines(_ width: Int) throws -> [Substring] {
      try command.start(
        ["explain", "101", "--database", command.night.database.connectionString],
        environment: ["COLUMNS": "\(width)"]
      ).ended().output.split(separator: "\n")
    }
    let place = "  deliveries/3.csv:2"
    let line = try #require(try lines(500).first { $0.hasSuffix(place) })
    #expect(line.hasPrefix("    ") && !line.hasPrefix("     "))
    let broken = try lines(line.count - place.count)
    #expect(broken.contains("      deliveries/3.csv:2"), "\(broken)")
  }

  @Test("the text says how the ID belongs to what it explains")
  func role() throws {
    let command = try Self.asked.get()
    #expect(try ask(command, "explain", "101").output.contains("; the ID is its transaction\n"))
    for (rule, role) in [
      ("missing_delivery", "purchase, Production; the ID names a finding about it\n"),
      ("unpriced_product", "finding; the ID names it\n"),
    ] {
      let name = try #require(
        try command.value("select min(name) from tieout.finding where rule = '\(rule)'"))
      #expect(try ask(command, "explain", name).output.contains("  \(role)"))
    }
  }

  @Test("the text has a bounded number of things and of lines of a list, and JSON has all")
  func bounded() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at | account_id\n"
        + (1...130).map { "\(1000 + $0) | book | 2026-11-18 10:00 | anna" }
        .joined(separator: "\n"))
    try command.night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at | status\n"
        + (1...1100).map { "d\(10_000 + $0) | 1001 | book | 2026-11-17 10:00 | failed" }
        .joined(separator: "\n"))
    try #require(try command.run().status == 0)
    let account = try ask(command, "explain", "anna").output
    #expect(account.components(separatedBy: "\n  purchase, Production; ").count == 101)
    #expect(
      account.contains("\n30 more purchases, deliveries, claims or findings have this name. "))
    #expect(try things(ask(command, "explain", "anna", "--json").output).count == 130)
    let text = try ask(command, "explain", "1001").output
    let thing = try things(ask(command, "explain", "1001", "--json").output)[0]
    let events = try #require(thing["timeline"] as? [Any])
    #expect(events.count > 1100)
    #expect(
      text.contains("\n    … \(events.count - 1000) more: add --json to print all of them …\n"))
    #expect(text.components(separatedBy: " failed: book for transaction 1001").count < 1002)
    #expect(text.contains("its delivery is due"))
  }

  @Test("control characters in names are escaped in text and exact in JSON")
  func controlCharacters() throws {
    let command = try Self.asked.get()
    let text = try ask(command, "explain", "102")
    #expect(!text.output.unicodeScalars.contains("\u{1b}"))
    #expect(text.output.contains("\\u{1b}[2Jeu-1"))
    let json = try ask(command, "explain", "102", "--json")
    let words = try things(json.output).flatMap { $0["timeline"] as? [[String: Any]] ?? [] }
      .compactMap { $0["words"] as? String }
    #expect(words.contains { $0.contains("server \u{1b}[2Jeu-1") })
    let asked = try ask(command, "explain", "\u{1b}[31m")
    #expect(asked.output.hasPrefix("\\u{1b}[31m, as of"))
  }

  @Test("JSON contains the same sentences as the text")
  func json() throws {
    let command = try Self.asked.get()
    let text = try ask(command, "explain", "101").output
    let ended = try ask(command, "explain", "101", "--json")
    #expect(ended.status == 0)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
    #expect(object["name"] as? String == "101")
    #expect(object["as_of"] as? String == "2026-11-20T03:00:00Z")
    let things = try #require(object["things"] as? [[String: Any]])
    #expect(things.count == 1)
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(flat.contains(try #require(things[0]["sentence"] as? String)))
    for section in ["timeline", "verdicts", "possible_matches"] {
      let rows = try #require(things[0][section] as? [[String: Any]])
      #expect(!rows.isEmpty)
      for row in rows { #expect(flat.contains(try #require(row["words"] as? String))) }
    }
    let miss = try #require((things[0]["possible_matches"] as? [[String: Any]])?.first)
    #expect(miss["delivery_id"] as? String == "D1")
    #expect(miss["file"] as? String == "deliveries/3.csv")
  }

  @Test("JSON counts the facts that a list leaves out, and the text says the number")
  func leftOut() throws {
    let command = try command()
    let bad = (1...25).map { "b-\($0),4711,film,strange,2026-11-10T12:00:00Z\n" }.joined()
    try command.night.put(
      "delivery_id,transaction_id,product_id,status,occurred_at\n" + bad, at: "deliveries/bad.csv")
    try #require(try command.run(asOf: "2026-11-20T04:00:00Z").status == 2)
    let json = try ask(command, "explain", "deliveries/bad.csv", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let overview = try #require(object?["overview"] as? [String: Any])
    let leftOut = try #require(overview["left_out"] as? [[String: Any]])
    #expect(leftOut.map { $0["section"] as? String } == ["rejected"])
    #expect(leftOut.map { $0["facts"] as? Int } == [19])
    #expect(!json.contains("more"))
    let text = try ask(command, "explain", "deliveries/bad.csv").output
    #expect(text.contains("\n    and 19 more\n"))
  }

  /// Runs a script in psql, which must accept it.
  private func run(_ script: String, in command: CommandNight) throws -> Program.Ended {
    let file = command.night.folder.appending(path: "explain.sql")
    try Data(script.utf8).write(to: file)
    let psql = try command.start([
      "psql", "--database", command.night.database.connectionString, "--", "-X", "-At", "-f",
      file.path,
    ]).ended()
    #expect(psql.status == 0, "\(psql.errors)")
    #expect(psql.errors == "")
    return psql
  }

  @Test("the script of --sql keeps the name of a product that looks like a parameter")
  func sqlOfProduct() throws {
    let command = try command()
    try command.night.deliveries(
      "transaction_id | product_id | occurred_at\n9 | book.$1 | 2026-11-18 11:05")
    #expect(try command.run(asOf: "2026-11-20T04:00:00Z").status == 0)
    let script = try ask(command, "explain", "book.$1", "--sql")
    #expect(script.status == 0)
    let psql = try run(script.output, in: command)
    #expect(psql.output.contains("book.$1"))
    let json = try ask(command, "explain", "book.$1", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let overview = try #require(object?["overview"] as? [String: Any])
    let facts = try #require(overview["facts"] as? [[String: Any]])
    let words = facts.compactMap { $0["words"] as? String }
    try #require(!words.isEmpty)
    for words in words { #expect(psql.output.contains(words)) }
  }

  @Test(
    "the script of --sql gives the same sentences in psql, for any name",
    arguments: ["101", "O'Neill\\ $1"])
  func sql(name: String) throws {
    let command = try command()
    if name != "101" {
      try command.night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | account_id
        E1          | 9              | book.emma  | 2026-11-18 11:05 | \(name)
        """)
      #expect(try command.run(asOf: "2026-11-20T04:00:00Z").status == 0)
    }
    let script = try ask(command, "explain", name, "--sql")
    #expect(script.status == 0)
    let psql = try run(script.output, in: command)
    let things = try things(ask(command, "explain", name, "--json").output)
    try #require(!things.isEmpty)
    for thing in things {
      #expect(psql.output.contains(try #require(thing["sentence"] as? String)))
      for section in ["timeline", "verdicts", "possible_matches"] {
        for row in thing[section] as? [[String: Any]] ?? [] {
          #expect(psql.output.contains(try #require(row["words"] as? String)))
        }
      }
    }
    #expect(try command.value("select count(*) from pg_class where relpersistence = 't'") == "0")
  }

  @Test("a file is explained by its path on disk, also with a line")
  func path() throws {
    let command = try Self.asked.get()
    let inbox = ["TIEOUT_INBOX": command.night.inbox.path]
    for name in ["deliveries/3.csv:2", command.night.inbox.path + "/deliveries/3.csv:2"] {
      let ended = try command.start(
        ["explain", name, "--database", command.night.database.connectionString],
        environment: inbox
      ).ended()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.hasPrefix("deliveries/3.csv:2, as of"), "\(ended.output)")
      #expect(ended.output.contains("Line 2: delivery D1 of transaction 1001."))
    }
  }

  @Test("an unknown name of a given kind is not advised to be a device")
  func unknownKind() throws {
    let command = try Self.asked.get()
    for kind in ["device", "server"] {
      let ended = try ask(command, "explain", "nobody", "--as", kind)
      #expect(ended.status == 1)
      #expect(ended.output.contains("This ID is unknown as a name of this kind."))
      #expect(!ended.output.contains("add --as device"))
    }
  }

  @Test("an account is found by its name although the tables contain its hash")
  func hashed() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let key = command.night.folder.appending(path: "key")
    try Data(String(repeating: "k", count: 64).utf8).write(to: key)
    let privacy = ["TIEOUT_PRIVACY": "hash", "TIEOUT_PRIVACY_KEY_FILE": key.path]
    try #require(try command.run(environment: privacy).status == 0)
    func explain(_ name: String) throws -> Program.Ended {
      try command.start(
        ["explain", name, "--database", command.night.database.connectionString],
        environment: privacy
      ).ended()
    }
    for name in ["anna", " anna", "\"anna\","] {
      let known = try explain(name)
      #expect(known.status == 0 && known.output.hasPrefix("h:"), "\(known.output)")
    }
    let unknown = try explain("nobody")
    #expect(unknown.status == 1)
    let flat = unknown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(flat.contains("Names of accounts and devices are hashed (privacy: hash)."))
  }

  @Test("an unknown ID ends with 1 and a clear line")
  func unknown() throws {
    let command = try Self.asked.get()
    let ended = try ask(command, "explain", "nobody")
    #expect(ended.status == 1)
    #expect(ended.output.contains("This ID is unknown"))
    #expect(ended.errors == "")
    let file = try ask(command, "explain", "deliveries/none.csv")
    #expect(
      file.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "A file with the same bytes as a file that was loaded before is known only by the name of"))
    #expect(file.status == 1 && !ended.output.contains("A file with"))
    // A part of a product's identifier, in any case, or of a file's path.
    let part = try ask(command, "explain", "OK.emm")
    #expect(
      part.status == 1 && part.output.contains("Did you mean the product book.emma?"),
      "\(part.output)")
    #expect(try !ask(command, "explain", "emm").output.contains("Did you mean"))
    #expect(try ask(command, "explain", "101", "--json", "--sql").status == 64)
    #expect(try ask(command, "explain", " ").status == 64)
    #expect(try ask(command, "explain", "101", "--as", "nonsense").status == 64)
    // A name that is known, but not of this kind.
    #expect(try ask(command, "explain", "101", "--as", "server").status == 1)
    #expect(try ask(command, "explain", "eu-1", "--as", "server").status == 0)
  }

  @Test("until a night has judged what a past day has changed, each answer says so")
  func unjudged() throws {
    let command = try command()
    try command.night.deliveries(
      "transaction_id | product_id | occurred_at\n101 | book.emma | 2026-11-18 10:30")
    _ = try command.run(asOf: "2026-11-19T03:00:00Z")
    let words = "A run of a past day has changed the ledger"
    for name in ["explain", "findings"] {
      let asked = name == "explain" ? [name, "101"] : [name]
      let table = try ask(command, asked)
      #expect(table.status == 0 && table.output.contains(words), "\(table.output)")
      let json = try ask(command, asked + (name == "explain" ? ["--json"] : ["--format", "json"]))
      #expect(json.status == 0 && json.errors.contains(words), "\(json.errors)")
      #expect(!json.output.contains(words))
    }
    let status = try ask(command, ["delivery-status", "101"])
    #expect(status.status == 0 && status.errors.contains(words), "\(status.errors)")
    _ = try command.run()
    #expect(try !ask(command, "explain", "101").output.contains(words))
    #expect(try !ask(command, "findings").output.contains(words))
    #expect(try ask(command, "delivery-status", "101").errors == "")
  }

  @Test("explain ends with 78 before the first night")
  func noNight() throws {
    let command = try CommandNight()
    let ended = try ask(command, "explain", "101")
    #expect(ended.status == 78)
    #expect(ended.errors.contains("No night was done yet in the database tieout_test_"))
  }

  @Test("delivery-status prints Apple's requests for the IDs of arguments and of a file")
  func deliveryStatus() throws {
    let command = try Self.asked.get()
    let file = command.night.folder.appending(path: "ids")
    try Data("\u{feff}102\n\n  404 \r\n".utf8).write(to: file)
    let ended = try ask(
      command, "delivery-status", "101", "--file", file.path, "--customer-consented",
      "--sample-content-provided", "false")
    #expect(ended.status == 1, "404 is unknown: \(ended.errors)")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["transactionId"] as? String } == ["101", "102", "404"])
    let requests = try rows.map { row in
      try row["consumptionRequest"].map { body in
        String(
          decoding: try JSONSerialization.data(withJSONObject: body, options: .sortedKeys),
          as: UTF8.self)
      }
    }
    let said = #""customerConsented":true,"#
    #expect(
      requests == [
        #"{"consumptionPercentage":0,"# + said
          + #""deliveryStatus":"UNDELIVERED_OTHER","sampleContentProvided":false}"#,
        "{" + said + #""deliveryStatus":"DELIVERED","sampleContentProvided":false}"#,
        nil,
      ])
    let piped = try command.start(
      ["delivery-status", "--file", "-", "--database", command.night.database.connectionString],
      prefix: ["sh", "-c", "printf '102\\n404\\n' | \"$@\"", "sh"]
    ).ended()
    #expect(piped.status == 1 && piped.output.contains("\"DELIVERED\""), "\(piped.errors)")
    #expect(try ask(command, "delivery-status", "102").status == 0)
    #expect(
      try ask(command, "delivery-status", "102", "--sample-content-provided", "maybe").status == 64)
    #expect(try ask(command, "delivery-status").status == 64)
    #expect(try ask(command, "delivery-status", "--file", "/nowhere").status == 64)
    try Data("\n".utf8).write(to: file)
    let empty = try ask(command, "delivery-status", "--file", file.path)
    #expect(empty.status == 64 && empty.errors.contains("names no transaction"), "\(empty.errors)")
    try Data([0xff, 0xfe, 0x31, 0]).write(to: file)
    #expect(try ask(command, "delivery-status", "--file", file.path).status == 64)
  }
}
