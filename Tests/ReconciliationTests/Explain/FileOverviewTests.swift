import Configuration
import Explain
import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Explaining an input file")
struct FileOverviewTests {
  private static func explain(_ name: String, in night: TestNight) throws -> Explanation {
    try Inquiry(about: name, database: night.database.connectionString).explanation
  }

  @Test("an input file, also with a line behind it: what it holds, and what could not be used")
  func file() throws {
    let night = try OverviewTests.night()
    for (line, words) in [
      ("", ""), (":3", "Line 3: a rejected record, bad_status. "),
      (":2", "Line 2: delivery d-100 of transaction 99. "),
      (
        ":999999",
        "Nothing is known from line 999999 of this file; the last line with a known record is 3. "
      ),
    ] {
      let overview = try #require(
        try Self.explain("deliveries/extra.csv\(line)", in: night).overview)
      #expect(overview.kind == .file)
      #expect(
        overview.sentence == """
          \(words)deliveries/extra.csv was loaded for the night of 2026-11-20T03:00:00Z: 1 delivery record, \
          1 of them not delivered, 1 rejection, dated on 2026-11-10T12:00:00Z.
          """)
      let rejected = try #require(overview.facts.first { $0.section == "rejected" })
      #expect(rejected.line == 3)
      #expect(overview.facts.contains { $0.section == "healthy" })
    }
  }

  @Test("an entry of a catalogue is found by its place, and is no line")
  func entry() throws {
    let night = try OverviewTests.night()
    let film = try #require(
      try Self.explain("film", in: night).overview?.facts.first { $0.section == "changed" })
    let path = try #require(film.file)
    let entry = try #require(film.line)
    for place in ["\(path), entry \(entry)", "\(path):\(entry)"] {
      let overview = try #require(try Self.explain(place, in: night).overview, "\(place)")
      #expect(overview.kind == .file && overview.name == path)
      #expect(
        overview.sentence.hasPrefix(
          "Entry \(entry): catalogue entry film listed. \(path) was loaded for "),
        "\(overview.sentence)")
    }
    #expect(
      try Self.explain("\(path), entry 99", in: night).overview?.sentence.hasPrefix(
        "Nothing is known from entry 99 of this file; the last entry with a known record is 3. ")
        == true)
  }

  @Test("of several files that had one path, the newest one that counts is explained")
  func severalFiles() throws {
    let night = try OverviewTests.night()
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      new,98,book,delivered,2026-11-10T12:00:00Z

      """, at: "deliveries/extra.csv")
    try night.run(asOf: "2026-11-21 03:00")
    let after = try #require(try Self.explain("deliveries/extra.csv:2", in: night).overview)
    #expect(
      after.sentence.hasPrefix("Line 2: delivery new of transaction 98. "), "\(after.sentence)")
    #expect(after.sentence.contains(": 1 delivery record, dated"), "\(after.sentence)")
    let other = after.facts.first { $0.section == "healthy" && $0.name == "deliveries/extra.csv" }
    #expect(other?.words?.hasPrefix("another file of this path, ") == true)
  }

  @Test("a file that was read again with another setting is explained with all its records")
  func readAgain() throws {
    let night = try TestNight()
    try night.put(
      """
      attempt,transaction_id,product_id,status,occurred_at
      d-1,1,book,delivered,2026-11-18T10:00:00Z

      """, at: "deliveries/a.csv")
    let receipts = [("1", "com.one"), ("2", "com.two")].map { transaction, bundle in
      """
      {"status":0,"receipt":{"bundle_id":"\(bundle)","in_app":[{"transaction_id":"\(transaction)",\
      "product_id":"book","purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}

      """
    }
    try night.put(receipts.joined(), at: "receipts/a.ndjson")
    night.settings.bundleIDs = ["com.one"]
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.deliveryColumns = ["delivery_id": "attempt"]
    night.settings.bundleIDs = ["com.one", "com.two"]
    try night.run(asOf: "2026-11-21 03:00")
    func expectAll() throws {
      for (name, words, held) in [
        ("deliveries/a.csv", "", "1 delivery record"),
        ("deliveries/a.csv:2", "Line 2: delivery d-1 of transaction 1. ", "1 delivery record"),
        ("receipts/a.ndjson", "", "2 documents, 2 pieces of evidence that came first here"),
      ] {
        let overview = try #require(try Self.explain(name, in: night).overview)
        #expect(
          overview.sentence == """
            \(words)\(overview.name) was loaded for the night of 2026-11-21T03:00:00Z: \(held), \
            dated on 2026-11-18T10:00:00Z.
            """)
        // What was rejected in the first night counts now, and the file is not beside itself.
        let sections = overview.facts.map(\.section)
        #expect(!sections.contains("rejected") && !sections.contains("healthy"))
      }
      for line in 1...2 {
        let told = try Self.explain("receipts/a.ndjson:\(line)", in: night).overview?.sentence
        #expect(told?.contains("evidence of transaction \(line)") == true, "\(told ?? "")")
      }
    }
    try expectAll()
    // A rebuild keeps all records under the first number of the file.
    try night.rebuild()
    try expectAll()
  }

  @Test("a file with acknowledgements has their number, and each line its finding")
  func acknowledgements() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    let names = try ["1 book", "2 book"].map { try night.name(of: $0) }
    try night.put(
      "finding,because,by\n\(names[0]),known,anna\n\(names[1]),known,anna\n",
      at: "acknowledgements/a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    for (line, words) in [("", ""), (":3", "Line 3: an acknowledgement of \(names[1]). ")] {
      #expect(
        try Self.explain("acknowledgements/a.csv\(line)", in: night).overview?.sentence
          == "\(words)acknowledgements/a.csv was loaded for the night of 2026-11-21T03:00:00Z: "
          + "2 acknowledgements.")
    }
  }

  @Test("a file of an app's log has what came first from it, of how many accounts, and the dates")
  func clientLog() throws {
    let night = try TestNight()
    let first = """
      product_id,state,transaction_date,transaction_id,account_id
      book,purchased,2026-11-10T12:00:00Z,7,carl

      """
    try night.put(first, at: "client/a.csv")
    try night.run(asOf: "2026-11-19 03:00")
    try night.put(
      first + "book,purchased,2026-11-11T12:00:00Z,8,dora\n"
        + "book,failed,2026-11-12T12:00:00Z,,anna\nbook,lost,2026-11-12T12:00:00Z,,anna\n",
      at: "client/b.csv")
    try night.put(
      "product_id,reported_at\nbook.ema,2026-11-13T12:00:00Z\n", at: "client/c.csv")
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      (
        "client/b.csv",
        "2 records of apps that came first here, 1 rejection, "
          + "dated 2026-11-11T12:00:00Z to 2026-11-12T12:00:00Z, of 2 accounts."
      ),
      ("client/c.csv", "1 record of apps that came first here, dated on 2026-11-13T12:00:00Z."),
    ] {
      let sentence = try #require(try Self.explain(name, in: night).overview?.sentence)
      #expect(sentence.hasSuffix(": \(words)"), "\(sentence)")
    }
  }

  @Test("a file that could not be read is known, with the reason")
  func unreadFile() throws {
    let night = try OverviewTests.night()
    try FileManager.default.createSymbolicLink(
      atPath: night.inbox.appending(path: "deliveries/out.csv").path,
      withDestinationPath: "/etc/passwd")
    try night.put(
      """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.reader","in_app":[\
      {"transaction_id":"1","original_transaction_id":"1","product_id":"book",\
      "purchase_date":"2026-11-10 10:00:00 Etc/GMT"}]}}

      """, at: "client/misplaced.ndjson")
    try night.run(asOf: "2026-11-21 03:00")
    let overview = try #require(try Self.explain("deliveries/out.csv", in: night).overview)
    #expect(overview.kind == .file && overview.facts.isEmpty)
    #expect(
      overview.sentence.hasPrefix(
        "deliveries/out.csv could not be used in the night of 2026-11-21T03:00:00Z (link_outside): "
      ),
      "\(overview.sentence)")
    // It could be read, but all of it was rejected.
    for (line, words) in [("", ""), (":1", "Nothing is known from line 1 of this file. ")] {
      let misplaced = try #require(
        try Self.explain("client/misplaced.ndjson\(line)", in: night).overview)
      #expect(
        misplaced.sentence == """
          \(words)client/misplaced.ndjson could not be used in the night of 2026-11-21T03:00:00Z (wrong_folder): \
          No record of this file fits client/; they belong in receipts/. Move the file.
          """)
      #expect(misplaced.facts.map(\.section) == ["rejected"])
    }
  }
}
