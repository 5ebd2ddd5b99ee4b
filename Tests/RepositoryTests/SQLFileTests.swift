import Foundation
import ReconciliationSQL
import Testing

@Suite("SQL files")
struct SQLFileTests {
  private static let paths = Result { try Repository.files(below: "sql", ending: ".sql") }

  /// The files that read a clock.
  ///
  /// They record when somebody did something, or compare a day or an as-of with the present. No
  /// statement depends on them.
  private static let clocked: Set = [
    "findings_acknowledgement", "findings_end", "findings_file_acknowledgement", "findings_passed",
    "findings_returned", "load_grown", "period_approve", "period_close", "recover_killed",
    "refresh_answer", "refresh_due", "run_as_of", "run_end", "run_ignore_future",
    "run_newest_night", "schema_journal", "schema_period", "schema_run",
    "schema_withdrawal", "withdraw_acknowledgement", "withdraw_undo",
  ]

  /// The functions and the special texts of PostgreSQL that give the present time.
  private static let clock = [
    #"\b(?:now|(?:clock|statement|transaction)_timestamp|timeofday) ?\("#,
    #"\b(?:current_(?:date|time|timestamp)|localtime|localtimestamp)\b"#,
    #"\b(?:date|time|timestamp|timestamptz) '(?:now|today|tomorrow|yesterday)'"#,
    #"'(?:now|today|tomorrow|yesterday)'::"#,
  ].joined(separator: "|")

  /// The files of carried/ that have several SQL statements.
  private static let scripts: Set<SQLFile> = [
    .carriedClosest, .carriedNearDelivery, .carriedPlacedRecord, .carriedPossibleMatch,
  ]

  /// The files of which each is one query.
  private static let queries = files(of: ["carried", "judge", "rule", "report", "page"])
    .filter { !scripts.contains($0) }

  private static func files(of layers: Set<String>) -> [SQLFile] {
    SQLFile.all.filter { layers.contains($0.layer) }
  }

