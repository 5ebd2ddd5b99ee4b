import DamageTestSupport
import Intake
import Testing

/// Properties of all inputs, tested with many random inputs.
@Suite("All inputs")
struct AllInputsTests {
  private static func pick<Element>(_ from: [Element], _ dice: inout Dice) -> Element {
    from[Int.random(in: 0..<from.count, using: &dice)]
  }

  private static func receipts(_ lines: Int, _ dice: inout Dice) -> String {
    var text = ""
    for _ in 0..<lines {
      let entries = (0..<Int.random(in: 0...6, using: &dice)).map { _ in
        let id = Int.random(in: 0...4, using: &dice)
        let quantity = pick(["1", "2", "0", "x", ""], &dice)
        return #"{"transaction_id":"\#(id)","product_id":"p{\"}\\","quantity":"\#(quantity)","#
          + #""purchase_date_ms":"170000000\#(id)000"}"#
      }
      let list = entries.joined(separator: ",")
      text += pick(
        [
          #"{"status":0,"receipt":{"in_app":[\#(list)]},"latest_receipt_info":[\#(list)]}"#,
          #"{"account_id":"a","verifyReceiptResponse":{"status":0,"receipt":{"in_app":[\#(list)]}}}"#,
          #"{"status":21007}"#, #"{"status":21003}"#, "", "  ", "{", "nonsense", "{}",
        ], &dice)
      text += pick(["\n", "\n", "\r\n", "\n\n"], &dice)
    }
    return #"{"status":0,"receipt":{}}"# + "\n" + text
  }

  /// A file of deliveries, the text of each error, and the number of bytes to the end of each row.
  private static func rows(
    _ count: Int, _ dice: inout Dice
  ) -> (text: String, errors: [String], ends: [Int]) {
    let header = DeliveryTests.header + ",error"
    let pieces = ["a", ",", "\"", "\n", "\r\n", " ", "é", ";", "\r", "'", "\"\"", "x"]
    var errors: [String] = []
    var ends: [Int] = []
    var text = header + "\r\n"
    for row in 0..<count {
      let error = (0..<Int.random(in: 1...8, using: &dice)).map { _ in pick(pieces, &dice) }
        .joined()
      errors.append(error)
      let quoted = "\"" + error.replacing("\"", with: "\"\"") + "\""
      text += "d\(row),\"1\",a,failed,2026-11-19T03:04:05Z," + quoted + pick(["\n", "\r\n"], &dice)
      ends.append(text.utf8.count)
    }
    return (text, errors, ends)
  }

  @Test("blocks of any size give the same rows", arguments: 0..<12 as Range<UInt64>)
  func anyBlockSize(seed: UInt64) throws {
    var dice = Dice(seed)
    let receipts = Self.receipts(40, &dice)
    let deliveries = Self.rows(60, &dice).text
    let expectedReceipts = try stage(receipts, in: .receipts)
    let expectedDeliveries = try stage(deliveries, in: .deliveries)
    #expect(expectedReceipts.counts.documents.read > 10)
    #expect(expectedDeliveries.deliveries.count == 60)
    for blockBytes in [1, 2, 3, 7, 64, 100, 1000, 4096, Int.random(in: 1...5000, using: &dice)] {
      let settings = IntakeSettings(blockBytes: blockBytes)
      #expect(try stage(receipts, in: .receipts, settings) == expectedReceipts)
      #expect(try stage(deliveries, in: .deliveries, settings) == expectedDeliveries)
    }
  }

  @Test(
    "damaged CSV gives the same rows in blocks of any size",
    arguments: 0..<40 as Range<UInt64>)
  func damagedCSV(seed: UInt64) throws {
    var dice = Dice(seed &+ 1000)
    var bytes = Array(Self.rows(12, &dice).text.utf8)
    let start = DeliveryTests.header.utf8.count + 8
    for _ in 0..<4 {
      let index = Int.random(in: start..<bytes.count, using: &dice)
      bytes[index] = Self.pick([0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xff], &dice)
    }
    let limit = Self.pick([80, 300, 1 << 20], &dice)
    let expected = try stage(
      bytes, in: .deliveries, named: "a", IntakeSettings(documentLimitBytes: limit))
    for blockBytes in [1, 5, 60, 200] {
      let settings = IntakeSettings(documentLimitBytes: limit, blockBytes: blockBytes)
      #expect(try stage(bytes, in: .deliveries, named: "a", settings) == expected)
    }
  }

