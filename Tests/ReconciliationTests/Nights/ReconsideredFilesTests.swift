import Configuration
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("Files with records that a setting rejected")
struct ReconsideredFilesTests {
  @Test("a file is read again when the setting has changed; its loaded records stay known")
  func bundles() throws {
    let night = try TestNight()
    try night.put(
      "\(receipt("1", bundle: "com.one"))\n\(receipt("2", bundle: "com.two"))\n",
      at: "receipts/a.ndjson")
    night.settings.bundleIDs = ["com.one"]
    let first = try night.run(asOf: "2026-11-20 03:00")
    #expect(documents(first) == [2, 1, 0, 1])
    #expect(documents(try night.run(asOf: "2026-11-20 03:00")) == [0, 0, 0, 0])

    night.settings.bundleIDs = ["com.one", "com.two"]
    let second = try night.run(asOf: "2026-11-21 03:00")
    #expect(documents(second) == [2, 1, 1, 0])
    #expect(second.transactions == 2)
    #expect(documents(try night.run(asOf: "2026-11-21 03:00")) == [0, 0, 0, 0])
    func warns(_ summary: Summary) -> Bool {
      summary.warnings.contains { $0.contains("bundle_ids has changed since run ") }
    }
    #expect(!warns(first) && warns(second))

    // No record of the file is rejected any more, so changing the setting back changes nothing.
    night.settings.bundleIDs = ["com.one"]
    let third = try night.run(asOf: "2026-11-22 03:00")
    #expect(documents(third) == [0, 0, 0, 0])
    #expect(third.transactions == 2 && warns(third))
    #expect(try !warns(night.run(asOf: "2026-11-22 03:00")))
    #expect(try night.database.draw("select count(*) as n from input_file") == "n\n2")
    // A rebuild reads all files with the settings of now.
    let rebuilt = try night.rebuild()
    #expect(rebuilt.transactions == 1 && !warns(rebuilt))
  }

  /// Each of three steps has the right or the wrong setting; the later ones are rebuilds or not.
  ///
  /// All combinations are tried. Those that begin in the same way share these steps.
  @Test(
    "after any nights and rebuilds with a wrong setting, a night with the right one has everything",
    arguments: [false, true], [false, true])
  func rebuilds(isFirstRight: Bool, isSecondRight: Bool) throws {
    let night = try TestNight()
    try night.put(receipt("1", bundle: "com.one") + "\n", at: "receipts/a.ndjson")
    let first = try step(0, isRight: isFirstRight, isRebuild: false, on: night, after: 0)
    for isSecondRebuild in [false, true] {
      let again = try TestNight(copyOf: night)
      let second = try step(
        1, isRight: isSecondRight, isRebuild: isSecondRebuild, on: again, after: first)
      for isThirdRight in [false, true] {
        for isThirdRebuild in [false, true] {
          let third = try TestNight(copyOf: again)
          _ = try step(
            2, isRight: isThirdRight, isRebuild: isThirdRebuild, on: third, after: second)
          third.settings.bundleIDs = ["com.one"]
          let last = try third.run(asOf: "2026-11-23 03:00")
          #expect(last.transactions == 1 && last.rejected == 0)
          guard isThirdRebuild, !isThirdRight else { continue }
          #expect(try third.run(asOf: "2026-11-24 03:00").unchangedFiles == 1)
        }
      }
    }
  }

