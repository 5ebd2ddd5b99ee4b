import Intake
import Testing

/// A form of a file with good and bad records.
struct FormOfRecords: CustomTestStringConvertible, Sendable {
  /// A record without its line end, and the reason for its rejection.
  typealias Bad = (record: [UInt8], reason: String)

  let testDescription: String
  let folder: Folder
  /// The text before the records.
  var header = ""
  /// A good record, by its number.
  let good: @Sendable (Int) -> String
  let bad: [Bad]
}

/// Only a bad record itself is rejected, wherever it is in its file.
@Suite("Bad records in every place of a file")
struct BadRecordPlaceTests {
  private static let delivery: String =
    #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
    + #""occurred_at":"2026-11-19T03:04:05Z"}"#
  private static let queueEntry: String =
    #"{"transaction_id":"1","product_id":"a","state":"restored","#
    + #""transaction_date":"2026-11-19T03:04:05Z"}"#
  private static let answer: String = #"{"status":0,"receipt":{"in_app":[\#(ReceiptTests.entry)]}}"#
  private static let signed: String = "eyJhbGciOiJFUzI1NiJ9.e30"

  private static func texts(_ records: [(String, String)]) -> [FormOfRecords.Bad] {
    records.map { (Array($0.utf8), $1) }
  }

  /// Records that are not JSON, or JSON that is not usable in any folder.
  private static let noJSON: [FormOfRecords.Bad] =
    texts([
      ("{", "malformed_json"), ("}", "malformed_json"), ("oops", "malformed_json"),
      ("# a remark", "malformed_json"), ("[", "malformed_json"), ("\u{0}", "invalid_utf8"),
      ("\u{0}\u{0}\u{0}\u{0}", "invalid_utf8"), ("{\"a\u{0}b\":1}", "invalid_utf8"),
      ("{\"a\":1}\u{0}", "invalid_utf8"), ("\u{0}{\"a\":1}", "invalid_utf8"),
      ("{\"a\":1e999}", "malformed_json"), (#"{"a":1}{"b":2}"#, "malformed_json"),
      (String(repeating: "[", count: 2000), "malformed_json"),
      (String(repeating: "x", count: 5000), "too_large"),
    ]) + [([0x7b, 0xe9, 0x7d], "invalid_utf8"), ([0xff, 0xfe, 0x41], "invalid_utf8")]

  private static let logs: [FormOfRecords] = [
    FormOfRecords(
      testDescription: "deliveries in NDJSON", folder: .deliveries,
      good: { delivery.replacing("\"d\"", with: "\"good\($0)\"") },
      bad: noJSON
        + texts([
          (#"{"transaction_id":"999","product_id":"b","status":"delivered"}"#, "missing_field"),
          (answer, "missing_field"), (queueEntry, "missing_field"), ("{}", "missing_field"),
          (#"{"status":21007}"#, "missing_field"), ("[1]", "malformed_json"),
          (#"["a","b"]"#, "malformed_json"), ("17", "malformed_json"), ("null", "malformed_json"),
          ("\"text\"", "malformed_json"),
          (delivery.replacing("failed", with: "lost"), "bad_status"),
          (delivery.replacing("2026-11-19", with: "2026-13-19"), "bad_date"),
          (delivery.replacing("\"1\"", with: "\"1\\u0000\""), "bad_identifier"),
        ])),
    FormOfRecords(
      testDescription: "a client's log in NDJSON", folder: .client,
      good: { queueEntry.replacing("\"1\"", with: "\"good\($0)\"") },
      bad: noJSON
        + texts([
          (delivery, "missing_field"), (answer, "missing_field"), ("{}", "missing_field"),
          (queueEntry.replacing("restored", with: "lost"), "bad_state"),
        ])),
    FormOfRecords(
      testDescription: "answers of verifyReceipt", folder: .receipts,
      good: { answer.replacing("\"2\"", with: "\"good\($0)\"") },
      bad: noJSON
        + texts([
          (delivery, "not_a_receipt"), (queueEntry, "not_a_receipt"), ("{}", "not_a_receipt"),
          (#"["a","b"]"#, "not_a_receipt"), ("17", "not_a_receipt"),
          (#"{"version":2,"products":[{"product_id":"a"}]}"#, "not_a_receipt"),
          (#"{"status":21003}"#, "status_21003"),
          (DeliveryTests.header, "malformed_json"), (signed, "malformed"),
          (signed + ".A\u{0}", "invalid_utf8"), ("MIIB\u{0}", "invalid_utf8"),
        ])),
  ]

  private static let rows: [FormOfRecords] = [
    FormOfRecords(
      testDescription: "deliveries in CSV", folder: .deliveries,
      header: DeliveryTests.header + ",error\n",
      good: { "good\($0),1,a,failed,2026-11-19T03:04:05Z,\"say \"\"no\"\"\"" },
      bad: texts([
        (",1,a,failed,2026-11-19T03:04:05Z,", "missing_field"),
        ("d,1,a,failed,2026-11-19T03:04:05Z", "malformed_csv"),
        ("d,1,a,failed,2026-11-19T03:04:05Z,a\u{0}b", "invalid_utf8"),
        ("\u{0}", "invalid_utf8"), ("d\u{0},1,a,failed,2026-11-19T03:04:05Z,", "invalid_utf8"),
        ("d,1,a\"b,failed,2026-11-19T03:04:05Z,", "malformed_csv"),
        ("d,1,\"open,failed,2026-11-19T03:04:05Z,", "malformed_csv"),
        (answer, "malformed_csv"), (delivery, "malformed_csv"),
        ("d,1,a,lost,2026-11-19T03:04:05Z,", "bad_status"),
        (String(repeating: "x", count: 5000), "too_large"),
        (ClientTests.queueHeader, "malformed_csv"),
      ]) + [([0x64, 0xe9], "invalid_utf8")]),
    FormOfRecords(
      testDescription: "acknowledgements", folder: .acknowledgements,
      header: "finding,until,because,by\n", good: { "F-0123456789a\($0),,why,anna" },
      bad: texts([
        (",,why,anna", "missing_field"), ("F-01,someday,why,anna", "bad_date"),
        ("F-01,,why,a\u{0}", "invalid_utf8"), ("F-01", "malformed_csv"), (answer, "malformed_csv"),
      ])),
  ]

  @Test("a bad record is rejected alone, with one reason in each place", arguments: logs + rows)
  func everyPlace(form: FormOfRecords) throws {
    let good = (0..<4).map { Array(form.good($0).utf8) }
    let settings = [1 << 20, 7].map {
      IntakeSettings(documentLimitBytes: 4096, blockBytes: $0)
    }
    for (record, reason) in form.bad {
      for place in 0...good.count {
        var lines = good
        lines.insert(record, at: place)
        let bytes = Array(form.header.utf8) + lines.flatMap { $0 + [0x0a] }
        let line = place + 1 + (form.header.isEmpty ? 0 : 1)
        let note = "\(String(decoding: record.prefix(60), as: UTF8.self)) in place \(place)"
        for settings in settings {
          let staged = try stage(bytes, in: form.folder, settings)
          #expect(
            Staged.drawn(staged.rejections, "line reason") == ["\(line) | \(reason)"], "\(note)")
          #expect(
            staged.deliveries.count + staged.clientTransactions.count + staged.evidence.count
              + staged.acknowledgements.count == good.count, "\(note)")
        }
      }
    }
  }

  @Test("a catalogue loses no identifier to a bad entry, wherever that entry is")
  func catalogues() throws {
    for bad in [Self.delivery, Self.answer, "17", "null", #""""#, "[]", "{}", #""a\u0000""#] {
      for place in 0...3 {
        var entries = [#""a""#, #""b""#, #"{"id":"c"}"#]
        entries.insert(bad, at: place)
        let staged = try stage("[\(entries.joined(separator: ","))]", in: .catalog)
        #expect(staged.rejections.map { $0["line"] } == ["\(place + 1)"], "\(bad) in \(place)")
        #expect(staged.catalogue.filter { $0["member"] == "listed" }.count == 3)
      }
    }
  }

  @Test("an empty identifier in a list is missing, and not too long")
  func emptyIdentifier() throws {
    let property = "<plist><array><string>a</string><string></string></array></plist>"
    for text in [#"["a",""]"#, property] {
      let staged = try stage(text, in: .catalog)
      #expect(staged.reasons == ["2 | catalogue | missing_field"])
      #expect(staged.rejections[0]["detail"]?.contains("product_id is missing or empty") == true)
    }
  }

  @Test("a file is misplaced only if no record fits, even if the first fitting record is late")
  func lateRecord() throws {
    let stray = Self.delivery + "\n"
    let good = Self.answer + "\n"
    let settings = IntakeSettings(documentLimitBytes: 1024, blockBytes: 300)
    for count in [1, 5, 100, 2000] {
      let strays = String(repeating: stray, count: count)
      let staged = try stage(strays + good, in: .receipts, settings)
      #expect(staged.evidence.count == 1 && staged.rejections.count == count)
      #expect(Set(staged.rejections.map { $0["reason"] }) == ["not_a_receipt"])
      let misplaced = try stage(strays, in: .receipts, settings)
      #expect(misplaced.reasons == ["- | file | wrong_folder"])
      let packed = try stage(gzip(Array((strays + good).utf8)), in: .receipts, settings)
      #expect(packed == staged)
    }
  }

  @Test(
    "the rejection of a broken recording in YAML names the line of the file",
    arguments: [("", 1), ("\n\n\n", 4), (" \r\n\n", 3)])
  func recording(space: String, first: Int) throws {
    let list = "interactions:\n- id: a\n- headers: {Date: a, Date: b}\n"
    let twice = try stage(space + list, in: .receipts)
    #expect(twice.reasons == ["\(first) | receipt | malformed"])
    let detail = twice.rejections.first?["detail"] ?? ""
    #expect(detail.contains("(line \(first + 2): the key Date occurs twice)"), "\(detail)")
  }

  @Test(
    "the rejection of broken JSON in several lines names the line",
    arguments: [Folder.receipts, .catalog])
  func lineOfError(folder: Folder) throws {
    let staged = try stage("\n[\n  \"a\",\n  \"b\",\n]\n", in: folder)
    #expect(staged.rejections.map { $0["reason"] } == ["malformed_json"])
    #expect(staged.rejections.first?["detail"]?.hasPrefix("Near line 5: ") == true)
  }

  @Test("a file with bytes that do not occur in text is binary if nothing in it can be used")
  func binary() throws {
    let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]
    for folder in Folder.allCases {
      #expect(try stage(picture, in: folder).reasons == ["- | file | not_text"])
    }
  }
}
