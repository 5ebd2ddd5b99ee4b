import DamageTestSupport
import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Raw receipts for requests to Apple")
struct RawReceiptReaderTests {
  private static func read(
    _ bytes: [UInt8], _ settings: IntakeSettings? = nil
  ) throws -> [RawReceipt] {
    let scratch = try ScratchFolder()
    let reader = RawReceiptReader(
      path: try scratch.file("receipts", bytes),
      settings: try settings ?? OwnStore.settings(bundleIDs: ["com.example.reader"]))
    var receipts: [RawReceipt] = []
    while let next = reader.next() { receipts += next }
    return receipts
  }

  private static func read(
    _ text: String, _ settings: IntakeSettings? = nil
  ) throws -> [RawReceipt] {
    try read(Array(text.utf8), settings)
  }

  /// A receipt of iOS 6, which is short.
  private static func purchase() throws -> [UInt8] {
    try OwnStore.authority.get().transactionReceipt(OwnStore.purchaseFields)
  }

  @Test("raw receipts are found unchanged in every form that a night reads")
  func forms() throws {
    let authority = try OwnStore.authority.get()
    var indefinite = ReceiptForm()
    indefinite.encoding = .indefinite
    for receipt in [
      try authority.appReceipt(OwnStore.receipt),
      try authority.appReceipt(OwnStore.receipt, form: indefinite), try Self.purchase(),
    ] {
      for (way, file) in try RawReceiptTests.ways(receipt) {
        for blockBytes in [1, 1 << 20] {
          let settings = try OwnStore.settings(
            bundleIDs: ["com.example.reader"], blockBytes: blockBytes)
          for bytes in [file, try gzip(file)] {
            let found = try Self.read(bytes, settings)
            #expect(found.map(\.bytes) == [receipt], "\(way)")
            #expect(found.first?.hash == RawReceipt(bytes: receipt).hash)
          }
        }
      }
    }
  }

  @Test("reading can stop after each megabyte or two of a file without receipts")
  func stop() throws {
    let scratch = try ScratchFolder()
    let reader = RawReceiptReader(
      path: try scratch.sparseFile("receipts", [], length: 16 << 20),
      settings: IntakeSettings(documentLimitBytes: 1 << 20))
    var blocks = 0
    while let found = reader.next() {
      #expect(found.isEmpty)
      blocks += 1
    }
    #expect(blocks >= 8)
  }

  @Test("raw receipts have the members of their envelope and its line")
  func envelope() throws {
    let receipt = try OwnStore.authority.get().appReceipt(OwnStore.receipt)
    let text = base64(receipt)
    let unity = try json(#"{"Store":"AppleAppStore","Payload":"\#(text)"}"#)
    let found = try Self.read(
      """
      {"status":0,"receipt":{"in_app":[]},"latest_receipt":"\(text)"}
      {"account_id":"anna","device_id":17,"storefront":"USA","receipt-data":"\(text)"}

      {"account_id":"","device_id":null,"receiptData":\(unity),"status":0,"receipt":{}}
      {"account_id":"b","receipt_data":"\(text)","verifyReceiptResponse":{"status":21007}}
      {"account_id":"a\\u0000b","receipt-data":"\(text)"}
      \(text)
      """)
    #expect(
      found == [
        RawReceipt(bytes: receipt, accountID: "anna", deviceID: "17", storefront: "USA", line: 2),
        RawReceipt(bytes: receipt, line: 4), RawReceipt(bytes: receipt, accountID: "b", line: 5),
        RawReceipt(bytes: receipt, line: 7),
      ])
    let document = "\n\n{\"a\": [1],\n\"receipt-data\":\n\"\(text)\"}\n"
    #expect(try Self.read(document) == [RawReceipt(bytes: receipt, line: 3)])
  }

