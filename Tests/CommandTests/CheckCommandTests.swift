import Foundation
import Reports
import Testing

/// `tieout check` as a user starts it: no database is available.
@Suite("tieout check") struct CheckCommandTests {
  private struct Report: Decodable {
    struct File: Decodable {
      struct Count: Decodable {
        var kind: String
        var read: Int
        var rejected: Int
      }
      struct Rejections: Decodable {
        struct Example: Decodable {
          var line: Int?
          var detail: String
        }
        var kind: String
        var reason: String
        var records: Int
        var examples: [Example]
      }
      var path: String
      var folder: String?
      var folderFrom: String?
      var format: String?
      var compression: String?
      var records: [Count]
      var rejections: [Rejections]
    }
    var files: [File]
  }

  /// A folder of one test, in which the program is started.
  private final class Scratch {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "check-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func put(_ text: String, at path: String) throws {
      let place = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }

    /// Runs the command where no server can be reached and no private server can be created.
    func check(_ words: String...) throws -> Program.Ended {
      try Program(
        ["check"] + words,
        environment: [
          "PATH": "/nonexistent", "PGHOST": "/nonexistent", "HOME": folder.path,
        ], in: folder.path
      ).ended()
    }
  }

  private static let delivery =
    #"{"delivery_id":"d-1","transaction_id":"1","product_id":"book.emma","#
    + #""status":"delivered","occurred_at":"2026-11-18T10:00:00Z"}"# + "\n"

  @Test("check ends with 0 when all records are usable, with 2 after a rejection, and adds no file")
  func statuses() throws {
    let scratch = try Scratch()
    try scratch.put(Self.delivery, at: "inbox/deliveries/a.ndjson")
    let good = try scratch.check("inbox")
    #expect(good.status == 0 && good.errors.isEmpty, "\(good.errors)")
    #expect(
      good.output == """
        inbox/deliveries/a.ndjson
          NDJSON, for deliveries/
          1 delivery
        1 file checked: nothing would be rejected.

        """)
    try scratch.put("a,b,c\n1,2,3\n", at: "inbox/logs/x.csv")
    let noted = try scratch.check("inbox")
    #expect(noted.status == 0)
    #expect(
      noted.output.hasSuffix(
        """
        inbox/logs/x.csv
          note: logs is in the inbox but in none of its folders (receipts, deliveries, catalog, client, \
        acknowledgements, apple), so a run does not read it. Move it into one of them.
        1 file checked: nothing would be rejected.

        """), "\(noted.output)")
    try FileManager.default.removeItem(at: scratch.folder.appending(path: "inbox/logs"))
    try scratch.put(Self.delivery + #"{"status":"lost"}"# + "\n", at: "b.ndjson")
    let bad = try scratch.check("inbox", "b.ndjson", "--folder", "deliveries")
    #expect(bad.status == 2 && bad.errors.isEmpty, "\(bad.errors)")
    #expect(bad.output.contains("  rejected: 1 delivery missing_field\n    line 2: delivery_id"))
    #expect(bad.output.hasSuffix("2 files checked: 1 rejection in 1 file.\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
        == ["b.ndjson", "inbox"])
  }

  @Test("docs/commands.md shows the actual output for a file of the sample")
  func documented() throws {
    let path = "inbox/receipts/app-server-1/receipts-2026-11-17_18.ndjson.gz"
    let ended = try Program(
      ["check", path], environment: ["PATH": "/usr/bin:/bin"], in: SampleNight.folder.path
    ).ended()
    let page = try String(
      contentsOf: SampleNight.folder.appending(path: "../docs/commands.md"), encoding: .utf8)
    #expect(ended.status == 0)
    #expect(page.contains("\n$ tieout check \(path)\n\(ended.output)```\n"))
  }

  @Test("a wrong argument ends with 64, and a wrong setting ends with 78")
  func refused() throws {
    let scratch = try Scratch()
    try scratch.put(Self.delivery, at: "a.ndjson")
    #expect(try scratch.check().status == 64)
    let folder = try scratch.check("a.ndjson", "--folder", "delivery")
    #expect(folder.status == 64 && folder.errors.contains("receipts, deliveries, catalog"))
    #expect(try scratch.check("a.ndjson", "--config", "none.yaml").status == 64)
    // Nothing is checked, so that a typing error is not mistaken for bad data.
    let gone = try scratch.check("a.ndjson", "none.ndjson")
    #expect(gone.status == 64 && gone.output.isEmpty)
    #expect(gone.errors.contains("There is no file none.ndjson."))
  }

  @Test("the settings apply to check as to a run")
  func settings() throws {
    let scratch = try Scratch()
    try scratch.put(
      Self.delivery.replacing("delivery_id", with: "attempt"), at: "deliveries/a.ndjson")
    #expect(try scratch.check("deliveries").status == 2)
    try scratch.put("delivery_columns: {delivery_id: attempt}\n", at: "own.yaml")
    let named = try scratch.check("deliveries", "--config", "own.yaml")
    #expect(named.status == 0, "\(named.output)")
  }

  @Test("--json lists all rejections, and quotes records only in details")
  func json() throws {
    let scratch = try Scratch()
    let secret = "3f9d0c1b7a5e4d2c8b6a"
    try scratch.put(
      #"{"notification_type":"CANCEL","password":"\#(secret)","account_id":"somebody"}"# + "\n"
        + #"{"password":"\#(secret)","account_id":"somebody"#,
      at: "receipts/a.ndjson")
    for words in [["receipts"], ["receipts", "--json"]] {
      let ended = try scratch.check(words[0], words.last ?? "")
      #expect(ended.status == 2)
      #expect(!ended.output.contains(secret) && !ended.output.contains("somebody"))
    }
    let report = try JSONDecoder.snakeCase.decode(
      Report.self, from: Data(scratch.check("receipts", "--json").output.utf8))
    let file = try #require(report.files.first)
    #expect(report.files.count == 1)
    #expect(file.path == "receipts/a.ndjson" && file.folder == "receipts")
    #expect(file.folderFrom == "path" && file.format == "NDJSON" && file.compression == nil)
    #expect(file.records.map(\.kind) == ["documents"])
    #expect(file.records.map(\.read) == [2] && file.records.map(\.rejected) == [2])
    #expect(file.rejections.map(\.records) == [1, 1])
    #expect(file.rejections.map { $0.examples.map(\.line) } == [[1], [2]])
  }
}

extension JSONDecoder {
  fileprivate static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}
