import Foundation
import Glibc
import Intake
import LibCrypto
import Testing

@Suite("Files")
struct FileTests {
  static let document = #"{"status":0,"receipt":{"in_app":[\#(ReceiptTests.entry)]}}"#

  @Test("the hash and the size are those of the bytes on disk, even in a rejected file")
  func hash() throws {
    let scratch = try ScratchFolder()
    for bytes in [
      Array(Self.document.utf8), try gzip(Array(Self.document.utf8)), [0xff, 0xfe, 0, 0], [],
      [UInt8](repeating: 0, count: 3 << 20),
      Array((Self.document + "\n").utf8)
        + [UInt8](
          repeating: 0x78, count: 5 << 20),
    ] {
      let path = try scratch.file("file", bytes)
      var settings = IntakeSettings()
      settings.documentLimitBytes = 1 << 20
      let reader = FileReader(path: path, folder: .receipts, fileID: 1, settings: settings)
      while reader.next() != nil {}
      #expect(reader.sha256 == HashFunction.sha256.digest(of: bytes).bytes)
      #expect(reader.byteCount == Int64(bytes.count))
    }
  }

  @Test("reading can stop after a few megabytes, also of what is only skipped")
  func stop() throws {
    let scratch = try ScratchFolder()
    let rows = String(repeating: "x,y\n", count: 1000)
    for (folder, start) in [
      // The whole file cannot be used.
      (Folder.receipts, ""), (.apple, ""),
      // The last record is too long: a line, a row, a JSON value, a whole file.
      (.receipts, Self.document + "\n"), (.receipts, Self.document + "\n{\n"),
      (.deliveries, DeliveryTests.header + "\n\""),
      (.receipts, "[\n\(Self.document),\n{\"a\": \""),
      (.catalog, #"{"version":2,"products":["#),
      // No row has evidence.
      (.receipts, "a,b\n\(rows)"), (.receipts, "a,b\n\(rows)\""),
    ] {
      let length = 16 << 20
      let path = try scratch.sparseFile("file", Array(start.utf8), length: length)
      let reader = FileReader(
        path: path, folder: folder, fileID: 1,
        settings: IntakeSettings(documentLimitBytes: 1 << 20))
      var read: Int64 = 0
      while reader.next() != nil {
        #expect(reader.byteCount - read <= 6 << 20, "\(start.prefix(100)) in \(folder)")
        read = reader.byteCount
      }
      #expect(reader.byteCount - read <= 6 << 20)
      #expect(reader.byteCount == Int64(length))
    }
  }

  @Test(
    "an empty file gives no rows and no rejection, except in apple/",
    arguments: Folder.allCases.filter { $0 != .apple })
  func empty(folder: Folder) throws {
    #expect(try stage("", in: folder) == Staged())
    #expect(try stage("\u{feff} \n\r\n\t", in: folder) == Staged())
  }

  @Test("a path that is no regular file is rejected without waiting for it")
  func notAFile() throws {
    let scratch = try ScratchFolder()
    let pipe = scratch.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, scratch.path, "/dev/zero"] {
      #expect(try stage(path: path, in: .receipts).reasons == ["- | file | not_a_file"])
    }
  }

  @Test("a file that does not exist is unreadable")
  func gone() throws {
    let staged = try stage(path: "/nonexistent/file", in: .receipts)
    #expect(staged.reasons == ["- | file | unreadable"])
    #expect(staged.rejections[0]["detail"]?.contains("No such file") == true)
  }

  @Test(
    "binary files, and UTF-16 without a byte order mark, are not text",
    arguments: [
      [0x7b, 0, 0x22, 0, 0x61, 0, 0x22, 0],
      [0, 0x64, 0, 0x2c], [0x50, 0x4b, 3, 4, 0x14, 0, 0],
    ] as [[UInt8]])
  func notText(bytes: [UInt8]) throws {
    for folder in Folder.allCases {
      #expect(try stage(bytes, in: folder).reasons == ["- | file | not_text"])
    }
  }

