import ReconciliationSQL
import Testing

/// A cluster refuses, or brings to the coordinator as a whole, what these tests refuse.
@Suite("Queries over tables that can be distributed")
struct DistributedQueryTests {
  private static let tables = [
    "stored_evidence", "lone_evidence", "differing_evidence", "merged_transaction",
    "stored_delivery", "evidence",
  ]

  /// The views that temporary tables hide while a night judges.
  private static let hidden = ["store_transaction", "delivery_record"]

  /// Files that run on hidden tables, or only where nothing is distributed.
  private static let local: Set = ["load_drop_key", "load_key"]

  /// The files that contain the name of a large table; each test is about such names.
  private static let files = SQLFile.all.filter { file in
    !local.contains(file.name)
      && large(file).split(separator: "|").contains { file.text.contains($0) }
  }

  /// The large tables that a file reads where they are.
  private static func large(_ file: SQLFile) -> String {
    let isBeforeJudging = [
      "load_", "forget_", "rebuild_", "withdraw_", "affected_seed", "affected_round",
    ].contains { file.name.hasPrefix($0) }
    let isOfAll = [
      "explain_kind", "explain_other_kind", "explain_seed", "explain_file", "explain_file_line",
      "explain_unread_file", "explain_group_record", "explain_group_unfinished", "explain_month",
      "findings_list",
    ].contains(file.name)
    return (tables + (isBeforeJudging || isOfAll ? hidden : [])).joined(separator: "|")
  }

  private static func commands(_ file: SQLFile) -> [String] {
    let lines = file.text.split(separator: "\n").map { line in
      String(line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line)
    }
    let text: String = lines.joined(separator: "\n")
    return text.split(separator: ";").map { String($0) }
  }

  @Test("many files name a large table, and many name none")
  func naming() {
    #expect(Self.files.count > 50 && Self.files.count < SQLFile.all.count - 50)
    #expect(SQLFile.all.contains { $0.text.contains("standing_first(") })
  }

  @Test("the commands of a file are texts of SQL without comments")
  func texts() {
    let commands = Self.commands(SQLFile("some", "-- One.\nselect 1 -- one\n;\nselect 2"))
    #expect(commands.map { $0.filter { $0 != "\n" } } == ["select 1 ", "select 2"])
  }

