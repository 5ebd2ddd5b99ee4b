import Foundation
import NightRun
import ReconciliationTestSupport
import Testing

/// The record from a last line without a line end is removed when the file grows and the line
/// changes.
@Suite("Last lines without a line end")
struct OpenLinesTests {
  private static let asOf = "2026-11-20 03:00"

  /// A kind of log or archive.
  ///
  /// Each number gives another file, and all texts have the same length.
  private struct Form: Sendable {
    let path: String
    let text: @Sendable (String) -> String
  }

  private static let forms: [Form] = [
    Form(path: "deliveries/%.csv") { number in
      "delivery_id,transaction_id,product_id,status,occurred_at,bytes\r\n"
        + "a\(number),1\(number),book,delivered,2026-11-18T10:00:00Z,1234\r\n"
        + "b\(number),1\(number),book,failed,2026-11-18T10:00:01Z,56789\r\n"
        + "c\(number),1\(number),book,delivered,2026-11-18T10:00:02Z,17\r\n"
    },
    Form(path: "deliveries/%.quoted.csv") { number in
      "delivery_id,transaction_id,product_id,occurred_at,status,error\n"
        + "d\(number),2\(number),book,2026-11-18T10:00:00Z,failed,\"no \"\"room\"\",\nagain\"\n"
        + "e\(number),2\(number),book,2026-11-18T10:00:00Z,failed,out of room\n"
    },
    Form(path: "deliveries/%.ndjson") { number in
      (1...2).map { line in
        """
        {"delivery_id":"f\(line)\(number)","transaction_id":"3\(number)","product_id":"book",\
        "status":"delivered","occurred_at":"2026-11-18T10:00:00Z"}\n
        """
      }.joined()
    },
    Form(path: "client/%.csv") { number in
      "transaction_id,product_id,transaction_date,state,app_version\n"
        + "4\(number),book,2026-11-18T10:00:00Z,restored,1.2.3\n"
        + "5\(number),book,2026-11-18T10:00:00Z,purchased,1.2.4\n"
    },
    Form(path: "client/%.reports.csv") { number in
      "reported_at,app_version,account_id,product_id\n"
        + "2026-11-18T10:00:00Z,1,u,book.\(number)\n2026-11-18T10:00:00Z,1,u,bock.\(number).a\n"
    },
    Form(path: "receipts/%.ndjson") { number in
      (1...2).map { line in
        """
        {"status":0,"receipt":{"in_app":[{"transaction_id":"6\(line)\(number)","product_id":"book",\
        "purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}\n
        """
      }.joined()
    },
    Form(path: "receipts/%.csv") { number in
      let answer =
        "{\"\"status\"\":0,\"\"receipt\"\":{\"\"in_app\"\":[{\"\"transaction_id\"\":\"\"8\(number)\"\","
        + "\"\"product_id\"\":\"\"book\"\",\"\"purchase_date\"\":\"\"2026-11-18 10:00:00 Etc/GMT\"\"}]}}"
      return "id,payload,account_id\n1,\"\(answer)\",alice-1234\n"
    },
    Form(path: "receipts/%.json") { number in
      """
      {
      "status":0,"receipt":{"in_app":[
      {"transaction_id":"7\(number)","product_id":"book","purchase_date":"2026-11-18 10:00:00 Etc/GMT"}
      ]}
      }

      """
    },
  ]

  private static let tables = [
    "document", "evidence", "store_transaction", "delivery_record", "client_transaction",
    "client_invalid_product", "carried_log_hour", "carried_invalid_report",
    "carried_missing_delivery", "carried_revenue", "carried_total", "carried_due",
    "carried_source_hour", "carried_source_product", "carried_served", "open_record",
  ]

  /// The contents of the tables, without the file and line of each row.
  private func contents(_ night: TestNight) throws -> [String: String] {
    var contents: [String: String] = [:]
    for table in Self.tables {
      contents[table] = try night.database.draw(
        """
        select (to_jsonb(one) - \(numbersOfLoading))::text collate "C" as row
        from (select * from \(table)) as one
        order by 1
        """)
    }
    return contents
  }

