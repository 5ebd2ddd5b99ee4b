import Intake
import Testing

@Suite("Reports of apps")
struct ClientTests {
  static let queueHeader = "transaction_id,product_id,state,transaction_date"
  static let reportHeader = "product_id,reported_at,app_version"
  static let time = "2026-11-19T03:04:05Z"
  static let queueColumns =
    "line environment transaction_id original_transaction_id product_id state occurred_at account_id "
    + "device_id app_version"
  static let reportColumns = "line product_id reported_at app_version account_id device_id"

  @Test("the columns of a queue log can be in any order, and unknown columns are ignored")
  func queueLog() throws {
    let staged = try stage(
      "sep=;\r\ncolour; state ;app_version;transaction_date;device_id;product_id;account_id;"
        + "transaction_id;original_transaction_id;environment;reported_at\r\n"
        + "red;restored;2.1;2026-11-19T04:04:05.9+01:00;d 1;a;u 1;2;1;ProductionSandbox;\r\n"
        + ";failed;;2026-11-19T03:04:05Z;;\"a;b\";;;;;x\r\n", in: .client)
    #expect(
      Staged.drawn(staged.clientTransactions, Self.queueColumns) == [
        "3 | Sandbox | 2 | 1 | a | restored | 2026-11-19T03:04:05Z | u 1 | d 1 | 2.1",
        "4 | - | - | - | a;b | failed | 2026-11-19T03:04:05Z | - | - | -",
      ])
    #expect(staged.clientInvalidProducts.isEmpty && staged.rejections.isEmpty)
  }

  @Test("a header with reported_at and without a queue's columns is for invalid identifiers")
  func invalidProducts() throws {
    let staged = try stage(
      "device_id,reported_at,product_id,app_version,transaction_id\n"
        + "d1,2026-11-19T03:04:05Z,com.example.x y,2.1,7\n,2026-11-19T03:04:05Z,a,,\n", in: .client)
    #expect(
      Staged.drawn(staged.clientInvalidProducts, Self.reportColumns) == [
        "2 | com.example.x y | 2026-11-19T03:04:05Z | 2.1 | - | d1",
        "3 | a | 2026-11-19T03:04:05Z | - | - | -",
      ])
    #expect(staged.clientTransactions.isEmpty && staged.rejections.isEmpty)
  }

  @Test(
    "in joined files, each header row shows the kind of the rows below it, with any size of block",
    arguments: [
      "product_id,app_version,reported_at,device_id\nbooq,5.0,\(time),\n"
        + "product_id,reported_at,\(time),\n",
      "reported_at,product_id\n\(time),booq\n\(time),product_id\n",
    ])
  func joined(reports: String) throws {
    // A record can have the names of columns as values.
    let queue =
      "product_id,state,transaction_date,app_version\nbook,failed,\(Self.time),5.0\n"
      + "product_id,deferred,\(Self.time),reported_at\n"
    for (text, queueLine, reportLine) in [(queue + reports, 2, 5), (reports + queue, 5, 2)] {
      for blockBytes in [7, 64, 1 << 20] {
        let staged = try stage(text, in: .client, IntakeSettings(blockBytes: blockBytes))
        #expect(
          Staged.drawn(staged.clientTransactions, "line product_id state")
            == ["\(queueLine) | book | failed", "\(queueLine + 1) | product_id | deferred"])
        #expect(
          Staged.drawn(staged.clientInvalidProducts, "line product_id")
            == ["\(reportLine) | booq", "\(reportLine + 1) | product_id"])
        #expect(staged.rejections.isEmpty)
      }
    }
  }

  @Test(
    "no row is read below a header row of any kind that lacks a column",
    arguments: [
      (reportHeader, "reported_at,app_version,device_id", "lacks product_id."),
      (reportHeader, "transaction_id,product_id,state", "lacks transaction_date."),
      (queueHeader, "product_id,REPORTED_AT,app_version", "reported_at instead of REPORTED_AT."),
    ])
  func joinedWithoutColumn(first: String, second: String, words: String) throws {
    let staged = try stage("\(first)\n\(second)\n7,a,failed\n", in: .client)
    #expect(staged.clientTransactions.isEmpty && staged.clientInvalidProducts.isEmpty)
    #expect(staged.reasons == ["- | file | missing_column"])
    let detail = try #require(staged.rejections[0]["detail"])
    #expect(detail.hasPrefix("Line 2 names columns again") && detail.contains(words), "\(detail)")
  }

  @Test("each line of NDJSON shows its kind, and gives the same row as CSV")
  func ndjson() throws {
    let json = try stage(
      #"{"transaction_id":7,"product_id":"a","state":"purchased","#
        + #""transaction_date":"2026-11-19T03:04:05Z","reported_at":null,"other":[1]}"# + "\n"
        + #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z","app_version":"1","#
        + #""state":null,"transaction_date":""}"# + "\n", in: .client)
    let queue = try stage(
      Self.queueHeader + "\n7,a,purchased,2026-11-19T03:04:05Z\n", in: .client)
    let reports = try stage(Self.reportHeader + "\na,2026-11-19T03:04:05Z,1\n", in: .client)
    #expect(json.rejections.isEmpty)
    for (one, other) in [
      (json.clientTransactions, queue.clientTransactions),
      (json.clientInvalidProducts, reports.clientInvalidProducts),
    ] {
      #expect(one.count == 1)
      #expect(
        Staged.drawn(one, "content_hash product_id")
          == Staged.drawn(other, "content_hash product_id"))
    }
  }

  @Test("only a purchased or restored transaction must have an identifier")
  func transactionNames() throws {
    for state in ["purchased", "restored", "failed", "deferred"] {
      let staged = try stage(
        Self.queueHeader + "\n,a,\(state),2026-11-19T03:04:05Z\n", in: .client)
      let isNeeded = state == "purchased" || state == "restored"
      #expect(staged.reasons == (isNeeded ? ["2 | client | missing_field"] : []))
      #expect(staged.clientTransactions.count == (isNeeded ? 0 : 1))
    }
  }

  @Test(
    "an entry that cannot be used is rejected alone",
    arguments: [
      ("1,,purchased,2026-11-19T03:04:05Z", "missing_field"),
      ("1,a,,2026-11-19T03:04:05Z", "missing_field"), ("1,a,purchased,", "missing_field"),
      ("1 2,a,purchased,2026-11-19T03:04:05Z", "bad_identifier"),
      ("1,a\u{1},purchased,2026-11-19T03:04:05Z", "bad_identifier"),
      ("1,a,Purchased,2026-11-19T03:04:05Z", "bad_state"),
      ("1,a,purchasing,2026-11-19T03:04:05Z", "bad_state"),
      ("1,a,purchased,1763519045000", "bad_date"),
      ("1,a,purchased,2026-11-19T03:04:05Z,more", "malformed_csv"),
    ])
  func rejectedEntry(row: String, reason: String) throws {
    let good = "\n9,a,restored,2026-11-19T03:04:05Z\n"
    let staged = try stage(Self.queueHeader + "\n" + row + good, in: .client)
    #expect(staged.reasons == ["2 | client | \(reason)"])
    #expect(staged.rejections[0]["raw"] == row)
    #expect(Staged.drawn(staged.clientTransactions, "line transaction_id") == ["3 | 9"])
  }

  @Test(
    "a JSON record that cannot be used is rejected alone",
    arguments: [
      (#"{"product_id":"a"}"#, "missing_field"), (#"{"state":"failed"}"#, "missing_field"),
      (#"{"product_id":"a","reported_at":"yesterday"}"#, "bad_date"),
      (#"{"reported_at":"2026-11-19T03:04:05Z"}"#, "missing_field"),
      (#"{"product_id":[],"reported_at":"2026-11-19T03:04:05Z"}"#, "bad_text"),
      (
        #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z","app_version":"\u0000"}"#,
        "bad_text"
      ),
      (#"{"product_id":"a","Reported_At":"2026-11-19T03:04:05Z"}"#, "missing_field"),
      (#"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z","DeviceID":"d"}"#, "missing_field"),
      ("[1]", "malformed_json"), ("{", "malformed_json"),
    ])
  func rejectedJSON(line: String, reason: String) throws {
    let good = #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z"}"# + "\n"
    let staged = try stage(good + line + "\n" + good, in: .client)
    #expect(staged.reasons == ["2 | client | \(reason)"])
    #expect(staged.clientInvalidProducts.count == 2)
    guard line.contains("Reported_At") else { return }
    #expect(
      staged.rejections[0]["detail"]?.contains("Write reported_at instead of Reported_At.") == true)
  }

  @Test(
    "a header that cannot be used rejects the file",
    arguments: [
      ("transaction_id,product_id,state\n", "lacks transaction_date."),
      ("product_id,app_version\n", "lacks state, transaction_date."),
      ("reported_at,app_version\n", "lacks product_id."),
      (reportHeader.replacing(",", with: ";") + "\n", "sep=;"),
      (
        "Product_ID,Reported_At\n",
        "Write product_id instead of Product_ID, reported_at instead of Reported_At."
      ),
      ("\(queueHeader),Environment\n", "Write environment instead of Environment."),
    ])
  func badHeader(text: String, words: String) throws {
    let staged = try stage(text, in: .client)
    #expect(staged.reasons == ["- | file | missing_column"])
    #expect(staged.rejections[0]["detail"]?.contains(words) == true)
  }

  @Test("the folder decides if a column of a delivery has the name of a client's column")
  func mappedNames() throws {
    let settings = IntakeSettings(
      deliveryColumns: [
        "delivery_id": "id", "status": "state", "occurred_at": "transaction_date",
      ])
    let delivery =
      #"{"id":"d","transaction_id":"1","product_id":"a","state":"failed","#
      + #""transaction_date":"2026-11-19T03:04:05Z"}"#
    let entry = delivery.replacing(#""id":"d","#, with: "")
    #expect(try stage(delivery, in: .deliveries, settings).deliveries.count == 1)
    #expect(try stage(entry, in: .client, settings).clientTransactions.count == 1)
    let row = "1,a,failed,2026-11-19T03:04:05Z\n"
    #expect(
      try stage(Self.queueHeader + "\n" + row, in: .client, settings).clientTransactions.count == 1)
    #expect(
      try stage("id,\(Self.queueHeader)\nd,\(row)", in: .deliveries, settings).deliveries.count == 1
    )
  }

  @Test("a log that is cut anywhere loses at most its last record")
  func anyTruncation() throws {
    let rows = (0..<8).map { "\($0),\"a\($0)\",restored,2026-11-19T03:04:0\($0)Z\r\n" }.joined()
    let lines = (0..<6).map {
      #"{"product_id":"p\#($0)","reported_at":"2026-11-19T03:04:0\#($0)Z"}"# + "\n"
    }.joined()
    for text in [Self.queueHeader + "\r\n" + rows, lines] {
      let bytes = Array(text.utf8)
      let whole = try stage(bytes, in: .client)
      let all = whole.clientTransactions + whole.clientInvalidProducts
      let first = try #require(bytes.firstIndex(of: 10)) + 1
      for length in first..<bytes.count {
        let cut = try stage(Array(bytes[..<length]), in: .client)
        let kept = cut.clientTransactions + cut.clientInvalidProducts
        #expect(kept == Array(all.prefix(kept.count)), "cut at \(length)")
        let ends = bytes[..<length].filter { $0 == 10 }.count
        #expect(kept.count >= ends - (text.hasPrefix("{") ? 0 : 1))
        #expect(cut.rejections.allSatisfy { $0["reason"] == "truncated" })
      }
    }
  }
}
