import Foundation
import Intake
import Testing

@Suite("Limits of kept rejections") struct RejectionShareTests {
  /// Deliveries that are all rejected, for two reasons.
  private static func deliveries(_ count: Int) -> String {
    (1...count).map { number in
      number.isMultiple(of: 3)
        ? "{\"delivery_id\":\"d\(number)\"}\n" : "{\"delivery_id\":\"d\(number)\",\n"
    }.joined()
  }

  @Test(
    "the first hundred of each reason are kept whole, then places, then a number, in any blocks",
    arguments: [1, 60, 1000, 1 << 20])
  func shares(blockBytes: Int) throws {
    let settings = IntakeSettings(rejectionsKept: 150, blockBytes: blockBytes)
    let staged = try stage(Self.deliveries(900), in: .deliveries, settings)
    for reason in ["missing_field", "malformed_json"] {
      let rows = staged.rejections.filter { $0["reason"] == reason }
      let kept = rows.filter { $0["line"] != "-" }
      #expect(kept.count == 150)
      let lines: [Int] = kept.map { Int($0["line"] ?? "") ?? 0 }
      #expect(lines == lines.sorted())
      for (place, row) in kept.enumerated() {
        #expect((row["raw"] == "-") == (place >= 100))
        #expect((row["detail"] == "") == (place >= 100))
        #expect((row["excerpt"] == "") == (place >= 100))
        #expect(row["records"] == "1")
      }
      let rest: [Int] = rows.filter { $0["line"] == "-" }.compactMap { Int($0["records"] ?? "") }
      let all = reason == "missing_field" ? 300 : 600
      #expect(rest.reduce(0, +) == all - 150)
    }
    #expect(staged.counts.deliveries.rejected == 900)
  }

  @Test("the first hundred are kept whole, whatever block is parsed first")
  func anyOrder() throws {
    let scratch = try ScratchFolder()
    let text = Self.deliveries(900)
    let path = try scratch.file("file", Array(text.utf8))
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      let reader = FileReader(
        path: path, folder: .deliveries, fileID: 7,
        settings: IntakeSettings(rejectionsKept: 120, blockBytes: 700))
      var blocks: [Block] = []
      while let block = reader.next() { blocks.append(block) }
      var rows = StagedRows()
      for block in blocks.shuffled(using: &dice) { block.parse(with: RecordParser(), into: &rows) }
      let rejections = try CopyRows.rejections.rows(of: rows.rejections)
      #expect(rejections.reduce(0) { $0 + (Int($1["records"] ?? "") ?? 0) } == 900)
      let whole = rejections.filter { $0["reason"] == "missing_field" && $0["raw"] != "-" }
      let kept = rejections.filter { $0["reason"] == "missing_field" && $0["line"] != "-" }
      let lines = Set(whole.compactMap { Int($0["line"] ?? "") })
      #expect(lines.isSuperset(of: (1...100).map { $0 * 3 }))
      #expect(
        Set(kept.compactMap { Int($0["line"] ?? "") }).isSuperset(of: (1...120).map { $0 * 3 }))
    }
  }

  @Test(
    "rejections in one line that spans blocks have the order of the file",
    arguments: [false, true])
  func oneLine(isShuffled: Bool) throws {
    func place(_ row: CopyRows.Row) -> Int { Int(row["place"] ?? "") ?? 0 }
    let scratch = try ScratchFolder()
    let space = String(repeating: " ", count: 200)
    let values: [String] = (1...900).map { "{\"number\":\($0)}" }
    let text = "[" + values.joined(separator: space + ",") + "]"
    let reader = FileReader(
      path: try scratch.file("file", Array(text.utf8)), folder: .receipts, fileID: 7,
      settings: IntakeSettings(rejectionsKept: 120, blockBytes: 700))
    var blocks: [Block] = []
    while let block = reader.next() { blocks.append(block) }
    #expect(blocks.count > 100)
    if isShuffled { blocks.shuffle() }
    let parser = RecordParser()
    var rows = StagedRows()
    for block in blocks { block.parse(with: parser, into: &rows) }
    let rejections = try CopyRows.rejections.rows(of: rows.rejections)
    #expect(rejections.reduce(0) { $0 + (Int($1["records"] ?? "") ?? 0) } == 900)
    let kept = rejections.filter { $0["place"] != "-" }.sorted { place($0) < place($1) }
    #expect(isShuffled || kept.count == 120)
    #expect(Set(kept.map(place)).count == kept.count)
    #expect(kept.prefix(100).map { $0["raw"] ?? "" } == Array(values.prefix(100)))
  }

  @Test("a megabyte of bad lines becomes few rows")
  func few() throws {
    let staged = try stage(
      String(repeating: "{}\n", count: 400_000), in: .deliveries,
      IntakeSettings(rejectionsKept: 1000))
    #expect(staged.counts.deliveries.rejected == 400_000)
    #expect(staged.rejections.count < 1100)
  }
}
