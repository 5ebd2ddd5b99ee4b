import DamageTestSupport
import Foundation
import Intake
import LibCrypto
import SigningTestSupport
import Testing

/// Exports of database tables with a column that contains evidence.
@Suite("Tables with receipts")
struct ReceiptTableTests {
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as PostgreSQL's `copy` writes it.
  private static func copied(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\r\\n")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
  }

  private static func settings(
    _ columns: [String: String] = [:], blockBytes: Int = 1 << 20
  ) throws -> IntakeSettings {
    var settings = try OwnStore.settings(blockBytes: blockBytes)
    settings.receiptColumns = columns
    return settings
  }

  @Test("every document in a column gives the same rows, with any separator and quotes")
  func everyForm() throws {
    for document in try EvidenceDocument.all() {
      let plain = try document.plain()
      let text = document.text
      let isQuoted = Self.quoted(text)
      let files = [
        "id,payload,created\n1,\(isQuoted),2026-11-19\n",
        "\"id\",\"payload\"\r\n\"1\",\(isQuoted)\r\n", "payload;id\n\(isQuoted);1",
        "sep=;\nid;payload\n1;\(isQuoted)\n", "id|payload\n1|\(isQuoted)\n",
        "id\tpayload\tempty\n1\t\(text)\t\n", "id\tpayload\n1\t\(isQuoted)\n",
        "id\tpayload\n1\t\(Self.copied(text))\n",
        "id,payload\n1,\(Self.quoted(try json(text)))\n",
        "id,payload\n1,\(Self.quoted(#"{"body":\#(try json(text)),"isBase64Encoded":false}"#))\n",
        "id,payload\n1,\\x\(Array(text.utf8).hexadecimal)\n",
      ]
      for file in files {
        for blockBytes in [1, 1 << 20] {
          let staged = try stage(file, in: .receipts, Self.settings(blockBytes: blockBytes))
          #expect(ShapedRows(staged) == plain, "\(document.testDescription): \(file.prefix(300))")
        }
      }
    }
  }

  @Test(
    "in a table without quotes, a field can begin with one",
    arguments: ["\"Emma\" by Austen", "\"unfinished", "\"quoted\""])
  func leadingQuotes(title: String) throws {
    let receipt = try EvidenceDocument.all()[0].text
    let rows = ["plain", title, "plain", title].enumerated().map { "\($0)\t\($1)\t\(receipt)\n" }
    let table = "id\ttitle\tpayload\n" + rows.joined()
    for blockBytes in [1, 1 << 20] {
      let staged = try stage(table, in: .receipts, Self.settings(blockBytes: blockBytes))
      #expect(staged.reasons == [])
      #expect(staged.documents.count == 4)
    }
  }

  @Test("a document with line ends is read as PostgreSQL's copy writes it")
  func escapedLineEnds() throws {
    for document in try EvidenceDocument.all() where document.text.hasPrefix("{") {
      let text = "{\r\n\t" + document.text.dropFirst()
      let expected = try document.plain()
      let table = "id\tpayload\n1\t\(Self.copied(text))\n"
      let staged = ShapedRows(try stage(table, in: .receipts, Self.settings()))
      // The hash of a document depends on its line ends.
      #expect(staged.evidence == expected.evidence, "\(document.testDescription)")
      #expect(staged.documents.count == expected.documents.count)
      #expect(staged.rejections == expected.rejections)
    }
  }

  @Test("escapes of JSON and backslashes in names are read as PostgreSQL's copy writes them")
  func doubledBackslashes() throws {
    let answer = FileTests.document.replacing(
      "}]}}", with: #","original_purchase_date":"2026-11-18 10:00:00 Etc\/GMT"}]}}"#)
    let text =
      #"{"account_id":"Zo\u00eb","device_id":"C:\\new","verifyReceiptResponse":\#(answer)}"#
    let plain = try stage(text, in: .receipts, Self.settings())
    #expect(Staged.drawn(plain.evidence, "account_id device_id") == [#"Zoë | C:\new"#])
    for field in [Self.copied(text), text, Self.quoted(text)] {
      let staged = try stage("id\tpayload\n1\t\(field)\n", in: .receipts, Self.settings())
      #expect(ShapedRows(staged) == ShapedRows(plain), "\(field)")
    }
    let signed = try OwnStore.sign(OwnStore.payload())
    let rows = [#"CORP\\anna"#, #""CORP\anna""#].map { "\($0)\t\(signed)\n" }.joined()
    let names = try stage("account_id\tjws\n" + rows, in: .receipts, Self.settings())
    #expect(Staged.drawn(names.evidence, "account_id") == [#"CORP\anna"#, #"CORP\anna"#])
  }

  @Test(
    "no rejection shows the shared secret of a column, whatever the row lacks",
    arguments: ["password", "Shared-Secret"])
  func secret(name: String) throws {
    let receipt = try EvidenceDocument.all()[0].text
    let table = "id,payload,\(name)\n1,\(receipt),s3cr3t\n2,garbage,s3cr3t\n3,s3cr3t\n"
    let staged = try stage(table, in: .receipts, Self.settings())
    #expect(staged.rejections.count == 2)
    for rejection in staged.rejections {
      for column in ["excerpt", "raw", "detail"] {
        #expect(rejection[column]?.contains("s3cr3t") != true, "\(rejection)")
      }
    }
    #expect(staged.rejections[0]["excerpt"] == "2,garbage,******")
  }

  @Test("the evidence can be in any column", arguments: 0..<3)
  func anyColumn(place: Int) throws {
    for document in try EvidenceDocument.all() {
      var names = ["account_id", "note"]
      var row = ["a-17", "x"]
      names.insert("body", at: place)
      row.insert(Self.quoted(document.text), at: place)
      let table = names.joined(separator: ",") + "\n" + row.joined(separator: ",") + "\n"
      let staged = try stage(table, in: .receipts, Self.settings())
      #expect(staged.rejections.isEmpty, "\(document.testDescription): \(staged.rejections)")
      let alone = try stage(document.text, in: .receipts, Self.settings())
      #expect(staged.evidence.count == alone.evidence.count, "\(document.testDescription)")
      #expect(
        staged.evidence.allSatisfy { $0["account_id"] == "a-17" }, "\(document.testDescription)")
      let plain = table.replacing(Self.quoted(document.text), with: document.text)
      guard !document.isJSON else { continue }
      let unquoted = try stage(plain, in: .receipts, Self.settings())
      #expect(unquoted.evidence.count == alone.evidence.count, "\(document.testDescription)")
      #expect(unquoted.evidence.allSatisfy { $0["account_id"] == "a-17" })
    }
  }

  @Test(
    "no rejection of a row with a broken quote, or of a file, shows the secret of a column",
    arguments: [
      "payload,password\nRECEIPT,x\n\"x\",\"hun\"s3cr3t1\n",
      "account_id,account_id,password,payload\nx,y,s3cr3t2,RECEIPT\n",
      "account_id;\"Password\";payload\nx;s3cr3t3;nothing\n",
      "\u{feff}account_id\tshared_secret\r\nx\ts3cr3t4\r\n",
      "sep=;\naccount_id;account_id;password;payload\nx;y;s3cr3t5;RECEIPT\n",
      "sep=^\naccount_id^account_id^password^payload\nx^y^s3cr3t6^RECEIPT\n",
    ])
  func secretOfBrokenTable(table: String) throws {
    let table = table.replacing("RECEIPT", with: try EvidenceDocument.all()[0].text)
    let staged = try stage(table, in: .receipts, Self.settings())
    #expect(staged.rejections.count == 1)
    for rejection in staged.rejections {
      for column in ["excerpt", "raw", "detail"] {
        #expect(rejection[column]?.contains("s3cr3t") != true, "\(rejection)")
      }
    }
  }

  @Test(
    "no rejection of a row that is too long, or of a damaged file, shows the secret of a column")
  func secretOfCutTable() throws {
    var settings = try Self.settings()
    settings.documentLimitBytes = 100_000
    let receipt = try EvidenceDocument.all()[0].text
    let long = String(repeating: "x", count: 3_000_000)
    let table =
      "account_id,password,payload\na,s3cr3t1,\(receipt)\nb,s3cr3t2,\(long)\nc,s3cr3t3,\(receipt)\n"
    let staged = try stage(table, in: .receipts, settings)
    #expect(staged.rejections.map { $0["reason"] } == ["too_large"])
    #expect(!"\(staged.rejections)".contains("s3cr3t"), "\(staged.rejections)")
  }

  @Test("columns give account, device and storefront, under their own names or mapped ones")
  func columns() throws {
    let signed = try OwnStore.sign(OwnStore.payload(["storefront": ""]))
    let rows = "a-17,d-3,USA,2026-11-19 03:04:05+00,\(signed)\n,\\N,NULL,,\(signed)\n"
    let own = try stage(
      "account_id,device_id,storefront,received_at,jws\n" + rows, in: .receipts, Self.settings())
    let mapped = try stage(
      "user,phone,shop,created_at,jws\n" + rows, in: .receipts,
      Self.settings([
        "account_id": "user", "device_id": "phone", "storefront": "shop",
        "received_at": "created_at",
      ]))
    let drawn = Staged.drawn(own.evidence, "line account_id device_id storefront")
    #expect(drawn == ["2 | a-17 | d-3 | USA", "3 | - | - | -"])
    #expect(mapped == own)
    let unmapped = try stage("user,jws\na-17,\(signed)\n", in: .receipts, Self.settings())
    #expect(Staged.drawn(unmapped.evidence, "account_id") == ["-"])
  }

  @Test("the account in the evidence itself counts before the column")
  func nearest() throws {
    let receipt = #"{"receipt-data":"\#(try EvidenceDocument.all()[0].text)","account_id":"inner"}"#
    let staged = try stage(
      "account_id,device_id,body\nouter,d,\(Self.quoted(receipt))\n", in: .receipts, Self.settings()
    )
    #expect(Set(Staged.drawn(staged.evidence, "account_id device_id")) == ["inner | d"])
  }

  @Test("a bad row is rejected alone")
  func badRows() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let foreign = try OwnStore.foreign.get().sign(payload: OwnStore.payload())
    let file = """
      id,jws,created_at
      1,\(signed),2026-11-19T03:04:05Z
      2,,2026-11-19T03:04:05Z
      3,\(signed)
      4,\(foreign),
      5,\(signed),yesterday
      6,"open,
      7,\(signed),

      """
    for blockBytes in [1, 1 << 20] {
      let staged = try stage(
        file, in: .receipts, Self.settings(["received_at": "created_at"], blockBytes: blockBytes))
      #expect(staged.documents.map { $0["line"] } == ["2", "8"])
      #expect(
        staged.reasons == [
          "3 | receipt | not_a_receipt", "4 | receipt | malformed_csv",
          "5 | receipt | untrusted_chain", "6 | receipt | bad_date", "7 | receipt | malformed_csv",
        ])
      #expect(staged.rejections[2]["detail"]?.hasPrefix("At /jws: ") == true)
      #expect(staged.rejections[3]["detail"]?.hasPrefix("At /jws: created_at is not") == true)
    }
  }

