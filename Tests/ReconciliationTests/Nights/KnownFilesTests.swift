import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Testing

/// The counts of a kind of record: read, new, already known, rejected.
func counts(_ kind: String, _ summary: Summary) -> [Int64] {
  summary.lines.filter { $0.kind == kind }.flatMap {
    [$0.read, $0.new, $0.alreadyKnown, $0.rejected]
  }
}

/// A delivery log with these records, one line each.
func deliveryLines(_ numbers: ClosedRange<Int>) -> String {
  numbers.map {
    """
    {"delivery_id":"D\($0)","transaction_id":"\($0)","product_id":"book.emma","status":"delivered",\
    "occurred_at":"2026-11-18T10:00:00Z"}\n
    """
  }.joined()
}

@Suite("Known files") struct KnownFilesTests {
  let asOf = "2026-11-20 03:00"

  @Test("a file is not loaded again under another name, but it is loaded in another folder")
  func otherName() throws {
    let night = try TestNight()
    let bytes = "[\"book.emma\"]"
    try night.put(bytes, at: "catalog/a.json")
    #expect(counts("files", try night.run(asOf: asOf)) == [1, 1, 0, 0])

    try night.put(bytes, at: "catalog/deep/er/b.json")
    let renamed = try night.run(asOf: asOf)
    #expect(counts("files", renamed) == [1, 0, 1, 0])
    #expect(counts("catalogue_entries", renamed) == [0, 0, 0, 0])
    #expect(renamed.unchangedFiles == 1)

    // In this folder the file has another meaning, and can only be rejected.
    try night.put(bytes, at: "receipts/c.json")
    let moved = try night.run(asOf: asOf)
    #expect(counts("files", moved)[0] == 1)
    #expect(counts("files", moved)[2] == 0)
    #expect(moved.rejected == 1)
  }

  @Test("two equal files in one night are one new file and one known file")
  func twice() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.put(deliveryLines(1...3), at: "deliveries/b.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [2, 1, 1, 0])
    #expect(counts("deliveries", summary) == [3, 3, 0, 0])
    #expect(try night.database.draw("select path from input_file") == "path\ndeliveries/a.ndjson")
  }

  @Test("an unchanged file is not read; a file with only a new time is known by its bytes")
  func unchanged() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.put("[\"book.emma\"]", at: "catalog/a.json")
    try night.run(asOf: asOf)
    let second = try night.run(asOf: asOf)
    #expect(counts("files", second) == [0, 0, 0, 0])
    #expect(second.unchangedFiles == 2)

    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
      ofItemAtPath: night.inbox.appending(path: "catalog/a.json").path)
    let touched = try night.run(asOf: asOf)
    #expect(counts("files", touched) == [1, 0, 1, 0])
    #expect(touched.unchangedFiles == 1)
    #expect(try night.run(asOf: asOf).unchangedFiles == 2)
  }

  @Test("another file of the same name, size and time is read, because its inode differs")
  func replaced() throws {
    let night = try TestNight()
    let file = night.inbox.appending(path: "deliveries/a.ndjson").path
    let time = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
    try night.put(deliveryLines(1...1), at: "deliveries/a.ndjson")
    try FileManager.default.setAttributes(time, ofItemAtPath: file)
    try night.run(asOf: asOf)
    try night.put(deliveryLines(2...2), at: "deliveries/a.ndjson")
    try FileManager.default.setAttributes(time, ofItemAtPath: file)
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [1, 1, 0, 0])
  }

  @Test("an inbox that is reached through a link is the same inbox")
  func otherInbox() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.run(asOf: asOf)
    let link = night.folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: night.inbox)
    night.settings.inbox = link.path
    #expect(try night.run(asOf: asOf).unchangedFiles == 1)
  }
}