  @Test("docs/data-model.md makes tables of all judged relations, in their order")
  func tablesOfViews() throws {
    let page = try Repository.text("docs/data-model.md")
    let list = try #require(page.firstMatch(of: #/unnest\(array\[([^\]]+)\]\) as name/#)).1
    let names = list.matches(of: #/'([a-z_]+)'/#).map { String($0.1) }
    #expect(names == SQLFile.judgedRelations.map(\.subject))
  }

  @Test("each file is used: Swift names it, or it is in a list of files that the program runs")
  func used() throws {
    let lists = [
      SQLFile.schema, SQLFile.load, SQLFile.matchExceptions, SQLFile.views, SQLFile.rules,
      SQLFile.reports,
    ]
    let listed = Set(lists.joined())
    var named: Set<String> = []
    for path in try Repository.files(below: "Sources", ending: ".swift")
    where !path.contains("TestSupport/") {
      try named.formUnion(
        Repository.text(path).matches(of: /\.([a-z]\w+)/).map { String($0.output.1) })
    }
    for file in SQLFile.all where !listed.contains(file) {
      let words = file.name.split(separator: "_")
      let constant = "\(words[0])\(words.dropFirst().map(\.capitalized).joined())"
      #expect(named.contains(constant), "no Swift file names \(constant)")
    }
  }

  @Test(
    "each file's name begins with its layer, and the program has its text", arguments: SQLFile.all)
  func layer(_ file: SQLFile) throws {
    let path = try #require(try Self.paths.get().first { $0.hasSuffix("/\(file.name).sql") })
    let folder = path.split(separator: "/")[1]
    let layers = ["rules": "rule", "reports": "report"]
    #expect(file.name.hasPrefix("\(layers[String(folder)] ?? String(folder))_"))
    #expect(file.text == (try Repository.text(path)))
  }

  @Test("each file begins with a comment about its purpose, and is short", arguments: SQLFile.all)
  func header(_ file: SQLFile) {
    #expect(file.text.hasPrefix("-- "))
    #expect(file.text.utf8.count <= 10 << 10)
    #expect(!file.text.contains("\t"))
    #expect(file.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test("only the listed files read a clock", arguments: SQLFile.all)
  func noClock(_ file: SQLFile) throws {
    let clock = try Regex(Self.clock).wordBoundaryKind(.simple)
    let text = Self.withoutComments(file.text).lowercased()
    #expect(text.contains(clock) == Self.clocked.contains(file.name))
  }

  @Test("each listed file that reads a clock exists, and each way to read one is noticed")
  func clocks() throws {
    #expect(Self.clocked.isSubset(of: SQLFile.all.map(\.name)))
    let clock = try Regex(Self.clock).wordBoundaryKind(.simple)
    for example in [
      "now()", "clock_timestamp()", "statement_timestamp()", "transaction_timestamp()",
      "timeofday()", "current_date", "current_time", "current_timestamp", "localtime",
      "localtimestamp", "timestamptz 'now'", "date 'today'", "'now'::timestamptz",
    ] {
      #expect("select \(example) as at".contains(clock), "\(example)")
    }
    #expect(!"case when is_added then 'now' else 'no longer' end".contains(clock))
  }

  @Test("a file that returns rows is one query without a semicolon", arguments: queries)
  func oneQuery(_ file: SQLFile) {
    let text = Self.withoutComments(file.text)
    #expect(!text.contains(";"))
    #expect(["with", "select"].contains(text.prefix { $0.isLetter }))
  }

  /// An SQL command that looks up rows in the table that it fills reads all new rows each time.
  ///
  /// This is quadratic if the statistics say that the table is empty. No small test shows it.
  @Test("no SQL command reads the table that it fills", arguments: SQLFile.all)
  func readsWhatItFills(_ file: SQLFile) throws {
    for command in Self.withoutComments(file.text).split(separator: ";") {
      for filled in command.matches(of: /insert into (\w+)/) {
        let reading = try Regex("(from|join|using) \(filled.1)\\b")
        #expect(!command.contains(reading), "\(filled.1) is filled and read at once")
      }
    }
  }

  /// The files that take a detail apart, and what no key of a finding has.
  private static let parsedDetails = [
    "findings_feed": "the instant since which a feed brings nothing",
    "findings_records": "the end of the silence of a server",
  ]

  @Test("no query takes a subject or a detail apart; a finding has a key", arguments: SQLFile.all)
  func parsedTexts(_ file: SQLFile) throws {
    let functions =
      "split_part|starts_with|string_to_array|strpos|substr|substring|left|right|regexp_\\w+"
    let parsing = try Regex(
      "\\b(?:\(functions))\\([^()]*\\b(subject|detail)\\b", as: (Substring, Substring).self
    ).wordBoundaryKind(.simple)
    let parsed = Self.withoutComments(file.text).matches(of: parsing).map { String($0.output.1) }
    #expect(parsed == (Self.parsedDetails[file.name] == nil ? [] : ["detail"]))
  }

  /// What takes a subject or a detail apart in Swift.
  ///
  /// It is a function that looks into it, a comparison with a written text, or a search for a part
  /// beside a space. To be shown, it may be cut.
  private static let parsingInSwift = [
    #"\b(?:subject|detail)\b[?!]?\.(?:has(?:Prefix|Suffix)|split|components|contains|starts)\b"#,
    #"\b(?:subject|detail)\b[?!]?\.(?:first|last|drop|range|match|wholeMatch|prefixMatch)\w*\b"#,
    #"\b(?:subject|detail) == ""#,
    #"\.hasSuffix\(" \\\("#,
    #"\.hasPrefix\("\\\([^)]*\) "#,
  ].joined(separator: "|")

  @Test("no Swift code takes a subject or a detail apart; SQL gives it the fields of the key")
  func parsedTextsInSwift() throws {
    let parsing = try Regex(Self.parsingInSwift).wordBoundaryKind(.simple)
    let examples = [
      #"verdict.subject.hasPrefix("\(product) ")"#, #"verdict.subject == "\(product) unknown""#,
      #"row[5].hasSuffix(" \(row[6])")"#, #"finding.detail.split(separator: " ")"#,
      #"text.hasPrefix("\(product) ")"#,
    ]
    for example in examples { #expect(example.contains(parsing), "\(example)") }
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      #expect(try !Repository.text(path).contains(parsing), "\(path)")
    }
  }

  /// The relations of judging and of the schema.
  private static let relations = Set(
    files(of: ["judge"]).map(\.subject)
      + SQLFile.schema.flatMap { file in
        file.text.matches(of: /create (?:unlogged )?(?:table|view) (\w+)/).map {
          String($0.output.1)
        }
      })

  @Test("no common table expression hides a relation of its name", arguments: SQLFile.all)
  func expressions(_ file: SQLFile) {
    #expect(Self.relations.count > 100)
    let expression =
      /(?:\b(?:with|recursive)|\),)\s+(\w+)(?: \([^()]*\))? as (?:(?:not )?materialized )?\(/
    let hiding = Self.withoutComments(file.text).matches(of: expression)
      .map { String($0.output.1) }.filter { Self.relations.contains($0) }
    #expect(hiding == [])
  }

  /// What a night means is in sql/, so that it can be read and run in psql.
  @Test("Swift contains only SQL about settings, tables and the server")
  func inSwift() throws {
    let technical: Set = [
      "Sources/Ledger/Staging+Tables.swift", "Sources/NightRun/Tasks/ForgetTask.swift",
      "Sources/NightRun/Vacuum.swift", "Sources/PostgreSQL/Connection.swift",
      "Sources/Rules/JudgingCommand.swift", "Sources/Runs/Schema/Schema.swift",
    ]
    let query = /"""\s*\n\s*(--[^\n]*\n\s*)*(select|insert into|update|delete from|with)\b/
    let files = try Repository.files(below: "Sources", ending: ".swift").filter { path in
      try Repository.text(path).contains(query)
    }
    #expect(Set(files) == technical)
  }

  private static func withoutComments(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line
    }.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
  }
}