  /// Runs one step after steps that counted transactions, and returns how many it counts.
  private func step(
    _ number: Int, isRight: Bool, isRebuild: Bool, on night: TestNight, after counted: Int
  ) throws -> Int {
    night.settings.bundleIDs = [isRight ? "com.one" : "com.two"]
    let summary =
      isRebuild ? try night.rebuild() : try night.run(asOf: "2026-11-2\(number) 03:00")
    if summary.transactions < counted {
      #expect(isRebuild && summary.rejected == 1)
      #expect(
        try night.table("rejected_records.csv").columns(["reason"]).rows
          .contains(["foreign_bundle"]))
    }
    return summary.transactions
  }

  @Test("a rejection that several rebuilds repeat is new once, and listed once")
  func repeated() throws {
    let night = try TestNight()
    let other = receipt("1", bundle: "com.three")
    let ours = receipt("2", bundle: "com.one")
    try night.put("\(other)\n\(ours)\n", at: "receipts/a.ndjson")
    try night.put("\(other)\n", at: "receipts/b.ndjson")
    func rebuilds(_ times: Int, bundle: String) throws -> [Int64] {
      night.settings.bundleIDs = [bundle]
      return try (0..<times).map { _ in try night.rebuild().rejectedForTheFirstTime }
    }
    func rows() throws -> [[String]] {
      try night.table("rejected_records.csv").columns(["file", "line"]).rows
    }
    night.settings.bundleIDs = ["com.one"]
    #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 2)
    #expect(try rebuilds(3, bundle: "com.two") == [1, 0, 0])
    #expect(try rebuilds(2, bundle: "com.four") == [0, 0])
    #expect(
      try rows() == [
        ["receipts/a.ndjson", "1"], ["receipts/a.ndjson", "2"], ["receipts/b.ndjson", "1"],
      ])
    // A record that counted in between is new again; the others are not.
    #expect(try rebuilds(2, bundle: "com.one") == [0, 0])
    #expect(try rebuilds(2, bundle: "com.four") == [1, 0])
    #expect(try rows().count { $0 == ["receipts/a.ndjson", "2"] } == 2)
    #expect(try rows().count == 4)
    night.settings.bundleIDs = ["com.one", "com.three"]
    #expect(try night.run(asOf: "2026-11-21 03:00").transactions == 2)
  }

  @Test("receipts are read again when receipt_columns or document_limit has changed")
  func receipts() throws {
    let night = try TestNight()
    let quoted = receipt("1", bundle: "b").replacing("\"", with: "\"\"")
    try night.put(
      "id,user_id,payload,created_at\n17,a-17,\"\(quoted)\",2026-11-19T03:04:05Z\n",
      at: "receipts/table.csv")
    let long = String(repeating: "y", count: 2000)
    try night.put(
      receipt("2", bundle: "b").dropLast() + ",\"x\":\"\(long)\"}\n", at: "receipts/large.ndjson")
    night.settings.receiptColumns = ["received_at": "user_id"]
    night.settings.documentLimitBytes = 1024
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.table("rejected_records.csv").columns(["reason"]).rows
        == [["too_large"], ["bad_date"]])
    night.settings.receiptColumns = ["account_id": "user_id", "received_at": "created_at"]
    night.settings.documentLimitBytes = 1 << 24
    let second = try night.run(asOf: "2026-11-21 03:00")
    #expect(documents(second) == [2, 2, 0, 0])
    #expect(
      second.warnings.contains {
        $0.contains("document_limit, receipt_columns have changed since run 1")
      })
  }

  @Test("a file that was rejected as a whole is read again too, even if it has several copies")
  func columns() throws {
    let night = try TestNight()
    let log = """
      attempt,transaction_id,product_id,status,occurred_at
      d1,1,book,delivered,2026-11-18T10:00:00Z

      """
    try night.put(log, at: "deliveries/a.csv")
    try night.put(log, at: "deliveries/b.csv")
    #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 1)
    night.settings.deliveryColumns = ["delivery_id": "attempt"]
    let second = try night.run(asOf: "2026-11-21 03:00")
    #expect(second.rejected == 0)
    #expect(
      second.lines.first { $0.kind == "files" }.map { [$0.read, $0.new, $0.alreadyKnown] }
        == [2, 1, 1])
    #expect(try night.database.draw("select delivery_id from delivery_record") == "delivery_id\nd1")
  }

  @Test("deliveries with other names are read again when the names are mapped, in CSV and NDJSON")
  func ownNames() throws {
    let night = try TestNight()
    let logs = [
      (
        """
        {"id":"a1","txn":"1","item":"book","status":"delivered","time":"2026-11-18T10:00:00Z"}
        {"id":"a2","txn":"2","item":"book","status":"failed","time":"2026-11-18T10:00:00Z"}

        """, ["missing_field", "missing_field"]
      ),
      (
        "id,txn,item,status,time\nb1,1,book,delivered,2026-11-18T10:00:00Z\n"
          + "b2,2,book,failed,2026-11-18T10:00:00Z\n", ["missing_column"]
      ),
      // Its column names are also those of a client's log, but it is a delivery log.
      (
        "id,txn,item,product_id,state,status,transaction_date,time\n"
          + "c1,1,book,x,y,delivered,,2026-11-18T10:00:00Z\n"
          + "c2,2,book,x,y,failed,,2026-11-18T10:00:00Z\n", ["wrong_folder"]
      ),
      // Names that exist, with the values of other columns.
      (
        """
        {"id":"d1","delivery_id":"d1","txn":"1","transaction_id":"a b","item":"book","product_id":"x",\
        "status":"delivered","occurred_at":"2026-11-18T10:00:00Z","time":"2026-11-18T10:00:00Z"}
        {"id":"d2","delivery_id":"d2","txn":"2","transaction_id":"2","item":"book","product_id":"x",\
        "status":"failed","occurred_at":"yesterday","time":"2026-11-18T10:00:00Z"}

        """, ["bad_identifier", "bad_date"]
      ),
    ]
    for (place, (log, _)) in logs.enumerated() { try night.put(log, at: "deliveries/\(place)") }
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.table("rejected_records.csv").columns(["file", "reason"]).rows
        == logs.enumerated().flatMap { place, log in
          log.1.map { ["deliveries/\(place)", $0] }
        })
    night.settings.deliveryColumns = [
      "delivery_id": "id", "transaction_id": "txn", "product_id": "item", "occurred_at": "time",
    ]
    let second = try night.run(asOf: "2026-11-21 03:00")
    #expect(second.rejected == 0)
    try night.expect(
      query: "select delivery_id, status from delivery_record order by 1",
      gives: "delivery_id | status\n"
        + ["a", "b", "c", "d"].map { "\($0)1 | delivered\n\($0)2 | failed" }
        .joined(separator: "\n"))
    #expect(try night.run(asOf: "2026-11-22 03:00").unchangedFiles == 4)
  }

  @Test("a file is not read again when another setting has changed")
  func otherSetting() throws {
    let night = try TestNight()
    try night.put("\(receipt("1", bundle: "com.two"))\n", at: "receipts/a.ndjson")
    night.settings.bundleIDs = ["com.one"]
    #expect(try night.run(asOf: "2026-11-20 03:00").rejected == 1)
    night.settings.graceHours = 48
    night.settings.documentLimitBytes = 1 << 20
    night.settings.deliveryColumns = ["server": "host"]
    #expect(try night.run(asOf: "2026-11-21 03:00").unchangedFiles == 1)
  }

  private func receipt(_ transaction: String, bundle: String) -> String {
    """
    {"status":0,"receipt":{"bundle_id":"\(bundle)","in_app":[{"transaction_id":"\(transaction)",\
    "product_id":"book","purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}
    """
  }

  private func documents(_ summary: Summary) -> [Int64] {
    summary.lines.first { $0.kind == "documents" }
      .map { [$0.read, $0.new, $0.alreadyKnown, $0.rejected] } ?? []
  }
}
