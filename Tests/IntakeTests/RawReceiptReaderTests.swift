import Foundation
import Intake
import Testing

@Suite("Raw receipts that Apple can be asked about")
struct RawReceiptReaderTests {
  /// Bytes that begin as a receipt does, and whose base64 has both odd letters.
  private static let receipt: [UInt8] =
    [0x30, 0x82, 0x01, 0x00, 0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff] + Array(0...40)
  private static let text = Data(receipt).base64EncodedString()

  private static func read(_ bytes: Data, limit: Int = 1 << 20) throws -> [RawReceipt] {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let reader = RawReceiptReader(path: file.path, limitBytes: limit)
    var receipts: [RawReceipt] = []
    while let next = reader.next() { receipts.append(next) }
    return receipts
  }

  private static func read(_ text: String, limit: Int = 1 << 20) throws -> [RawReceipt] {
    try read(Data(text.utf8), limit: limit)
  }

  @Test("are found in every form, and are the same")
  func forms() throws {
    let lines = stride(from: 0, to: Self.text.count, by: 20).map { offset in
      String(Self.text.dropFirst(offset).prefix(20))
    }.joined(separator: "\r\n")
    let escaped = Self.text.replacing("+", with: "%2B").replacing("/", with: "%2F")
    let forms = [
      Data(Self.receipt), Data(Self.text.utf8), Data("\u{feff}\n \(lines)\n".utf8),
      Data(escaped.utf8), Data("{\"receipt-data\":\"\(Self.text)\"}".utf8),
      Data("{\n \"a\": {\"b\": [1, 2]},\n \"receipt-data\":\n\"\(Self.text)\"}\n".utf8),
      Data("\n\n{\"receipt-data\":\"\(Self.text.replacing("/", with: "\\/"))\"}\n".utf8),
      Data("{}\nno JSON\n\n{\"receipt-data\":\"\(escaped)\"}\r\n".utf8),
    ]
    for (index, form) in forms.enumerated() {
      let found = try Self.read(form)
      #expect(found.map(\.bytes) == [Self.receipt], "form \(index)")
      #expect(found.first?.hash == RawReceipt(bytes: Self.receipt).hash)
    }
  }

  @Test("come with what their envelope says and the line that it stands in")
  func envelope() throws {
    let found = try Self.read(
      """
      {"status":0,"receipt":{"in_app":[]},"latest_receipt":"\(Self.text)"}
      {"account_id":"anna","device_id":17,"storefront":"USA","receipt-data":"\(Self.text)"}
      {"account_id":"","device_id":null,"receipt-data":"\(Self.text)","storefront":"\\u0000"}
      """)
    #expect(
      found == [
        RawReceipt(
          bytes: Self.receipt, accountID: "anna", deviceID: "17", storefront: "USA", line: 2),
        RawReceipt(bytes: Self.receipt, line: 3),
      ])
  }

  @Test(
    "are not made of anything else",
    arguments: [
      "", " \n", "{", "{}", "[]", "[{\"receipt-data\":\"MIIB\"}]", "hello", "aGVsbG8gd29ybGQ=",
      "{\"receipt-data\":null}", "{\"receipt-data\":\"\"}", "{\"receipt-data\":\"no base64!\"}",
      "{\"a\":{\"receipt-data\":\"MIIBMIIB\"}}", "{\"text\":\"receipt-data\"}",
      "<?xml version=\"1.0\"?><plist/>", "product_id,status\na,b\n",
    ])
  func nothing(text: String) throws {
    #expect(try Self.read(text).isEmpty)
  }

  @Test("are those of the whole lines, wherever the file ends, and reading never fails")
  func truncated() throws {
    let line = "{\"receipt-data\":\"\(Self.text)\"}\n"
    let file = Data(String(repeating: line, count: 3).utf8)
    for end in 0...file.count {
      let found = try Self.read(file.prefix(end))
      #expect(found.count == (end + 1) / line.utf8.count, "\(end)")
      #expect(found.allSatisfy { $0.bytes == Self.receipt })
    }
  }

  @Test("are left out where a line is too long, and the lines around it are not")
  func tooLong() throws {
    let line = "{\"receipt-data\":\"\(Self.text)\"}\n"
    let long = "{\"x\":\"\(String(repeating: "x", count: 200_000))\",\(line.dropFirst())"
    #expect(try Self.read(line + long + line, limit: 1000).map(\.line) == [1, 3])
    #expect(try Self.read(long + line, limit: 1000).map(\.line) == [2])
    #expect(try Self.read(line + long + line).map(\.line) == [1, 2, 3])
  }

  @Test(
    "an answer tells its status and whether asking again may help",
    arguments: [
      ("{\"status\":0}", 0, nil), ("{\"status\":\"21005\"}", 21005, nil),
      (" {\"status\":21100,\"is-retryable\":true}\n", 21100, true),
      ("{\"status\":21100,\"is-retryable\":\"false\"}", 21100, false),
      ("{\"status\":21100,\"is_retryable\":0}", 21100, false),
      ("{\"status\":21100,\"is-retryable\":null}", 21100, nil),
    ] as [(String, Int, Bool?)])
  func answers(text: String, status: Int, isRetryable: Bool?) throws {
    let answer = try #require(ReceiptAnswer(Array(text.utf8)))
    #expect(answer.status == status && answer.isRetryable == isRetryable)
    for end
      in 0..<(text.utf8.lastIndex(of: UInt8(ascii: "}")).map {
        text.utf8.distance(from: text.utf8.startIndex, to: $0)
      } ?? 0)
    {
      #expect(ReceiptAnswer(Array(text.utf8.prefix(end))) == nil, "\(end)")
    }
  }

  @Test(
    "an answer without a status is none",
    arguments: ["", "0", "[]", "{}", "{\"status\":null}", "{\"status\":0.5}", "{\"status\":\"x\"}"])
  func noAnswers(text: String) {
    #expect(ReceiptAnswer(Array(text.utf8)) == nil)
  }
}
