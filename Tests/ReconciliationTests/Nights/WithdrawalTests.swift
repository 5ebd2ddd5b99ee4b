import Foundation
import Ledger
import NightRun
import Page
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Withdrawn files") struct WithdrawalTests {
  let asOf = "2026-11-20 03:00"

  private func records(_ night: TestNight) throws -> [String] {
    try DrawnTableRows(
      night, "select distinct delivery_id from delivery_record order by delivery_id"
    ).rows.map { $0[0] }
  }

  @Test("a withdrawn file counts until the rebuild, which every night asks for, and never again")
  func withdrawn() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/right.ndjson")
    try night.put(deliveryLines(3...5), at: "deliveries/wrong.ndjson")
    try night.run(asOf: asOf)
    let files = try night.withdraw("deliveries/wrong.ndjson")
    #expect(files.map(\.path) == ["deliveries/wrong.ndjson"])
    #expect(files[0].records.map(\.kind) == ["delivery records"])
    #expect(files[0].records.map(\.count) == [2])
    #expect(try night.run(asOf: asOf).warnings.contains { $0.contains("tieout rebuild") })
    #expect(try records(night).count == 5)

    #expect(try !night.rebuild().warnings.contains { $0.contains("tieout rebuild") })
    #expect(try records(night) == ["D1", "D2", "D3"])
    // The file is in the inbox and is not read. Another copy of it is known.
    try night.put(deliveryLines(3...5), at: "deliveries/copy.ndjson")
    let copied = try night.run(asOf: asOf)
    #expect(copied.unchangedFiles == 2)
    #expect(counts("files", copied) == [1, 0, 1, 0])
    #expect(try night.run(asOf: asOf).unchangedFiles == 3)
    #expect(try records(night) == ["D1", "D2", "D3"])
  }

  @Test("the page says that a withdrawn file still counts")
  func page() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/wrong.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    let words = "1 withdrawn file still counts until the tables are built again: tieout rebuild."
    #expect(try !night.report("index.html").contains(words))
    try night.withdraw("deliveries/wrong.ndjson")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try night.report("index.html").contains(words))
    try night.rebuild()
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try !night.report("index.html").contains(words))
  }

  @Test(
    "a withdrawn file is left out in every folder, also if it was withdrawn before it was loaded")
  func beforehand() throws {
    let night = try TestNight()
    let elsewhere = night.folder.appending(path: "wrong")
    try Data(deliveryLines(1...2).utf8).write(to: elsewhere)
    let files = try night.withdraw(elsewhere.path)
    #expect(files.map(\.needsRebuild) == [false])
    try night.put(deliveryLines(1...2), at: "deliveries/a.ndjson")
    try night.put(deliveryLines(1...2), at: "client/a.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [2, 0, 2, 0])
    #expect(summary.rejected == 0)
    #expect(try night.run(asOf: asOf).unchangedFiles == 2)
    #expect(try records(night).isEmpty)
  }

  @Test("a night says that a file was withdrawn in another folder, and after an undo it counts")
  func moved() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...2), at: "receipts/a.ndjson")
    try night.run(asOf: asOf)
    try night.withdraw("receipts/a.ndjson")
    try FileManager.default.moveItem(
      at: night.inbox.appending(path: "receipts/a.ndjson"),
      to: night.inbox.appending(path: "deliveries/a.ndjson"))
    let words = "deliveries/a.ndjson does not count, because the same bytes were withdrawn"
    #expect(try night.run(asOf: asOf).warnings.contains { $0.hasPrefix(words) })
    #expect(try !night.run(asOf: asOf).warnings.contains { $0.contains("deliveries/a.ndjson") })
    try night.undoWithdrawal("deliveries/a.ndjson")
    try night.run(asOf: asOf)
    #expect(try records(night) == ["D1", "D2"])
  }

  @Test("after the withdrawal is undone, the next night or the next rebuild loads the file again")
  func undone() throws {
    let rebuilt = try TestNight()
    try rebuilt.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try rebuilt.run(asOf: asOf)
    try rebuilt.withdraw("deliveries/a.ndjson")
    try rebuilt.rebuild()
    #expect(try records(rebuilt).isEmpty)
    for rebuilds in [false, true] {
      let night = try TestNight(copyOf: rebuilt)
      #expect(try night.undoWithdrawal("deliveries/a.ndjson").map(\.isChanged) == [true])
      #expect(try night.undoWithdrawal("deliveries/a.ndjson").map(\.isChanged) == [false])
      if rebuilds { try night.rebuild() } else { try night.run(asOf: asOf) }
      #expect(try records(night).count == 3)
      try night.rebuild()
      #expect(try records(night).count == 3)
    }
  }

  @Test("withdrawing a path withdraws all versions of a grown file; a SHA-256 withdraws only one")
  func grown() throws {
    let first = try TestNight()
    for last in 1...3 {
      try first.put(deliveryLines(1...last), at: "deliveries/a.ndjson")
      try first.run(asOf: asOf)
    }
    let newest = try DrawnTableRows(
      first, "select encode(sha256, 'hex') as sha256 from input_file order by file_id desc"
    ).rows[0][0]
    for bySHA256 in [false, true] {
      let night = try TestNight(copyOf: first)
      let files = try night.withdraw(bySHA256 ? String(newest.prefix(8)) : "deliveries/a.ndjson")
      #expect(files.count == (bySHA256 ? 1 : 3))
      try night.rebuild()
      #expect(try records(night) == (bySHA256 ? ["D1", "D2"] : []))
    }
  }

  @Test("a compressed file that was cut off is not withdrawn with the complete file of its name")
  func cutOff() throws {
    let night = try TestNight()
    let whole = try gzipMember(Array(deliveryLines(1...3).utf8))
    let log = try gzipMember(Array(deliveryLines(4...4).utf8))
    try night.put(Data(whole.dropLast(8)), at: "deliveries/a.gz")
    try night.put(Data(log), at: "deliveries/log.gz")
    try night.run(asOf: asOf)
    try night.put(Data(whole), at: "deliveries/a.gz")
    try night.put(Data(log + gzipMember(Array(deliveryLines(5...5).utf8))), at: "deliveries/log.gz")
    try night.run(asOf: asOf)
    let contents = try DrawnTableRows(
      night,
      """
      select left(encode(sha256, 'hex'), 16) as sha256 from input_file
      where path = 'deliveries/a.gz' order by file_id
      """
    ).rows.map { $0[0] }
    try #require(contents.count == 2)
    #expect {
      try night.withdraw("deliveries/a.gz")
    } throws: { error in
      (error as? ReconciliationError)?.code == .unknown
        && contents.allSatisfy { "\(error)".contains($0) }
    }
    try night.withdraw(contents[0])
    // A log that grew by a whole part is withdrawn with its earlier state.
    #expect(try night.withdraw("deliveries/log.gz").count == 2)
    try night.rebuild()
    #expect(try records(night) == ["D1", "D2", "D3"])
  }

  @Test("another file with the same first bytes is not withdrawn; a log that was renamed is")
  func sameStart() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...2), at: "deliveries/monday.ndjson")
    try night.run(asOf: asOf)
    try night.put(deliveryLines(1...3), at: "deliveries/tuesday.ndjson")
    try night.run(asOf: asOf)
    let tuesday = try night.withdraw("deliveries/tuesday.ndjson")
    #expect(tuesday.map(\.path) == ["deliveries/tuesday.ndjson"])
    try night.rebuild()
    #expect(try records(night) == ["D1", "D2"])
    // The log is rotated while it is written, so it keeps its inode. A night notes the inode.
    try night.run(asOf: asOf)
    let monday = night.inbox.appending(path: "deliveries/monday.ndjson")
    let rotated = night.inbox.appending(path: "deliveries/monday.ndjson.1")
    try FileManager.default.moveItem(at: monday, to: rotated)
    let file = try FileHandle(forWritingTo: rotated)
    try file.seekToEnd()
    try file.write(contentsOf: Data(deliveryLines(4...4).utf8))
    try file.close()
    try night.run(asOf: asOf)
    #expect(try records(night) == ["D1", "D2", "D4"])
    #expect(try night.withdraw("deliveries/monday.ndjson.1").count == 2)
    try night.rebuild()
    #expect(try records(night).isEmpty)
  }

  @Test("a withdrawal with an unknown or ambiguous name is refused")
  func named() throws {
    let night = try TestNight()
    // Two files, one after the other, with the same name.
    try night.put(deliveryLines(1...1), at: "deliveries/a.ndjson")
    try night.run(asOf: asOf)
    try night.put(deliveryLines(2...2), at: "deliveries/a.ndjson")
    try night.run(asOf: asOf)
    for name in [
      "deliveries/b.ndjson", "deliveries/a.ndjson", "1234567", "12345678", "zzzzzzzzzz",
    ] {
      #expect {
        try night.withdraw(name)
      } throws: { error in
        (error as? ReconciliationError)?.code == .unknown && "\(error)".contains(name)
      }
    }
    #expect(try night.database.draw("select count(*) as n from withdrawal") == "n\n0")
  }

  @Test(
    "a rebuild needs every file that is not withdrawn; without one it fails and changes nothing")
  func missing() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.put(deliveryLines(4...5), at: "deliveries/b.ndjson")
    try night.put("[\"book.emma\"]", at: "catalog/a.json")
    try night.run(asOf: asOf)
    try FileManager.default.removeItem(at: night.inbox.appending(path: "deliveries/a.ndjson"))
    let archive = night.folder.appending(path: "archive/2026/11")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: night.inbox.appending(path: "catalog/a.json"), to: archive.appending(path: "any name"))
    do {
      try night.rebuild()
      Issue.record("It was rebuilt without its files.")
    } catch let error as MissingFiles {
      #expect(error.files.map(\.path) == ["catalog/a.json", "deliveries/a.ndjson"])
      #expect(error.files.map(\.bytes) == [13, Int64(deliveryLines(1...3).utf8.count)])
    }
    #expect(try records(night).count == 5)
    try night.withdraw("deliveries/a.ndjson")
    try night.rebuild(archives: [night.folder.appending(path: "archive")])
    #expect(try records(night) == ["D4", "D5"])
    #expect(try night.database.draw("select product_id from product") == "product_id\nbook.emma")
  }

  @Test("a file of which no record was used stops counting at once, without a rebuild")
  func unused() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/right.ndjson")
    let wrong: [(path: String, text: String)] = [
      ("catalog/a.json", "[\"\"]"), ("deliveries/a.csv.gz", "not gzip"),
      ("deliveries/a.ndjson", "{\"delivery_id\":\"D1\"}\n{}\n"),
      ("deliveries/own.csv", "id,tx\nD1,1\n"),
    ]
    let paths = wrong.map(\.path)
    for (path, text) in wrong { try night.put(text, at: path) }
    func rejected(_ day: String) throws -> [String] {
      try night.run(asOf: "\(day) 03:00")
      let rows = try night.table("rejected_records.csv", day: day).columns(["file"]).rows
      return Set(rows.joined()).sorted()
    }
    #expect(try rejected("2026-11-20") == paths)
    for path in paths {
      let files = try night.withdraw(path)
      #expect(files.map(\.needsRebuild) == [false], "\(path)")
      #expect(files.map(\.wasUnused) == [true], "\(path)")
      #expect(try night.withdraw(path).map(\.wasUnused) == [false], "\(path)")
    }

    // The same night judged again, the next one, a rebuild, and the night after that say the same.
    let summaries = try [
      night.recompute(), night.run(asOf: "2026-11-21 03:00"), night.rebuild(),
      night.run(asOf: "2026-11-22 03:00"),
    ]
    for summary in summaries {
      #expect(!summary.warnings.contains { $0.contains("tieout rebuild") })
      #expect(summary.comparison.unreadFileCount == 0)
    }
    #expect(try records(night) == ["D1", "D2", "D3"])

    for path in paths {
      #expect(try night.undoWithdrawal(path).map(\.needsRebuild) == [false], "\(path)")
    }
    #expect(try rejected("2026-11-23") == paths)
  }

  @Test("a file of which a record was used in another folder counts until the rebuild")
  func usedElsewhere() throws {
    let night = try TestNight()
    for folder in ["client", "deliveries"] {
      try night.put(deliveryLines(1...2), at: "\(folder)/a.ndjson")
    }
    try night.run(asOf: asOf)
    #expect(try night.withdraw("client/a.ndjson").map(\.needsRebuild) == [true])
    #expect(try night.run(asOf: asOf).warnings.contains { $0.contains("tieout rebuild") })
    #expect(try records(night) == ["D1", "D2"])
  }

  @Test("a rebuild does not need the earlier content of a corrected file that had no record")
  func corrected() throws {
    let night = try TestNight()
    let files: [(path: String, wrong: String, at: String)] = [
      ("catalog/1/a.json", "not gzip", "catalog/1/a.json.gz"),
      ("catalog/2/a.json", "[\"\"]", "catalog/2/a.json"),
      ("deliveries/3/a", "no\nlog\n", "deliveries/3/a"),
      ("deliveries/4/a.csv", "delivery_id,status\nD1,failed\n", "deliveries/4/a.csv"),
      ("deliveries/5/a.csv", "", "deliveries/5/a.csv"),
      ("deliveries/6/a.ndjson", "{\"status\":0,\"receipt\":{}}\n", "deliveries/6/a.ndjson"),
      ("deliveries/7/a.ndjson", "{\"delivery_id\":\"D1\"}\n{}\n", "deliveries/7/a.ndjson"),
    ]
    for file in files { try night.put(file.wrong, at: file.at) }
    try night.run(asOf: asOf)
    for (place, file) in files.enumerated() {
      try FileManager.default.removeItem(at: night.inbox.appending(path: file.at))
      let right =
        file.path.hasPrefix("catalog")
        ? "[\"book.\(place)\"]" : deliveryLines((10 * place)...(10 * place + 1))
      try night.put(right, at: file.path)
    }
    try night.run(asOf: asOf)
    try night.rebuild()
    #expect(
      try records(night) == (2...6).flatMap { ["D\(10 * $0)", "D\(10 * $0 + 1)"] })
    // The corrected files have records, so they are needed.
    for file in files {
      try FileManager.default.removeItem(at: night.inbox.appending(path: file.path))
    }
    let error = #expect(throws: MissingFiles.self) { try night.rebuild() }
    #expect(error?.files.map(\.path).sorted() == files.map(\.path))
  }

  @Test(
    "the findings of the withdrawn file alone are resolved; other findings keep their first day")
  func lives() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook.emma")
    for (name, id, day) in [("right", "101", "18"), ("wrong", "102", "19")] {
      try night.put(
        """
        {"environment":"Production","status":0,"receipt":{"bundle_id":"com.example.reader","in_app":[\
        {"transaction_id":"\(id)","original_transaction_id":"\(id)","product_id":"book.\(name)",\
        "purchase_date":"2026-11-17 10:00:00 Etc/GMT","quantity":"1"}]}}\n
        """, at: "receipts/\(name).json")
      try night.run(asOf: "2026-11-\(day) 03:00")
    }
    try night.withdraw("receipts/wrong.json")
    try night.rebuild()
    #expect(
      try night.database.draw(
        """
        select
            finding.subject, finding.status, finding.first_flagged_on::text as first_flagged_on,
            string_agg(finding_event.event, ', ' order by finding_event.run_id) as life
        from finding
        inner join finding_event using (finding_id)
        where finding.rule = 'invalid_product_id'
        group by finding.finding_id
        order by finding.subject
        """)
        == DrawnTable(
          """
          subject            | status   | first_flagged_on | life
          book.right unknown | open     | 2026-11-18       | opened
          book.wrong unknown | resolved | 2026-11-19       | opened, resolved
          """
        ).text)
  }
}