  /// The expression for an outer join whose inner side is a large table.
  private static func outerJoins(in file: SQLFile) throws -> Regex<AnyRegexOutput> {
    try Regex(#"(left|full)( outer)? join\s+(tieout\.)?(\#(large(file)))\b"#)
  }

  @Test("no large table is on the inner side of an outer join", arguments: files)
  func outerJoin(_ file: SQLFile) throws {
    let joining = try Self.outerJoins(in: file)
    for command in Self.commands(file) { #expect(!command.contains(joining)) }
  }

  /// The queries of a command, each without its subqueries.
  private static func queries(_ command: String) -> [String] {
    var ended: [String] = []
    var open = [""]
    // Whether each open parenthesis begins a query.
    var areQueries: [Bool] = []
    var rest = Substring(command)
    while let character = rest.popFirst() {
      if character == "(" {
        areQueries.append(rest.drop { $0.isWhitespace }.hasPrefix("select"))
        if areQueries.last == true { open.append("") }
      } else if character == ")", areQueries.popLast() == true {
        ended.append(open.removeLast())
      }
      open[open.count - 1].append(character)
    }
    return ended + open
  }

  /// The joins of two large tables in a command, without those that compare the numbers of
  /// transactions.
  ///
  /// A cluster joins only rows of the same worker, and the number decides about the worker.
  private static func joinsOffTheKey(_ command: String, of file: SQLFile) throws -> [Substring] {
    let name = try Regex(#"(tieout\.)?(\#(large(file)))(\s|$)"#)
    var found: [Substring] = []
    for query in queries(command) {
      for part in query.split(separator: /\bunion\b/) {
        // Each piece begins with a table, apart from the first one.
        let pieces = part.split(separator: /\b(from|join)\s+/).dropFirst()
        let joined = pieces.filter { $0.starts(with: name) }
        for piece in joined.dropFirst() {
          let condition = piece.split(separator: /\bwhere\b/)[0]
          if !condition.contains("transaction_number") { found.append(condition) }
        }
      }
    }
    return found
  }

  @Test("two large tables are joined by the number of the transaction", arguments: files)
  func joinedByKey(_ file: SQLFile) throws {
    for command in Self.commands(file) {
      #expect(try Self.joinsOffTheKey(command, of: file).isEmpty)
    }
  }

  @Test(
    "joins that a cluster refuses are found",
    arguments: [
      ("from run left join evidence using (file_id)", true, false),
      ("from run full join\n    tieout.stored_delivery on true", true, false),
      ("from evidence left join run using (run_id)", false, false),
      ("from evidence inner join stored_delivery using (file_id)", false, true),
      ("from (select 1 from a join evidence on b join merged_transaction on c) as d", false, true),
      ("from tieout.evidence join stored_delivery on a where transaction_number = 1", false, true),
      ("from evidence join stored_delivery\nusing (transaction_number)", false, false),
      ("from evidence union select 1 from run join stored_delivery on true", false, false),
      ("from evidence join (select 1 from stored_delivery) as a on true", false, false),
    ])
  func refusedJoins(tables: String, isOuter: Bool, isOffTheKey: Bool) throws {
    let command = "select 1 \(tables)"
    let file = SQLFile("some", command)
    #expect(try command.contains(Self.outerJoins(in: file)) == isOuter)
    #expect(try Self.joinsOffTheKey(command, of: file).isEmpty != isOffTheKey)
  }

  @Test("rows are not looked up in a large table one by one", arguments: files)
  func lookUp(_ file: SQLFile) throws {
    let large = Self.large(file)
    let looking = try Regex(#"exists \(\s*select( 1)?\s+from (tieout\.)?(\#(large))\b"#)
    let changing = try Regex(#"(update|delete from) (tieout\.)?(\#(large))\b"#)
    for command in Self.commands(file) where !command.contains(changing) {
      #expect(!command.contains(looking))
    }
  }

  /// The texts in the parentheses of lateral subqueries.
  private static func lateral(_ command: String) -> [Substring] {
    command.ranges(of: "lateral (").map { range in
      var depth = 1
      return command[range.upperBound...].prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      }
    }
  }

  @Test("the texts of lateral subqueries end where their parentheses do")
  func subqueries() {
    #expect(Self.lateral("a lateral (b (c) d) e, lateral (f) g") == ["b (c) d", "f"])
  }

  @Test("no lateral subquery reads a large table", arguments: files)
  func inLateral(_ file: SQLFile) throws {
    let large = try Regex(#"\b(from|join) (tieout\.)?(\#(Self.large(file)))\b"#)
    for subquery in Self.commands(file).flatMap(Self.lateral) {
      #expect(!subquery.contains(large))
    }
  }

  @Test("no common table expression changes a large table", arguments: files)
  func changingInWith(_ file: SQLFile) throws {
    let changing = try Regex(
      #"as (materialized )?\(\s*(update|delete from|insert into) (\#(Self.large(file)))\b"#)
    for command in Self.commands(file) { #expect(!command.contains(changing)) }
  }

  /// Citus 13.2 gives such a query no rows, without an error.
  @Test(
    "a query over staged rows, whose products are on every node, reads no large table",
    arguments: files)
  func stagedBesideLarge(_ file: SQLFile) throws {
    let large = try Regex(#"\b(from|join|into|update) (tieout\.)?(\#(Self.large(file)))\b"#)
    for command in Self.commands(file) where command.contains(/\bstaged_(evidence|delivery)\b/) {
      // It may fill one.
      #expect(command.matches(of: large).allSatisfy { $0.output[1].substring == "into" })
    }
  }

  @Test(
    "no condition on a large table reads a setting, which only the coordinator knows",
    arguments: files)
  func settings(_ file: SQLFile) throws {
    let reading = try Regex(
      #"\b(from|join) (tieout\.)?(\#(Self.large(file)))\b[^;()]*current_setting\('tieout"#)
    for command in Self.commands(file) { #expect(!command.contains(reading)) }
  }

  /// The coordinator runs the subquery first, and Citus 13.2 cannot read a result without columns.
  @Test(
    "a condition that a join has rows selects a column beside a large table",
    arguments: SQLFile.all)
  func emptyResult(_ file: SQLFile) throws {
    let hidden = Self.hidden.map { #"tieout\.\#($0)"# }.joined(separator: "|")
    let large = try Regex(#"\b(from|join) (\#(Self.large(file))|\#(hidden))\b"#)
    let joining = /exists \(\s*select\s+from [a-z_.]+( as [a-z_]+)?\s+inner join/
    for command in Self.commands(file) where command.contains(large) {
      #expect(!command.contains(joining))
    }
  }

  /// Citus 13.2 cannot read the composite value that a worker sorts by.
  @Test(
    "no command reads a large table and sorts the records of a delivery",
    arguments: SQLFile.all.filter { $0.text.contains("standing_first(") })
  func sortedRecords(_ file: SQLFile) throws {
    let hidden = Self.hidden.map { #"tieout\.\#($0)"# }.joined(separator: "|")
    let large = try Regex(#"\b(from|join) ((tieout\.)?(\#(Self.large(file)))|\#(hidden))\b"#)
    for command in Self.commands(file) where command.contains("standing_first(") {
      #expect(!command.contains(large))
    }
  }

  /// Two of them in one message can wait for each other on different workers.
  ///
  /// The program sends them one by one (`analyzeOnWorkers`).
  @Test("no file analyzes a large table", arguments: files)
  func analyzing(_ file: SQLFile) throws {
    let analyzing = try Regex(#"\banalyze (tieout\.)?(\#(Self.large(file)))\b"#)
    for command in Self.commands(file) { #expect(!command.contains(analyzing)) }
  }

  /// A cluster passes `set local` on to its workers, but not `set_config`.
  @Test("a setting of the planner is set with set local")
  func plannerSettings() throws {
    let setting = /set_config\(\s*'(?!tieout\.)/
    for file in SQLFile.all { #expect(!file.text.contains(setting), "\(file)") }
    let commands = try Repository.text("Sources/Rules/JudgingCommand.swift")
    #expect(!commands.contains(setting))
    #expect("select set_config('enable_hashjoin', 'off', true)".contains(setting))
  }

  @Test("no row is known by its place in a large table", arguments: files)
  func place(_ file: SQLFile) throws {
    let large = try Regex(#"\b(\#(Self.large(file)))\b"#)
    for command in Self.commands(file) where command.contains("ctid") {
      #expect(!command.contains(large))
    }
  }
}