  private func expectSame(_ one: TestNight, _ other: TestNight, _ note: String) throws {
    let expected = try contents(other)
    for (table, text) in try contents(one) { #expect(text == expected[table], "\(note): \(table)") }
    for report in ["missing_deliveries.csv", "invalid_product_ids.csv", "revenue.csv"] {
      #expect(try one.report(report) == other.report(report), "\(note): \(report)")
    }
  }

  @Test("after a past day's run takes a record back, the next night judges everything")
  func pastDay() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    let header = "delivery_id,transaction_id,product_id,status,occurred_at,device_id\n"
    let line = "d1,100,book,delivered,2026-11-10T09:00:00Z,dev-1"
    // The same line goes on in another file, whose record differs.
    try night.put(header + line, at: "deliveries/a.csv")
    try night.put(header + line + "2\n", at: "deliveries/b.csv")
    try night.run(asOf: "2026-11-20 03:00")
    try night.put(header + line + "2\n", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    let findings = try night.report("findings.csv")
    try night.recompute()
    #expect(try night.report("findings.csv") == findings)
    #expect(!findings.contains("conflicting_delivery"))
  }

  /// Puts the beginning of a file of each form into the inbox, for every step-th cut of the form.
  ///
  /// - Returns: The whole files.
  private func putCuts(
    each step: Int, into night: TestNight
  ) throws -> [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    for form in Self.forms {
      let length = form.text("0000").utf8.count
      for cut in stride(from: 1, to: length, by: step) {
        let number = String(10_000 + cut).dropFirst()
        let path = form.path.replacing("%", with: number)
        let text = form.text(String(number))
        try night.put(Data(text.utf8.prefix(cut)), at: path)
        files.append((path, text))
      }
    }
    return files
  }

  @Test("a file that was loaded in part, and again when it is complete, equals the whole file")
  func everyCut() throws {
    let growing = try TestNight()
    let whole = try TestNight()
    let files = try putCuts(each: 1, into: growing)
    try growing.run(asOf: Self.asOf)
    let open = try DrawnTableRows(growing, "select count(*) as n from open_record").rows[0][0]
    #expect(try #require(Int(open)) > 50, "many of the cuts leave a line that parses")
    for file in files {
      for night in [growing, whole] { try night.put(file.text, at: file.path) }
    }
    try growing.run(asOf: Self.asOf)
    try whole.run(asOf: Self.asOf)
    try expectSame(growing, whole, "grown")
  }

  @Test("recompute and rebuild change nothing after files were loaded in part and again")
  func rebuilt() throws {
    let night = try TestNight()
    let files = try putCuts(each: 7, into: night)
    try night.run(asOf: Self.asOf)
    #expect(
      try night.database.draw("select count(*) > 0 as is_cut from open_record") == "is_cut\nt")
    for file in files { try night.put(file.text, at: file.path) }
    try night.run(asOf: Self.asOf)
    #expect(try night.recompute().corrections == 0)
    let grown = try contents(night)
    try night.rebuild()
    #expect(try contents(night) == grown)
  }

  private static let header = "delivery_id,transaction_id,product_id,status,occurred_at,error\n"
  private static let start = "1,1,book,failed,2026-11-18T10:00:00Z,"

  private func errors(_ night: TestNight) throws -> [String] {
    try DrawnTableRows(night, "select coalesce(error, '-') from delivery_record order by 1").rows
      .map { $0[0] }
  }

  @Test("a file that was renamed and has grown is recognized by its inode")
  func renamed() throws {
    let night = try TestNight()
    try night.put(Self.header + Self.start + "out of", at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out of"])
    try rotate(night)
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out of room"])
  }

  /// Renames `log.csv` to `log.1.csv`, in place of the file there, and completes its last line.
  private func rotate(_ night: TestNight) throws {
    let log = night.inbox.appending(path: "deliveries/log.csv")
    let moved = night.inbox.appending(path: "deliveries/log.1.csv")
    try? FileManager.default.removeItem(at: moved)
    try FileManager.default.moveItem(at: log, to: moved)
    let handle = try FileHandle(forWritingTo: moved)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(" room\n".utf8))
    try handle.close()
  }

