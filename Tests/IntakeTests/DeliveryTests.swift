import CopyFormat
import Intake
import Testing

@Suite("Delivery records")
struct DeliveryTests {
  static let header = "delivery_id,transaction_id,product_id,status,occurred_at"
  static let columns =
    "line delivery_id transaction_id product_id status occurred_at environment bytes error"

  @Test("CSV columns can be in any order, and unknown columns are ignored")
  func csv() throws {
    let staged = try stage(
      "\u{feff}bytes,colour, status ,occurred_at,product_id,transaction_id,delivery_id,error,"
        + "environment\r\n5,red,delivered,2026-11-19T04:04:05.9+01:00,a,1,d1,,\r\n"
        + ",,failed,2026-11-19t03:04:05z,\"a,b\",2,d2,\"say \"\"no\"\"\r\ntwice\",PROD\r\n"
        + "\r\n0,,pending,2016-12-31T23:59:60Z,c,3,d3,,Xcode", in: .deliveries)
    #expect(
      Staged.drawn(staged.deliveries, Self.columns) == [
        "2 | d1 | 1 | a | delivered | 2026-11-19T03:04:05Z | - | 5 | -",
        "3 | d2 | 2 | a,b | failed | 2026-11-19T03:04:05Z | Production | - | "
          + "say \"no\"\r\ntwice",
        "6 | d3 | 3 | c | pending | 2017-01-01T00:00:00Z | Xcode | 0 | -",
      ])
    #expect(staged.rejections.isEmpty)
  }

  @Test("a header row below the first one applies to the rows below it, with any size of block")
  func joined() throws {
    let first = "delivery_id,transaction_id,product_id,status,occurred_at,account_id,device_id\n"
    let second =
      "\u{feff}device_id,\"account_id\",occurred_at,delivery_id,transaction_id,product_id,"
      + "status\r\n"
    let time = "2026-11-19T03:04:05Z"
    // The name of a column in a row is no header.
    let rows = "d1,1,a,delivered,\(time),ann,phone\nd2,2,b,failed,\(time),delivery_id,pad\n"
    let more = "d3,3,a,delivered,\(time),ann,phone\n"
    let others = "\"pad\",ben,\(time),d4,4,c,pending\r\n"
    for blockBytes in [64, 200, 1 << 20] {
      let staged = try stage(
        first + rows + first + more + second + others, in: .deliveries,
        IntakeSettings(blockBytes: blockBytes))
      #expect(
        Staged.drawn(staged.deliveries, "line delivery_id account_id device_id") == [
          "2 | d1 | ann | phone", "3 | d2 | delivery_id | pad", "5 | d3 | ann | phone",
          "7 | d4 | ben | pad",
        ])
      #expect(staged.rejections.isEmpty)
    }
  }

  @Test(
    "no row is read below a header row that lacks a column, with any size of block",
    arguments: [
      ("transaction_id,delivery_id,product_id,state,occurred_at", "status"),
      ("transaction_id,Delivery_ID,product_id,status,occurred_at", "delivery_id"),
      (
        "TRANSACTION_ID,DELIVERY_ID,PRODUCT_ID,STATUS,OCCURRED_AT",
        "delivery_id, transaction_id, product_id, status, occurred_at"
      ),
    ])
  func joinedWithoutColumn(second: String, missing: String) throws {
    let time = "2026-11-19T03:04:05Z"
    let text =
      "\(Self.header)\nd1,1,a,delivered,\(time)\n\(second)\n7,d2,a,delivered,\(time)\n"
      + "8,d3,a,failed,\(time)\n"
    for blockBytes in [64, 100, 1 << 20] {
      let staged = try stage(text, in: .deliveries, IntakeSettings(blockBytes: blockBytes))
      #expect(Staged.drawn(staged.deliveries, "line delivery_id") == ["2 | d1"])
      #expect(staged.reasons == ["- | file | missing_column"])
      let detail = try #require(staged.rejections[0]["detail"])
      #expect(detail.hasPrefix("Line 3 names columns again"))
      #expect(detail.contains("lacks \(missing)."), "\(detail)")
      #expect(staged.rejections[0]["excerpt"]?.hasPrefix(second) == true)
    }
  }

  @Test("the header row of a joined file can have a byte order mark and quotes")
  func joinedWithMark() throws {
    let time = "2026-11-19T03:04:05Z"
    let first = "\(Self.header)\nd1,1,a,delivered,\(time)\n"
    let names = ["delivery_id", "product_id", "transaction_id", "status", "occurred_at"]
    let second =
      "\u{feff}" + names.map { "\"\($0)\"" }.joined(separator: ",") + "\r\n"
      + "d2,b,2,failed,\(time)\r\n\u{feff}\"d3\",c,3,failed,\(time)\r\n"
    for blockBytes in [7, 64, 1 << 20] {
      let staged = try stage(
        first + second + first, in: .deliveries, IntakeSettings(blockBytes: blockBytes))
      #expect(
        Staged.drawn(staged.deliveries, "line delivery_id product_id")
          == ["2 | d1 | a", "4 | d2 | b", "5 | d3 | c", "7 | d1 | a"])
      #expect(staged.rejections.isEmpty)
    }
  }

  @Test(
    "thousands of header rows cost no more than other rows, also if their columns differ",
    arguments: ["", ",note"])
  func manyHeaders(column: String) throws {
    let row = "d1,1,a,delivered,2026-11-19T03:04:05Z"
    let part = "\(Self.header)\n\(row)\n\(Self.header)\(column)\n\(row)\(column)\n"
    let text = String(repeating: part, count: 3000)
    let scratch = try ScratchFolder()
    let reader = FileReader(
      path: try scratch.file("file", Array(text.utf8)), folder: .deliveries, fileID: 7,
      settings: IntakeSettings())
    let parser = RecordParser()
    var rows = StagedRows()
    while let block = reader.next() { block.parse(with: parser, into: &rows) }
    #expect(rows.deliveries.rows == 6000 && rows.rejections.rows == 0)
    #expect(reader.work <= 3 * text.utf8.count, "\(reader.work)")
  }

  @Test("a row or a header of very many fields is rejected")
  func manyFields() throws {
    let row = "d1,1,a,delivered,2026-11-19T03:04:05Z\n"
    let many = String(repeating: ",", count: 300_000)
    let staged = try stage(Self.header + "\n" + many + "\n" + row, in: .deliveries)
    #expect(staged.deliveries.count == 1)
    #expect(staged.reasons == ["2 | delivery | malformed_csv"])
    #expect(staged.rejections[0]["detail"]?.contains("at least 100000 fields") == true)
    let header = try stage(Self.header + many + "\n" + row, in: .deliveries)
    #expect(header.reasons == ["- | file | malformed_csv"])
  }

  @Test("NDJSON gives the same row as CSV")
  func ndjson() throws {
    let csv = try stage(
      Self.header + ",bytes,server,original_transaction_id,web_order_line_item_id\n"
        + "d1,1,a,delivered,2026-11-19T03:04:05Z,5,s,,0\n", in: .deliveries)
    let json = try stage(
      #"{"delivery_id":"d1","transaction_id":1,"product_id":"a","status":"delivered","#
        + #""occurred_at":"2026-11-19T03:04:05Z","bytes":5,"server":"s","#
        + #""original_transaction_id":null,"web_order_line_item_id":"0","other":{}}"# + "\n",
      in: .deliveries)
    #expect(csv.deliveries.count == 1)
    #expect(
      Staged.drawn(csv.deliveries, "content_hash bytes server")
        == Staged.drawn(json.deliveries, "content_hash bytes server"))
  }

  @Test("a record with the revision 0 says the same as one without a revision")
  func noRevision() throws {
    let record = "d1,1,a,delivered,2026-11-19T03:04:05Z"
    let lines = [record + ",", record + ",0", record + ",1"]
    let staged = try stage(
      ([Self.header + ",revision"] + lines).joined(separator: "\n") + "\n", in: .deliveries)
    let hashes = Staged.drawn(staged.deliveries, "content_hash")
    #expect(Staged.drawn(staged.deliveries, "revision") == ["-", "-", "1"])
    #expect(hashes[0] == hashes[1])
    #expect(hashes[1] != hashes[2])
  }

  @Test(
    "a log may have columns of its own with names that Apple uses",
    arguments: ["receipt", "errorCode", "Payload", "products", "data", "transaction_date"])
  func foreignNames(name: String) throws {
    let staged = try stage(
      #"{"\#(name)":[1],"delivery_id":"d1","transaction_id":"1","product_id":"a","#
        + #""status":"delivered","occurred_at":"2026-11-19T03:04:05Z"}"# + "\n", in: .deliveries)
    #expect(staged.deliveries.count == 1)
    #expect(staged.rejections.isEmpty)
  }

  @Test("names are mapped as configured, in CSV and in NDJSON")
  func mapping() throws {
    let settings = IntakeSettings(
      deliveryColumns: ["delivery_id": "id", "occurred_at": "Time of day"])
    let csv = try stage(
      "Time of day,id,transaction_id,product_id,status,delivery_id\n"
        + "2026-11-19T03:04:05Z,x,1,a,failed,ignored\n", in: .deliveries, settings)
    let json = try stage(
      #"{"id":"x","Time of day":"2026-11-19T03:04:05Z","transaction_id":"1","product_id":"a","#
        + #""status":"failed"}"#, in: .deliveries, settings)
    #expect(Staged.drawn(csv.deliveries, "delivery_id") == ["x"])
    #expect(Staged.drawn(json.deliveries, "delivery_id") == ["x"])
    let unmapped = try stage(Self.header + "\n", in: .deliveries, settings)
    #expect(unmapped.reasons == ["- | file | missing_column"])
    #expect(unmapped.rejections[0]["detail"]?.contains("id, Time of day") == true)
  }

  @Test("lines that end with a carriage return alone reject the file", arguments: ["\r", "\r\r"])
  func carriageReturns(end: String) throws {
    let lines = [Self.header + ",server", "d1,1,a,delivered,2026-11-19T03:04:05Z,eu"]
    let staged = try stage(lines.map { $0 + end }.joined(), in: .deliveries)
    #expect(staged.deliveries.isEmpty && staged.reasons == ["- | file | missing_column"])
  }

  @Test("a first line can name the separator", arguments: [";", "\t", "|", ","])
  func separators(separator: String) throws {
    let header = (Self.header + ",error").replacing(",", with: separator)
    let fields = ["d1", "1", "a", "delivered", "2026-11-19T03:04:05Z", "\"a\(separator)b\""]
    let row = fields.joined(separator: separator)
    for line in ["sep=\(separator)", "\"sep=\(separator)\""] {
      let file = "\(line)\r\n\(header)\n\(row)\n"
      for blockBytes in [1, 1 << 20] {
        let staged = try stage(
          file + file, in: .deliveries, IntakeSettings(blockBytes: blockBytes))
        #expect(
          Staged.drawn(staged.deliveries, "line error")
            == ["3 | a\(separator)b", "6 | a\(separator)b"])
        #expect(staged.rejections.isEmpty)
      }
    }
  }

  @Test(
    "a row that cannot be used is rejected alone",
    arguments: [
      (",1,a,delivered,2026-11-19T03:04:05Z", "missing_field"),
      ("d,,a,delivered,2026-11-19T03:04:05Z", "missing_field"),
      ("d,1,,delivered,2026-11-19T03:04:05Z", "missing_field"),
      ("d,1,a,,2026-11-19T03:04:05Z", "missing_field"),
      ("d,1,a,delivered,", "missing_field"),
      ("d,1 ,a,delivered,2026-11-19T03:04:05Z", "bad_identifier"),
      ("d,1,a\u{1},delivered,2026-11-19T03:04:05Z", "bad_identifier"),
      ("d,1,a,Delivered,2026-11-19T03:04:05Z", "bad_status"),
      ("d,1,a,delivered,2026-11-19", "bad_date"),
      ("d,1,a,delivered,2026-11-19 03:04:05 Etc/GMT", "bad_date"),
      ("d,1,a,delivered,1763519045000", "bad_date"),
      ("d,1,a,delivered,1970-01-01T00:00:00Z", "bad_date"),
      ("d,1,a,delivered,2026-13-19T03:04:05Z", "bad_date"),
      ("d,1,a,delivered,2026-11-19T03:04:05Z,extra", "malformed_csv"),
      ("d,1,a,delivered", "malformed_csv"),
      ("d,1,a\"b\",delivered,2026-11-19T03:04:05Z", "malformed_csv"),
      ("d,1,\"a\"b,delivered,2026-11-19T03:04:05Z", "malformed_csv"),
      ("d,1,\"a,delivered,2026-11-19T03:04:05Z", "malformed_csv"),
    ])
  func rejected(row: String, reason: String) throws {
    let good = "\ngood,1,a,delivered,2026-11-19T03:04:05Z\n"
    let staged = try stage(Self.header + "\n" + row + good, in: .deliveries)
    #expect(staged.reasons == ["2 | delivery | \(reason)"])
    #expect(staged.rejections[0]["raw"] == row)
    #expect(Staged.drawn(staged.deliveries, "line delivery_id") == ["3 | good"])
  }

  @Test(
    "a JSON record that cannot be used is rejected alone",
    arguments: [
      (#""bytes":-1"#, "bad_number"), (#""bytes":1.5"#, "bad_number"),
      (#""bytes":18446744073709551615"#, "bad_number"), (#""revision":-1"#, "bad_number"),
      (#""revision":2147483648"#, "bad_number"), (#""revision":"two""#, "bad_number"),
      (#""server":true"#, "bad_text"),
      (#""error":"\u0000""#, "bad_text"), (#""device_id":"\u0007""#, "bad_identifier"),
      (#""status":"done""#, "bad_status"), (#""occurred_at":5"#, "bad_date"),
      (#""delivery_id":null"#, "missing_field"),
      (#""error":"LONG""#, "bad_text"), (#""server":"LABEL""#, "bad_text"),
      (#""region":"LABEL""#, "bad_text"), (#""app_version":"LABEL""#, "bad_text"),
      (#""Environment":"Sandbox""#, "missing_field"), (#""deviceId":7"#, "missing_field"),
    ])
  func rejectedJSON(members: String, reason: String) throws {
    // The text for LONG is over the limit. It is made here because arguments are printed.
    let members = members.replacing("LONG", with: String(repeating: "x", count: 65_537))
      .replacing("LABEL", with: String(repeating: "é", count: 128))
    let record =
      #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
      + #""occurred_at":"2026-11-19T03:04:05Z""#
    let staged = try stage(
      record + "}\n" + record + "," + members + "}\n[1]\n" + record + "}\n", in: .deliveries)
    #expect(
      staged.reasons == ["2 | delivery | \(reason)", "3 | delivery | malformed_json"])
    #expect(staged.deliveries.count == 2)
  }

  @Test("another spelling of a name is ignored beside the name itself, and if it has no value")
  func otherSpellings() throws {
    let row = "d,1,a,failed,2026-11-19T03:04:05Z,Production,mail,mobile"
    let csv = try stage(
      Self.header + ",environment,Environment,Status\n\(row)\n", in: .deliveries)
    let json = try stage(
      #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
        + #""occurred_at":"2026-11-19T03:04:05Z","Environment":"mail","environment":"Production","#
        + #""Status":"mobile","Revision":null,"Server":""}"#, in: .deliveries)
    for staged in [csv, json] {
      #expect(Staged.drawn(staged.deliveries, "environment status") == ["Production | failed"])
      #expect(staged.rejections.isEmpty)
    }
  }

  @Test("a mapped name is known too, and its column's usual name is not")
  func otherSpellingOfMappedName() throws {
    let settings = IntakeSettings(deliveryColumns: ["server": "host"])
    let row = "d,1,a,failed,2026-11-19T03:04:05Z,eu-1\n"
    let other = try stage(Self.header + ",Host\n" + row, in: .deliveries, settings)
    #expect(other.reasons == ["- | file | missing_column"])
    #expect(other.rejections[0]["detail"]?.hasSuffix("Write host instead of Host.") == true)
    #expect(
      try stage(Self.header + ",Server\n" + row, in: .deliveries, settings).deliveries.count == 1)
  }

  @Test("labels up to 255 bytes and other texts up to 64 KiB are kept whole")
  func longTexts() throws {
    let texts = [
      String(repeating: "s", count: 255), String(repeating: "é", count: 127),
      String(repeating: "\"\"", count: 30_000),
    ]
    let staged = try stage(
      Self.header + ",server,region,error\nd,1,a,failed,2026-11-19T03:04:05Z,"
        + texts.map { "\"\($0)\"" }.joined(separator: ",") + "\n", in: .deliveries)
    let row = try #require(staged.deliveries.first)
    #expect(row["server"] == texts[0] && row["region"] == texts[1])
    #expect(row["error"] == String(repeating: "\"", count: 30_000))
  }

  @Test("bytes that are not UTF-8 reject only their row")
  func invalidUTF8() throws {
    let staged = try stage(
      Array((Self.header + "\nd1,1,").utf8) + [0xe9]
        + Array(",failed,2026-11-19T03:04:05Z\nd2,1,é,failed,2026-11-19T03:04:05Z\n".utf8),
      in: .deliveries)
    #expect(staged.reasons == ["2 | delivery | invalid_utf8"])
    #expect(Staged.drawn(staged.deliveries, "product_id") == ["é"])
  }

  @Test("a quote that never closes rejects its record up to the line of the quote, and no more")
  func openQuote() throws {
    let good = "good,1,a,delivered,2026-11-19T03:04:05Z\n"
    let bad = "d,1,\"x\ny\",\"open,2026-11-19T03:04:05Z\n"
    let staged = try stage(Self.header + "\n" + bad + good + good, in: .deliveries)
    #expect(staged.reasons == ["2 | delivery | malformed_csv"])
    #expect(staged.rejections[0]["raw"] == String(bad.dropLast()))
    #expect(Staged.drawn(staged.deliveries, "line") == ["4", "5"])
  }

  @Test("a quote that closes wrongly in a later line rejects only its own line")
  func wrongQuote() throws {
    let staged = try stage(
      Self.header + "\nd,1,\"open,failed,2026-11-19T03:04:05Z\n"
        + "d2,1,\"fine\",failed,2026-11-19T03:04:05Z\n", in: .deliveries)
    #expect(staged.reasons == ["2 | delivery | malformed_csv"])
    #expect(Staged.drawn(staged.deliveries, "line product_id") == ["3 | fine"])
  }

  @Test("a row at the end of the file is truncated, unless it parses")
  func truncated() throws {
    let cut = try stage(
      Self.header + "\nd,1,a,delivered,2026-11-19T03:04", in: .deliveries)
    #expect(cut.reasons == ["2 | delivery | truncated"])
    let whole = try stage(
      Self.header + "\nd,1,a,delivered,2026-11-19T03:04:05Z", in: .deliveries)
    #expect(whole.deliveries.count == 1 && whole.rejections.isEmpty)
  }

  @Test("columns that are ignored may have the same name")
  func ignoredColumns() throws {
    let staged = try stage(
      Self.header + ",note,note\nd,1,a,delivered,2026-11-19T03:04:05Z,x,y\n", in: .deliveries)
    #expect(staged.deliveries.count == 1 && staged.rejections.isEmpty)
  }

  @Test(
    "a header that cannot be used rejects the file",
    arguments: [
      ("delivery_id,transaction_id,product_id,status\n", "missing_column", "lacks occurred_at"),
      ("delivery_id,delivery_id,x\n", "missing_column", "delivery_id twice"),
      (header.replacing(",", with: ";") + "\n", "missing_column", "sep=;"),
      ("# exported by me\n\(header)\n", "missing_column", "If it is a comment, remove it."),
      ("# by me, today\n\(header)\n", "missing_column", "If it is a comment, remove it."),
      (
        "Delivery_ID, Transaction ID ,product_id,status,occurred_at\n", "missing_column",
        "Write delivery_id instead of Delivery_ID, transaction_id instead of Transaction ID."
      ),
      (
        "DELIVERY_ID,transaction_id,product_id,status\n", "missing_column",
        "Write delivery_id instead of DELIVERY_ID, and add the other columns."
      ),
      (
        "\(header),Environment,note,appVersion\n", "missing_column",
        "Write environment instead of Environment, app_version instead of appVersion."
      ),
      (
        "delivery-id,transaction_id,product_id,status,occurred_at,REVISION\n", "missing_column",
        "Write delivery_id instead of delivery-id, revision instead of REVISION."
      ),
      ("a,\"b\n", "malformed_csv", "never closed"),
    ])
  func badHeader(text: String, reason: String, words: String) throws {
    let staged = try stage(text, in: .deliveries)
    #expect(staged.reasons == ["- | file | \(reason)"])
    #expect(staged.rejections[0]["detail"]?.contains(words) == true)
    #expect(staged.rejections[0]["excerpt"]?.isEmpty == false)
  }
}
