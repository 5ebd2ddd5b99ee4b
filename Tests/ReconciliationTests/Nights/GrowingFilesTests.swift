import Foundation
import NightRun
import Page
import ReconciliationTestSupport
import Testing

@Suite("Files that are still being written") struct GrowingFilesTests {
  let asOf = "2026-11-20 03:00"

  @Test("only the added lines of a file that has grown are new")
  func grown() throws {
    let night = try TestNight()
    try night.put(deliveryLines(1...3), at: "deliveries/a.ndjson")
    try night.run(asOf: asOf)
    try night.put(deliveryLines(1...5), at: "deliveries/a.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [1, 1, 0, 0])
    #expect(counts("deliveries", summary) == [5, 2, 3, 0])
    #expect(try night.database.draw("select count(*) as n from delivery_record") == "n\n5")
  }

  @Test(
    "a file that ends inside a record loses only that record, until the file has grown",
    arguments: [
      ("deliveries/a.ndjson", ""),
      (
        "deliveries/a.csv",
        "delivery_id,transaction_id,product_id,status,occurred_at\r\n"
      ),
    ])
  func truncated(path: String, header: String) throws {
    let night = try TestNight()
    let lines =
      header.isEmpty
      ? deliveryLines(1...3)
      : (1...3).map { "D\($0),\($0),book.emma,delivered,2026-11-18T10:00:00Z\r\n" }.joined()
    let whole = header + lines
    try night.put(String(whole.dropLast(34)), at: path)
    let cut = try night.run(asOf: asOf)
    #expect(counts("deliveries", cut) == [3, 2, 0, 1])
    #expect(counts("files", cut) == [1, 1, 0, 0])
    let rejected = try night.table("rejected_records.csv")
    #expect(
      rejected.columns(["file", "kind", "reason"]).rows == [[path, "delivery", "truncated"]])

    try night.put(whole, at: path)
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [3, 1, 2, 0])
  }

  @Test("a readable last line without a line end is used")
  func lastLine() throws {
    let night = try TestNight()
    try night.put(String(deliveryLines(1...3).dropLast()), at: "deliveries/a.ndjson")
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [3, 3, 0, 0])
  }

  @Test(
    "a compressed file is read like any other; a cut one is a rejection until it is complete"
  )
  func compressed() throws {
    let night = try TestNight()
    let whole = try Data(gzipMember(Array(deliveryLines(1...3).utf8)))
    try night.put(whole, at: "deliveries/a.ndjson.gz")
    try night.put(whole.dropLast(20), at: "deliveries/b.ndjson.gz")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [2, 1, 0, 1])
    #expect(try night.database.draw("select count(*) as n from delivery_record") == "n\n3")
    let rejected = try night.table("rejected_records.csv").rows(where: "kind", is: "file")
    #expect(
      rejected.columns(["file", "reason"]).rows == [["deliveries/b.ndjson.gz", "truncated_gzip"]])

    try night.put(Data(gzipMember(Array(deliveryLines(3...4).utf8))), at: "deliveries/b.ndjson.gz")
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [2, 1, 1, 0])
  }

  @Test("an empty file with the name of a compressed file is rejected until it is replaced")
  func emptyCompressed() throws {
    let night = try TestNight()
    // An empty file is known by its bytes, which are the same.
    try night.put("", at: "deliveries/a.ndjson")
    try night.run(asOf: asOf)
    try night.put("", at: "deliveries/b.ndjson.gz")
    for day in ["2026-11-20", "2026-11-21"] {
      let summary = try night.run(asOf: "\(day) 03:00")
      #expect(counts("files", summary) == [1, 0, 0, 1])
      let sentence = summary.comparison.fileSentences { $0 }.first
      #expect(
        sentence?.hasPrefix(
          "Unreadable file deliveries/b.ndjson.gz (since 2026-11-20, truncated_gzip); ") == true,
        "\(sentence ?? "")")
      let rejected = try night.table("rejected_records.csv")
      #expect(
        rejected.columns(["file", "kind", "reason"]).rows
          == [["deliveries/b.ndjson.gz", "file", "truncated_gzip"]])
    }
    try night.put(Data(gzipMember(Array(deliveryLines(1...2).utf8))), at: "deliveries/b.ndjson.gz")
    #expect(counts("deliveries", try night.run(asOf: "2026-11-22 03:00")) == [2, 2, 0, 0])
  }

  @Test("hidden files and files that end in .tmp, .part or ~ are not read until they are renamed")
  func leftAlone() throws {
    let night = try TestNight()
    let names = [".a.ndjson", "a.ndjson.tmp", "a.ndjson.part", "a.ndjson~", ".hidden/a.ndjson"]
    for name in names { try night.put("half a rec", at: "deliveries/\(name)") }
    try night.put("half", at: ".a.ndjson")
    let summary = try night.run(asOf: asOf)
    #expect(counts("files", summary) == [0, 0, 0, 0])
    #expect(!summary.warnings.contains { $0.contains("a.ndjson") })

    try FileManager.default.moveItem(
      at: night.inbox.appending(path: "deliveries/a.ndjson.part"),
      to: night.inbox.appending(path: "deliveries/a.ndjson"))
    #expect(counts("files", try night.run(asOf: asOf))[0] == 1)
  }
}