  @Test("a row with a quoted field over the limit is rejected alone", arguments: [",", "\t"])
  func longField(separator: String) throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let note = "\"" + String(repeating: "no \"\"receipt\"\"\n", count: 20_000) + "\""
    let rows = [["id", "note", "jws"], ["1", "", signed], ["2", note, "x"], ["3", "", signed]]
    for (order, long, good) in [
      ([0, 1, 2, 3], "3", ["2", "20004"]), ([0, 2, 1, 3], "2", ["20003", "20004"]),
    ] {
      let table = order.map { rows[$0].joined(separator: separator) + "\n" }.joined()
      for blockBytes in [1, 1 << 20] {
        var settings = try Self.settings(blockBytes: blockBytes)
        settings.documentLimitBytes = 100_000
        let staged = try stage(table, in: .receipts, settings)
        #expect(staged.reasons == ["\(long) | receipt | too_large"])
        #expect(Staged.drawn(staged.documents, "line") == good)
      }
    }
  }

  @Test("a wrong quote in a line over the limit costs that line only", arguments: [",", "\t"])
  func longLine(separator: String) throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let wrong = "\"" + String(repeating: "no receipt ", count: 20_000)
    let row = ["1", "", signed].joined(separator: separator) + "\n"
    let damaged = ["2", wrong, "x"].joined(separator: separator) + "\n"
    let header = ["id", "note", "jws"].joined(separator: separator) + "\n"
    for rows in [row + damaged + row + row, damaged + row, damaged + row + damaged + row] {
      for blockBytes in [1, 1 << 20] {
        var settings = try Self.settings(blockBytes: blockBytes)
        settings.documentLimitBytes = 100_000
        let staged = try stage(header + rows, in: .receipts, settings)
        let lines = (header + rows).split(separator: "\n")
        let isLong = lines.map { $0.utf8.count > 100_000 }
        let long = lines.indices.filter { isLong[$0] }.map { "\($0 + 1)" }
        let good = lines.indices.dropFirst().filter { !isLong[$0] }.map { "\($0 + 1)" }
        #expect(Staged.drawn(staged.rejections, "line") == long)
        #expect(Staged.drawn(staged.documents, "line") == good)
      }
    }
  }

  /// An answer and a signed transaction, as fields of CSV.
  private static func receipts() throws -> [String] {
    [quoted(FileTests.document), try OwnStore.sign(OwnStore.payload())]
  }

  @Test(
    "a table is recognized even if its first rows have no evidence",
    arguments: [50, 1001, 30_000])
  func late(count: Int) throws {
    var settings = try Self.settings(blockBytes: 1000)
    settings.documentLimitBytes = 50_000
    let empty = (0..<count).map { "\($0),a-17,\n" }.joined()
    for receipt in try Self.receipts() {
      let table = "id,account_id,payload\n" + empty + "x,a-17,\(receipt)\n"
      let staged = try stage(table, in: .receipts, settings)
      #expect(staged.evidence.map { $0["account_id"] } == ["a-17"])
      #expect(staged.documents.map { $0["line"] } == ["\(count + 2)"])
      #expect(staged.counts.documents.rejected == Int64(count))
      #expect(Set(staged.rejections.map { $0["reason"] }) == ["not_a_receipt"])
    }
  }

  @Test(
    "a damaged first row is rejected alone",
    arguments: [
      "0,a-17", "0,a-17,,", "0,a-17,RECEIPT,", "RECEIPT", "0,a-17,\"x\"y", "0,\"a-17,RECEIPT",
    ])
  func damagedFirstRow(row: String) throws {
    for receipt in try Self.receipts() {
      let rows = [row.replacing("RECEIPT", with: receipt), "1,a-17,\(receipt)"]
      let table = "id,account_id,payload\n" + rows.map { $0 + "\n" }.joined()
      for blockBytes in [1, 1 << 20] {
        let staged = try stage(table, in: .receipts, Self.settings(blockBytes: blockBytes))
        #expect(staged.reasons == ["2 | receipt | malformed_csv"])
        #expect(staged.documents.map { $0["line"] } == ["3"])
        #expect(staged.evidence.map { $0["account_id"] } == ["a-17"])
      }
    }
  }

  @Test("a log whose first lines have equally many commas is read as lines")
  func log() throws {
    let quiet = "2026-11-20 03:00:00,123 INFO no purchase\n"
    let text = try ["got " + FileTests.document, OwnStore.sign(OwnStore.payload())]
      .map { "2026-11-20 03:00:01,456 INFO \($0)\n" }.joined()
    let staged = try stage(
      String(repeating: quiet, count: 2000) + text, in: .receipts, Self.settings())
    #expect(staged.documents.map { $0["line"] } == ["2001", "2002"])
    #expect(staged.rejections.count == 2000)
  }

  @Test("a log whose first line is a sentence with a comma is read as lines")
  func sentence() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let lines = "2026-11-20 03:00:01,456 INFO got \(signed)\n"
    for first in [
      "Server started, waiting for requests", "Server, started at noon", "Hello, world",
    ] {
      for blockBytes in [1, 1 << 20] {
        for count in [1, 300] {
          let text = first + "\n" + String(repeating: lines, count: count)
          let staged = try stage(text, in: .receipts, Self.settings(blockBytes: blockBytes))
          #expect(staged.documents.count == count, "\(first)")
          #expect(staged.reasons == ["1 | receipt | malformed_json"], "\(first)")
        }
      }
    }
    let table = try stage(
      "User ID,Signed Transaction Info\n1,\(signed)\n2,\(signed)\n", in: .receipts,
      Self.settings())
    #expect(table.documents.map { $0["line"] } == ["2", "3"] && table.rejections.isEmpty)
  }

  @Test("a table with one column is read if the column has a known name")
  func oneColumn() throws {
    let text = try EvidenceDocument.all()[0].text
    let staged = try stage(
      "receipt_data\n\"\(text)\"\n\"\(text)\"\n", in: .receipts, Self.settings())
    #expect(staged.documents.count == 2 && staged.rejections.isEmpty)
  }

  @Test("a column with the transaction of REFUND_REVERSED does not bring the refund back")
  func reversed() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let notification = try OwnStore.notification("REFUND_REVERSED", signed: signed)
    for table in [
      "signed_payload,signed_transaction_info\n\(notification),\(signed)\n",
      "signed_transaction_info,signed_payload\n\(signed),\(notification)\n",
    ] {
      let staged = try stage(table, in: .receipts, Self.settings())
      #expect(Staged.drawn(staged.evidence, "line cancelled_at") == ["2 | -"])
      #expect(staged.documents.count == 1 && staged.rejections.isEmpty)
    }
  }

  @Test("every record in a table with random damage is counted")
  func damaged() throws {
    let scratch = try ScratchFolder()
    let rows = try EvidenceDocument.all().enumerated().map { "\($0),\(Self.quoted($1.text))\r\n" }
    let file = Array(("id,body\r\n" + rows.joined()).utf8)
    for seed in RandomCases.seeds(20) {
      let damaged = MutatedFile(of: file, seed: seed)
      let settings = try Self.settings(blockBytes: seed % 2 == 0 ? 100 : 1 << 20)
      _ = try stage(
        path: scratch.file("damaged", damaged.bytes), in: .receipts, settings, note: "\(damaged)")
    }
  }
}