  @Test("records in the wrong folder reject the file, and the detail says where they belong")
  func wrongFolder() throws {
    let delivery =
      #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
      + #""occurred_at":"2026-11-19T03:04:05Z"}"#
    let entry =
      #"{"transaction_id":"1","product_id":"a","state":"restored","#
      + #""transaction_date":"2026-11-19T03:04:05Z"}"#
    let report = #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z"}"#
    let pretty = "{\n\"status\": 0,\n\"receipt\": {\n}\n}\n"
    let list = "<?xml version=\"1.0\"?><plist><array/></plist>"
    for (text, folder, right) in [
      (delivery + "\n", Folder.receipts, Folder.deliveries),
      (DeliveryTests.header + "\n", .receipts, .deliveries), (list, .receipts, .catalog),
      (#"["a","b"]"#, .receipts, .catalog), (#"{"version":2,"products":[]}"#, .receipts, .catalog),
      ("bplist00\u{0}", .receipts, .catalog), (Self.document, .deliveries, .receipts),
      (pretty, .deliveries, .receipts), (list, .deliveries, .catalog),
      (#"["a"]"#, .deliveries, .catalog), (delivery, .catalog, .deliveries),
      (Self.document + "\n" + Self.document + "\n", .catalog, .receipts),
      (delivery, .client, .deliveries), (DeliveryTests.header, .client, .deliveries),
      (Self.document, .client, .receipts), (list, .client, .catalog),
      (#"["a"]"#, .client, .catalog),
      (entry, .receipts, .client), (entry, .deliveries, .client), (entry, .catalog, .client),
      (report, .receipts, .client), (report, .deliveries, .client), (report, .catalog, .client),
      (ClientTests.queueHeader + "\n", .receipts, .client),
      (ClientTests.queueHeader + "\n", .deliveries, .client),
      (ClientTests.reportHeader + "\n", .deliveries, .client),
      ("sep=;\n" + ClientTests.reportHeader.replacing(",", with: ";"), .deliveries, .client),
      (ClientTests.reportHeader + "\n", .catalog, .client),
    ] {
      let staged = try stage(text, in: folder)
      #expect(staged.reasons == ["- | file | wrong_folder"], "\(text) in \(folder)")
      #expect(staged.rejections.first?["detail"]?.contains("belong in \(right.rawValue)/") == true)
    }
  }

  @Test("a line can begin with the byte order mark of a joined file")
  func joinedWithMark() throws {
    let delivery =
      #"{"delivery_id":"d","transaction_id":"1","product_id":"a","status":"failed","#
      + #""occurred_at":"2026-11-19T03:04:05Z"}"#
    let report = #"{"product_id":"a","reported_at":"2026-11-19T03:04:05Z"}"#
    func joined(_ record: String, in folder: Folder) throws -> Staged {
      try stage("\u{feff}\(record)\n\u{feff}\(record)\n\u{feff}\n", in: folder)
    }
    let deliveries = try joined(delivery, in: .deliveries)
    #expect(deliveries.deliveries.count == 2 && deliveries.rejections.isEmpty)
    let client = try joined(report, in: .client)
    #expect(client.clientInvalidProducts.count == 2 && client.rejections.isEmpty)
    let receipts = try joined(Self.document, in: .receipts)
    #expect(receipts.documents.count == 2 && receipts.rejections.isEmpty)
  }

  @Test("text in none of the forms of its folder rejects the file")
  func unknownFormat() throws {
    #expect(
      try stage("TIIT6QYJKoZIhvcNAQcCoIIT\n", in: .receipts).reasons == [
        "- | file | unknown_format"
      ])
    #expect(try stage("[{}]", in: .deliveries).reasons == ["- | file | unknown_format"])
    #expect(try stage("<html>", in: .receipts).reasons == ["- | file | unknown_format"])
  }

  @Test("every reason occurs once and has only letters, digits and underscores")
  func reasons() {
    let codes = RejectionReason.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
  }
}