  @Test("a log that was rotated to the path of an earlier log is recognized by its inode")
  func rotated() throws {
    let night = try TestNight()
    let other = Self.start.dropFirst()
    try night.put("\(Self.header)2\(other)older", at: "deliveries/log.1.csv")
    try night.put(Self.header + Self.start + "out of", at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["older", "out of"])
    try rotate(night)
    try night.put("\(Self.header)3\(other)later than this\n", at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["later than this", "older", "out of room"])
    #expect(
      try DrawnTableRows(night, "select path from input_file where has_grown").rows
        == [["deliveries/log.csv"]])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a rotated log that begins like the files of its path and its inode has grown out of both")
  func grownOutOfBoth() throws {
    let night = try TestNight()
    try night.put(Self.header + Self.start + "out", at: "deliveries/log.1.csv")
    try night.put(Self.header + Self.start + "out of", at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out", "out of"])
    try rotate(night)
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out of room"])
  }

  @Test("a file with another beginning has not grown; the records of the earlier file still count")
  func replaced() throws {
    let night = try TestNight()
    try night.put(Self.header + Self.start + "out of", at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    try night.put(
      Self.header + "2" + Self.start.dropFirst() + "out of room\n" + Self.start + "x\n",
      at: "deliveries/log.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out of", "out of room", "x"])
  }

  @Test(
    "a record still counts if a line of another file has it, with or without a line end",
    arguments: ["", "\n"])
  func toldTwice(end: String) throws {
    for isFirst in [true, false] {
      let night = try TestNight()
      let path = isFirst ? "a" : "z"
      try night.put(Self.header + Self.start + "out of", at: "deliveries/m.csv")
      try night.put(
        Self.header + "\n" + Self.start + "out of" + end, at: "deliveries/\(path).csv")
      try night.run(asOf: Self.asOf)
      try night.put(Self.header + Self.start + "out of room\n", at: "deliveries/m.csv")
      try night.run(asOf: Self.asOf)
      #expect(try errors(night) == ["out of", "out of room"])
      try night.rebuild()
      #expect(try errors(night) == ["out of", "out of room"])
      // The other file grows as well. Then no file has the record any more.
      guard end.isEmpty else { continue }
      try night.put(
        Self.header + "\n" + Self.start + "out of room\n", at: "deliveries/\(path).csv")
      try night.run(asOf: Self.asOf)
      #expect(try errors(night) == ["out of room"])
    }
  }

  @Test("a line that gets its line end keeps its record and adds nothing new")
  func ended() throws {
    let night = try TestNight()
    try night.put(Self.header + Self.start + "out of room", at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    try night.put(Self.header + Self.start + "out of room\n", at: "deliveries/a.csv")
    let summary = try night.run(asOf: Self.asOf)
    #expect(counts("deliveries", summary) == [1, 0, 1, 0])
    #expect(try errors(night) == ["out of room"])
    #expect(try night.database.draw("select count(*) as n from open_record") == "n\n0")
  }

  @Test("judging follows: the delivery from a cut line does not count after the line has grown")
  func judged() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-17 10:00
      """)
    let lines =
      "occurred_at,delivery_id,transaction_id,status,product_id\n"
      + "2026-11-17T09:00:00Z,d0,0,delivered,book\n2026-11-17T10:01:00Z,d1,1,delivered,book"
    try night.put(lines, at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    #expect(try night.table("missing_deliveries.csv").rows.isEmpty)
    try night.put(lines + ".emma\n", at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    #expect(
      try night.table("missing_deliveries.csv").columns(["transaction_id", "reason"]).rows
        == [["1", "wrong_product"]])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a delivery from a cut line is no possible match after the line has grown")
  func possibleMatch() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      900            | book       | 2026-11-17 10:00 | a
      """)
    let lines =
      "occurred_at,delivery_id,transaction_id,status,product_id,account_id\n"
      + "2026-11-16T09:00:00Z,d0,0,failed,other,z\n2026-11-17T10:01:00Z,d1,777,delivered,book,a"
    try night.put(lines, at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    let columns = ["transaction_id", "possible_match_delivery_id"]
    #expect(try night.table("missing_deliveries.csv").columns(columns).rows == [["900", "d1"]])
    // The whole line names another account.
    try night.put(lines + "b\n", at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    #expect(try night.table("missing_deliveries.csv").columns(columns).rows == [["900", ""]])
    #expect(try night.recompute().corrections == 0)
  }

  @Test("a forgotten account does not keep the record of a grown line from being removed")
  func forgotten() throws {
    let night = try TestNight()
    let line =
      "delivery_id,transaction_id,product_id,status,occurred_at,account_id,error\n"
      + "1,1,book,failed,2026-11-18T10:00:00Z,anna,out"
    try night.put(line, at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    try night.forget("anna")
    try night.put(line + " of room\n", at: "deliveries/a.csv")
    try night.run(asOf: Self.asOf)
    #expect(try errors(night) == ["out of room"])
  }

  @Test(
    "an acknowledgement from a cut line is replaced by the one from the whole line",
    arguments: [false, true])
  func acknowledged(isRebuilt: Bool) throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: Self.asOf)
    let names = try ["1 book", "2 book"].map { try night.name(of: $0) }
    let lines = "finding,because,by\n\(names[0]),known,an"
    try night.put(lines, at: "acknowledgements/a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    let by = """
      select subject, status, acknowledged_by
      from finding
      left join acknowledgement
          on finding.finding_id = acknowledgement.finding_id
          and acknowledgement.ended_because is null
      where rule = 'missing_delivery'
      order by subject
      """
    try night.expect(
      query: by,
      gives: """
        subject | status       | acknowledged_by
        1 book  | acknowledged | an
        2 book  | open         |
        """)
    try night.put(lines + "na\n", at: "acknowledgements/a.csv")
    try night.run(asOf: "2026-11-22 03:00")
    try night.expect(
      query: by,
      gives: """
        subject | status       | acknowledged_by
        1 book  | acknowledged | anna
        2 book  | open         |
        """)
    // A line that has become unusable acknowledges nothing.
    try night.put("finding,because,by\n\(names[1]),known,bert", at: "acknowledgements/b.csv")
    try night.run(asOf: "2026-11-23 03:00")
    if isRebuilt { try night.rebuild() }
    try night.put("finding,because,by\n\(names[1]),known,bert,x\n", at: "acknowledgements/b.csv")
    try night.run(asOf: "2026-11-24 03:00")
    try night.expect(
      query: by,
      gives: """
        subject | status       | acknowledged_by
        1 book  | acknowledged | anna
        2 book  | reopened     |
        """)
  }
}
