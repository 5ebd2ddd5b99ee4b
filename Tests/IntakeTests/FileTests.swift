import Crypto
import DamageTestSupport
import Foundation
import Glibc
import Intake
import Testing

@Suite("Files")
struct FileTests {
  static let document = #"{"status":0,"receipt":{"in_app":[\#(ReceiptTests.entry)]}}"#

  @Test("the hash and the size are those of the bytes on disk, whatever came of them")
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
      #expect(reader.sha256 == Array(SHA256.hash(data: bytes)))
      #expect(reader.byteCount == Int64(bytes.count))
    }
  }

  @Test("an empty file is nothing, and no rejection", arguments: Folder.allCases)
  func empty(folder: Folder) throws {
    #expect(try stage("", in: folder) == Staged())
    #expect(try stage("\u{feff} \n\r\n\t", in: folder) == Staged())
  }

  @Test("what is no regular file is rejected without waiting for it")
  func notAFile() throws {
    let scratch = try ScratchFolder()
    let pipe = scratch.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, scratch.path, "/dev/zero"] {
      #expect(try stage(path: path, in: .receipts).reasons == ["- | file | not_a_file"])
    }
  }

  @Test("a file that has gone is unreadable")
  func gone() throws {
    let staged = try stage(path: "/nonexistent/file", in: .receipts)
    #expect(staged.reasons == ["- | file | unreadable"])
    #expect(staged.rejections[0]["detail"]?.contains("No such file") == true)
  }

  @Test(
    "binary and UTF-16 are no text",
    arguments: [[0xff, 0xfe, 0x7b, 0], [0xfe, 0xff, 0, 0x7b], [0x7b, 0x22, 0, 0x22]] as [[UInt8]])
  func notText(bytes: [UInt8]) throws {
    for folder in Folder.allCases {
      #expect(try stage(bytes, in: folder).reasons == ["- | file | not_text"])
    }
  }

  @Test("a name that says gzip must tell the truth, any other may be gzip too")
  func gzipByContent() throws {
    let plain = Array(Self.document.utf8)
    let packed = try gzip(plain)
    #expect(try stage(plain, in: .receipts, named: "a.gz").reasons == ["- | file | not_gzip"])
    #expect(
      try stage([0x1f], in: .receipts, named: "a.gz").reasons == ["- | file | truncated_gzip"])
    let expected = try stage(plain, in: .receipts)
    #expect(try stage(packed, in: .receipts, named: "a.json") == expected)
    #expect(expected.evidence.count == 1)
  }

  @Test("gzip members follow one another, with zeros between them or behind")
  func gzipMembers() throws {
    let text = Array((Self.document + "\n" + Self.document + "\n").utf8)
    let expected = try stage(text, in: .receipts)
    for split in [0, 1, 40, text.count - 1, text.count] {
      let members = try gzip(Array(text[..<split])) + [0, 0, 0] + gzip(Array(text[split...]))
      #expect(try stage(members + [0, 0], in: .receipts) == expected)
    }
  }

  @Test("of a damaged gzip file the whole records before the damage are used")
  func damagedGzip() throws {
    var dice = Dice(3)
    var lines: [String] = []
    for id in 0..<20_000 {
      lines.append(
        "d\(id),\(UInt64.random(in: 0...UInt64.max, using: &dice)),a,failed,2026-01-01T00:00:00Z\n")
    }
    let text = DeliveryTests.header + "\n" + lines.joined()
    let packed = try gzip(Array(text.utf8))
    let cut = try stage(Array(packed[..<(packed.count / 2)]), in: .deliveries)
    #expect(cut.reasons == ["- | file | truncated_gzip"])
    #expect(cut.deliveries.count > 5000 && cut.deliveries.count < 15_000)
    var broken = packed
    for index in packed.count / 2..<packed.count / 2 + 40 { broken[index] ^= 0xff }
    let corrupt = try stage(broken, in: .deliveries)
    #expect(corrupt.reasons.last == "- | file | corrupt_gzip")
    #expect(corrupt.deliveries.count > 5000)
    #expect(try stage(packed + [1, 2, 3], in: .deliveries).reasons == ["- | file | corrupt_gzip"])
  }

  @Test("the record that a damaged file ends in is part of the damage")
  func damagedRecord() throws {
    let row = "d,1,a,failed,2026-11-19T03:04:05Z,\"x\"\n"
    for rest in ["d,1,a,fai", "d,1,\"a,fai", row.dropLast(2).description, ""] {
      // A member that is whole, and one that is not.
      let whole = try gzip(Array((DeliveryTests.header + ",error\n" + row + rest).utf8))
      let staged = try stage(whole + [0x1f, 0x8b, 8], in: .deliveries)
      #expect(staged.reasons == ["- | file | truncated_gzip"], "\(rest)")
      #expect(Staged.drawn(staged.deliveries, "line error") == ["2 | x"])
    }
  }

  @Test("a gzip bomb is stopped")
  func gzipBomb() throws {
    let member = try gzip([UInt8](repeating: 0x78, count: 16 << 20))
    let packed = try gzip([0x7b]) + member + member + member + member + member
    let staged = try stage(packed, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | too_large", "- | file | gzip_bomb"])
    #expect(try stage(gzip([0x7b]) + member + member, in: .receipts).reasons.count == 1)
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
      #expect(staged.rejections.first?["detail"]?.contains("into \(right.rawValue)/") == true)
    }
  }

  @Test("text that is no form of its folder rejects the file")
  func unknownFormat() throws {
    #expect(
      try stage("TIIT6QYJKoZIhvcNAQcCoIIT\n", in: .receipts).reasons == [
        "- | file | unknown_format"
      ])
    #expect(try stage("[{}]", in: .deliveries).reasons == ["- | file | unknown_format"])
    #expect(try stage("<html>", in: .receipts).reasons == ["- | file | unknown_format"])
  }

  @Test("every reason has its place in the list, once, in plain letters")
  func reasons() {
    let codes = RejectionReason.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
  }
}