  @Test("nothing but a raw receipt is found")
  func nothing() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for text in [
      "", " \n", "{", "{}", "[]", "[{\"receipt-data\":\"MIIB\"}]", "hello", "aGVsbG8gd29ybGQ=",
      "{\"receipt-data\":null}", "{\"receipt-data\":\"\"}", "{\"receipt-data\":\"no base64!\"}",
      "{\"a\":{\"receipt-data\":\"MIIBMIIB\"}}", "{\"text\":\"receipt-data\"}",
      "<?xml version=\"1.0\"?><plist/>", "product_id,status\na,b\n", signed,
      "{\"receipt-data\":\"\(signed)\"}", "{\"signedTransactionInfo\":\"\(signed)\"}",
      #"{"Store":"GooglePlay","Payload":"\#(base64(try Self.purchase()))"}"#,
    ] {
      #expect(try Self.read(text).isEmpty, "\(text)")
    }
  }

  @Test("receipts that a night rejects are not found")
  func rejected() throws {
    let authority = try OwnStore.authority.get()
    let good = try authority.appReceipt(OwnStore.receipt)
    var foreign = OwnStore.receipt
    foreign.bundleID = "theirs"
    var xcode = OwnStore.receipt
    xcode.receiptType = "Xcode"
    var theirPurchase = OwnStore.purchaseFields
    theirPurchase["bid"] = "theirs"
    let bad = [
      try authority.appReceipt(foreign), try authority.appReceipt(xcode), good.dropLast(1),
      good.dropLast(1) + [good[good.count - 1] ^ 1],
      try OwnStore.foreign.get().appReceipt(OwnStore.receipt),
      try authority.transactionReceipt(theirPurchase),
      try OwnStore.foreign.get().transactionReceipt(OwnStore.purchaseFields),
    ]
    for (index, receipt) in bad.enumerated() {
      #expect(try Self.read(receipt).isEmpty, "\(index)")
      let lines = [good, receipt, good].map { "{\"receipt-data\":\"\(base64($0))\"}\n" }
      #expect(try Self.read(lines.joined()).map(\.line) == [1, 3], "\(index)")
    }
    // The settings decide which apps are ours and which roots are trusted.
    #expect(try Self.read(bad[0], OwnStore.settings(bundleIDs: ["theirs"])).count == 1)
    #expect(try Self.read(bad[4], OwnStore.settings([OwnStore.foreign.get()])).count == 1)
  }

  @Test("a damaged file gives as many raw receipts as a night has documents")
  func damaged() throws {
    let settings = try OwnStore.settings(bundleIDs: ["com.example.reader"])
    let scratch = try ScratchFolder()
    var dice = Dice(2027)
    var found = 0
    let app = try OwnStore.authority.get().appReceipt(OwnStore.receipt)
    let files = try (RawReceiptTests.ways(app) + RawReceiptTests.ways(Self.purchase())).map(\.file)
    for _ in 0..<600 {
      var bytes = files[Int.random(in: 0..<files.count, using: &dice)]
      for _ in 0..<Int.random(in: 0...1, using: &dice) {
        let index = Int.random(in: 0..<min(bytes.count, 100), using: &dice)
        bytes[index] = UInt8.random(in: 0...127, using: &dice)
      }
      let staged = try stage(path: scratch.file("a", bytes), in: .receipts, settings)
      let receipts = try Self.read(bytes, settings)
      #expect(receipts.count == staged.documents.count)
      found += receipts.count
    }
    #expect((100..<600).contains(found))
  }

  @Test("a file cut at any byte gives the receipts of its whole lines, and reading never fails")
  func truncated() throws {
    let receipt = try Self.purchase()
    let line = "{\"receipt-data\":\"\(base64(receipt))\"}\n"
    let file = Array((line + line).utf8)
    for end in RandomCases.places(in: 0..<file.count + 1, few: 350) {
      let found = try Self.read(Array(file.prefix(end)))
      #expect(found.count == (end + 1) / line.utf8.count, "\(end)")
      #expect(found.allSatisfy { $0.bytes == receipt })
    }
  }

  @Test("a receipt in a line that is too long is left out, and the lines around it are used")
  func tooLong() throws {
    let line = "{\"receipt-data\":\"\(base64(try Self.purchase()))\"}\n"
    let long = "{\"x\":\"\(String(repeating: "x", count: 200_000))\",\(line.dropFirst())"
    let short = try OwnStore.settings(documentLimitBytes: 10_000)
    #expect(try Self.read(line + long + line, short).map(\.line) == [1, 3])
    #expect(try Self.read(long + line, short).map(\.line) == [2])
    #expect(try Self.read(line + long + line).map(\.line) == [1, 2, 3])
  }
}