  @Test("blocks give the same evidence if several threads parse them")
  func anyThread() async throws {
    var dice = Dice(9)
    let text = Self.receipts(300, &dice)
    let expected = try stage(text, in: .receipts)
    let scratch = try ScratchFolder()
    let reader = FileReader(
      path: try scratch.file("file", Array(text.utf8)), folder: .receipts, fileID: 7,
      settings: IntakeSettings(blockBytes: 500))
    let evidence = try await withThrowingTaskGroup(of: [CopyRows.Row].self) { group in
      while let block = reader.next() {
        group.addTask {
          var rows = StagedRows()
          block.parse(with: RecordParser(), into: &rows)
          return try CopyRows.evidence.rows(of: rows.evidence)
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let columns = "line transaction_id content_hash evidence_at account_id"
    #expect(
      Staged.drawn(evidence, columns).sorted() == Staged.drawn(expected.evidence, columns).sorted())
  }

  @Test("a quoted field is read without a change", arguments: 0..<20 as Range<UInt64>)
  func quoting(seed: UInt64) throws {
    var dice = Dice(seed)
    let (text, errors, _) = Self.rows(50, &dice)
    let staged = try stage(text, in: .deliveries)
    #expect(staged.rejections.isEmpty)
    #expect(staged.deliveries.map { $0["error"] ?? "" } == errors)
  }

  @Test("a file that is cut anywhere loses at most its last record")
  func anyTruncation() throws {
    var dice = Dice(77)
    let text = Array(Self.receipts(14, &dice).utf8)
    let whole = try stage(text, in: .receipts)
    for length in 0..<text.count {
      let cut = try stage(Array(text[..<length]), in: .receipts)
      let lines = Int64(text[..<length].filter { $0 == 10 }.count)
      // Before the first line is complete, nothing can be kept.
      guard lines > 0 else { continue }
      let before = whole.documents.filter { Int64($0["line"] ?? "") ?? 0 <= lines }
      #expect(Array(cut.documents.prefix(before.count)) == before, "cut at \(length)")
      #expect(cut.documents.count <= before.count + 1)
      #expect(cut.rejections.filter { $0["reason"] == "truncated" }.count <= 1)
    }
  }

  @Test("a file of deliveries that is cut anywhere loses at most its last record")
  func anyTruncationOfDeliveries() throws {
    var dice = Dice(78)
    let file = Self.rows(12, &dice)
    let text = Array(file.text.utf8)
    let whole = try stage(text, in: .deliveries)
    for length in DeliveryTests.header.utf8.count + 8..<text.count {
      let cut = try stage(Array(text[..<length]), in: .deliveries)
      let kept = cut.deliveries.filter { whole.deliveries.contains($0) }
      #expect(kept == Array(whole.deliveries.prefix(kept.count)), "cut at \(length)")
      #expect(kept.count >= file.ends.count { $0 <= length }, "cut at \(length)")
      // The record that the cut goes through may be read as a record that ends at the cut.
      #expect(cut.deliveries.count <= kept.count + 1, "cut at \(length)")
    }
  }

  @Test(
    "a file that is compressed in parts, cut anywhere, gives the same rows",
    arguments: Compression.allCases)
  func anyParts(compression: Compression) throws {
    var dice = Dice(5)
    let text = Array(Self.receipts(20, &dice).utf8)
    let expected = try stage(text, in: .receipts)
    for _ in 0..<20 {
      let cuts = (0..<3).map { _ in Int.random(in: 0...text.count, using: &dice) }.sorted()
      var packed: [UInt8] = []
      var start = 0
      for cut in cuts + [text.count] {
        packed += try compressed(Array(text[start..<cut]), compression)
        start = cut
      }
      #expect(try stage(packed, in: .receipts) == expected)
    }
  }

  @Test("meaningless bytes crash the reader in no folder", arguments: 0..<60 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var dice = Dice(seed)
    let alphabet = Array("{}[]\",:\\n0123 eE.-<>plist?xml/ab\u{feff}é\r\nbplist00".utf8)
    let starts = [
      "", "{\"status\":0,", "bplist00", "<?xml version=\"1.0\"?><plist><array>", "[\"a\",",
      DeliveryTests.header + "\n", ClientTests.queueHeader + "\n", ClientTests.reportHeader + "\n",
    ]
    var bytes = Array(Self.pick(starts, &dice).utf8)
    for _ in 0..<Int.random(in: 0...300, using: &dice) {
      bytes.append(
        UInt8.random(in: 0...9, using: &dice) == 0
          ? UInt8.random(in: 0...255, using: &dice) : Self.pick(alphabet, &dice))
    }
    for folder in Folder.allCases {
      _ = try stage(bytes, in: folder, named: "a", IntakeSettings(blockBytes: 50))
    }
  }
}
