import CopyFormat
import LibCrypto
import Foundation
import Intake
import Testing

@Suite("A last line without a line end")
struct OpenLineTests {
  private static let row = "d1,1,a,failed,2026-11-19T03:04:05Z"
  private static let record =
    #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
    + #""occurred_at":"2026-11-19T03:04:05Z"}"#
  private static let entry =
    #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z"}"#

  @Test("a last line without a line end is used, and its number is noted")
  func used() throws {
    for (text, folder, line) in [
      (DeliveryTests.header + "\n" + Self.row, Folder.deliveries, Int64(2)),
      (Self.record + "\n\n" + Self.record, .deliveries, 3), (Self.entry, .client, 1),
      ("finding,because,by\nF-0123,why,anna", .acknowledgements, 2),
    ] {
      let open = try stage(text, in: folder)
      #expect(open.counts.openLine == line && open.rejections.isEmpty)
      for end in ["\n", "\r\n"] {
        let closed = try stage(text + end, in: folder)
        #expect(closed.counts.openLine == nil)
        #expect(closed.rows == open.rows)
      }
    }
    #expect(try stage(Self.record + "\n{\"cut", in: .deliveries).counts.openLine == nil)
    #expect(try stage(FileTests.document, in: .receipts).counts.openLine == nil)
  }

  @Test("a last line without a line end is skipped if its file has grown")
  func passedOver() throws {
    let scratch = try ScratchFolder()
    for text in [DeliveryTests.header + "\n" + Self.row, Self.record] {
      // After log rotation, a file can have grown out of one of two earlier files, or of both.
      let starts = [text, String(text.prefix(10))]
      let lines = text + "\n" + text.split(separator: "\n").suffix(1).joined()
      let reader = FileReader(
        path: try scratch.file("file", Array((lines + "\nmore").utf8)), folder: .deliveries,
        fileID: 7, settings: IntakeSettings(), byteLimit: Int64(lines.utf8.count),
        startBytes: starts.map { Int64($0.utf8.count) }, passesOverOpenLine: true)
      let parser = RecordParser()
      var rows = StagedRows()
      while let block = reader.next() { block.parse(with: parser, into: &rows) }
      #expect(rows.deliveries.rows == 1 && rows.rejections.isEmpty)
      #expect(rows.counts[7]?.openLine == nil)
      #expect(reader.sha256 == HashFunction.sha256.digest(of: Array(lines.utf8)).bytes)
      for start in starts {
        let digest = HashFunction.sha256.digest(of: Array(start.utf8)).bytes
        #expect(reader.startSHA256[Int64(start.utf8.count)] == digest)
      }
      #expect(reader.startSHA256.count == 2)
    }
  }

  @Test("a start that is longer than the file has no hash")
  func shortFile() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("file", Array(Self.record.utf8))
    for bytes in [Int64(Self.record.utf8.count) + 1, .max] {
      let reader = FileReader(
        path: path, folder: .deliveries, fileID: 7, settings: IntakeSettings(), startBytes: [bytes])
      while reader.next() != nil {}
      #expect(reader.startSHA256.isEmpty)
    }
  }
}
