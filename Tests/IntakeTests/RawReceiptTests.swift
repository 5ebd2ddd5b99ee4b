import DamageTestSupport
import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Raw receipts")
struct RawReceiptTests {
  static let columns =
    "environment transaction_id original_transaction_id product_id quantity purchased_at "
    + "original_purchased_at expires_at cancelled_at evidence_at web_order_line_item_id is_trial "
    + "is_introductory_offer trust is_signed_transaction product_type"

  static let expected = [
    "Production | 350001177745405 | 350001177745405 | com.example.reader.sub.yearly | 1 | "
      + "2026-11-14T13:30:00Z | 2026-11-14T13:30:00Z | 2027-11-14T13:30:00Z | - | "
      + "2026-11-19T03:04:05Z | 350000551234567 | false | true | signed | false | auto_renewable",
    "Production | 180001177581605 | 180001177581605 | com.example.reader.book.moby_dick | 1 | "
      + "2026-11-14T10:00:00Z | 2026-11-14T10:00:00Z | - | 2026-11-16T00:00:00Z | "
      + "2026-11-19T03:04:05Z | - | false | false | signed | false | non_consumable",
  ]

  /// All ways in which a file can contain one receipt.
  static func ways(_ bytes: [UInt8]) throws -> [(way: String, file: [UInt8])] {
    let text = base64(bytes)
    let escaped = text.replacing("+", with: "%2B").replacing("/", with: "%2F")
      .replacing("=", with: "%3D")
    let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let unity = #"{"Store":"AppleAppStore","TransactionID":"1","Payload":"\#(text)"}"#
    var ways: [(String, String)] = [
      ("base64", text), ("a line", text + "\n"), ("escaped", escaped), ("base64url", url + "\r\n"),
      ("many lines", base64(bytes, wrapped: true)), ("Unity", unity),
      ("Unity in a text", #"{"receipt-data":\#(try json(unity))}"#),
      ("Unity twice", #"{"Store":"MacAppStore","Payload":\#(try json(unity))}"#),
      ("wrapped key", #"{"receipt-data":\#(try json(base64(bytes, wrapped: true)))}"#),
    ]
    for key in ["receipt-data", "receipt_data", "receiptData"] {
      for value in [text, escaped, url] {
        ways.append((key, #"{"\#(key)":"\#(value)","password":"x"}"#))
        ways.append((key, "{\n\"\(key)\":\"\(value)\"\n}"))
      }
    }
    return ways.map { ($0, Array($1.utf8)) } + [("binary", bytes)]
  }

  @Test("an app receipt gives the same rows in every form of file", arguments: [true, false])
  func everyWay(isBER: Bool) throws {
    var form = ReceiptForm()
    form.encoding = isBER ? .indefinite : .der
    let receipt = try OwnStore.authority.get().appReceipt(OwnStore.receipt, form: form)
    var hashes: Set<String?> = []
    for (way, file) in try Self.ways(receipt) {
      for blockBytes in [1, 1 << 20] {
        let settings = try OwnStore.settings(
          bundleIDs: ["com.example.reader"], trust: .signed, blockBytes: blockBytes)
        for bytes in [file, try gzip(file)] {
          let staged = try stage(bytes, in: .receipts, settings)
          #expect(Staged.drawn(staged.evidence, Self.columns) == Self.expected, "\(way)")
          #expect(Staged.drawn(staged.documents, "status") == ["0"], "\(way)")
          #expect(staged.counts.transactions.read == 2, "\(way)")
          hashes.formUnion(staged.documents.map { $0["document_hash"] })
        }
      }
    }
    #expect(hashes.count == 1)
  }

  @Test("a receipt of iOS 6 gives the same row in every form of file")
  func everyWayOfPurchase() throws {
    let receipt = try OwnStore.authority.get().transactionReceipt(
      OwnStore.purchaseFields, environment: "Sandbox")
    for (way, file) in try Self.ways(receipt) {
      let staged = try stage(
        file, in: .receipts, named: "a", OwnStore.settings(bundleIDs: ["com.example.reader"]))
      #expect(
        Staged.drawn(staged.evidence, Self.columns) == [
          "Sandbox | 1000000181298734 | 1000000180636226 | yearly | 1 | 2026-11-19T03:04:05Z | "
            + "2026-11-18T11:06:40Z | 2026-11-30T00:53:20Z | - | 2026-11-19T03:04:05Z | "
            + "1000000029801713 | false | false | signed | false | -"
        ], "\(way)")
    }
  }

  @Test("a receipt's offers, family sharing and upgrades are on the rows of its purchases")
  func flags() throws {
    let authority = try OwnStore.authority.get()
    let columns =
      "is_trial is_introductory_offer is_promotional_offer is_family_shared is_upgraded"
    for offer in ["autumn", "", "0", "false", nil] {
      var receipt = OwnStore.receipt
      receipt.purchases = [receipt.purchases[1]]
      receipt.purchases[0].promotionalOfferID = offer
      let staged = try stage(
        try authority.appReceipt(receipt), in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, columns) == [
          "false | false | \(offer == "autumn") | false | false"
        ])
    }
    let texts = [
      ("is-trial-period", "true"), ("is-in-intro-offer-period", "true"),
      ("promotional-offer-id", "autumn"), ("in-app-ownership-type", "FAMILY_SHARED"),
      ("is-upgraded", "true"),
    ]
    let none = [("", ""), ("promotional-offer-id", "0"), ("offer-code-ref-name", "false")]
    for (name, value) in none + texts + [("offer-code-ref-name", "code")] {
      var said = OwnStore.purchaseFields
      if !name.isEmpty { said[name] = value }
      let staged = try stage(
        try authority.transactionReceipt(said), in: .receipts, OwnStore.settings())
      let same = name == "offer-code-ref-name" ? "promotional-offer-id" : name
      let isNone = none.contains { $0 == (name, value) }
      let expected = texts.map { $0.0 == same && !isNone ? "true" : "false" }
        .joined(separator: " | ")
      #expect(Staged.drawn(staged.evidence, columns) == [expected], "\(name)")
    }
  }

  @Test(
    "a flag of a receipt of iOS 6 is read as in an answer",
    arguments: [
      ("TRUE", true), ("1", true), ("False", false), ("0", false), ("", false), ("t", nil),
    ])
  func writtenFlags(written: String, isSet: Bool?) throws {
    for (name, column) in [
      ("is-trial-period", "is_trial"), ("is-in-intro-offer-period", "is_introductory_offer"),
      ("is-upgraded", "is_upgraded"),
    ] {
      var said = OwnStore.purchaseFields
      said[name] = written
      let staged = try stage(
        try OwnStore.authority.get().transactionReceipt(said), in: .receipts, OwnStore.settings())
      #expect(staged.evidence.first?[column] == isSet.map { "\($0)" }, "\(name)")
      #expect(
        staged.rejections.compactMap { $0["reason"] } == (isSet == nil ? ["unknown_value"] : []),
        "\(name)")
    }
  }

  @Test("the members beside a receipt are on its rows, and date a receipt of iOS 6")
  func envelope() throws {
    let authority = try OwnStore.authority.get()
    let beside =
      #"{"received_at":"2026-12-01T00:00:00Z","account_id":"a","device_id":"d","storefront":"USA","#
    let columns = "account_id device_id storefront evidence_at environment"
    let new = try stage(
      beside + #""receipt-data":"\#(base64(try authority.appReceipt(OwnStore.receipt)))"}"#,
      in: .receipts, OwnStore.settings())
    #expect(
      Set(Staged.drawn(new.evidence, columns))
        == ["a | d | USA | 2026-11-19T03:04:05Z | Production"])
    let old = try stage(
      beside
        + #""receipt-data":"\#(base64(try authority.transactionReceipt(OwnStore.purchaseFields)))"}"#,
      in: .receipts, OwnStore.settings())
    #expect(
      Staged.drawn(old.evidence, columns) == ["a | d | USA | 2026-12-01T00:00:00Z | Production"])
  }

  @Test("receipts of one file, each on its own line, are documents by themselves")
  func lines() throws {
    let authority = try OwnStore.authority.get()
    var other = OwnStore.receipt
    other.createdAt = "2026-11-20T00:00:00Z"
    let lines = [
      base64(try authority.appReceipt(OwnStore.receipt)), "{\"receipt-data\":\"x\"}",
      base64(try authority.appReceipt(other)), try OwnStore.sign(OwnStore.payload()),
      base64(try authority.transactionReceipt(OwnStore.purchaseFields)),
      #"{"status":0,"receipt":{"in_app":[]}}"#,
    ]
    let staged = try stage(lines.joined(separator: "\n"), in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(staged.documents, "line") == ["1", "3", "4", "5", "6"])
    #expect(staged.counts.transactions.read == 6)
    #expect(staged.reasons == ["2 | receipt | malformed"])
  }

  @Test("a receipt and Apple's answer about it in one envelope are two documents")
  func both() throws {
    let receipt = base64(try OwnStore.authority.get().appReceipt(OwnStore.receipt))
    let staged = try stage(
      #"{"receipt-data":"\#(receipt)","verifyReceiptResponse":{"status":21007}}"#, in: .receipts,
      OwnStore.settings())
    #expect(Staged.drawn(staged.documents, "status") == ["0", "21007"])
    #expect(staged.counts.transactions.read == 2)
  }

  @Test(
    "a receipt's type shows its environment",
    arguments: [
      ("Production", "Production"), ("ProductionVPP", "Production"),
      ("ProductionSandbox", "Sandbox"), ("ProductionVPPSandbox", "Sandbox"), (nil, "Production"),
      ("Something", "Something"),
    ])
  func environment(type: String?, expected: String) throws {
    var receipt = OwnStore.receipt
    receipt.receiptType = type
    let staged = try stage(
      OwnStore.authority.get().appReceipt(receipt), in: .receipts, OwnStore.settings())
    #expect(Set(Staged.drawn(staged.evidence, "environment")) == [expected])
  }

  @Test("a bad purchase is rejected alone")
  func badPurchases() throws {
    var receipt = OwnStore.receipt
    for change: (inout TestPurchase) -> Void in [
      { $0.transactionID = nil }, { $0.transactionID = "a b" }, { $0.productID = "" },
      { $0.productID = String(repeating: "x", count: 9000) }, { $0.purchaseDate = nil },
      { $0.purchaseDate = "yesterday" }, { $0.quantity = 0 },
    ] {
      var purchase = TestPurchase(
        transactionID: "1", productID: "a\"b", purchaseDate: "2026-11-14T13:30:00Z")
      change(&purchase)
      receipt.purchases.append(purchase)
    }
    let staged = try stage(
      OwnStore.authority.get().appReceipt(receipt), in: .receipts, OwnStore.settings())
    #expect(staged.evidence.count == 2)
    // A set in DER has an order of its own.
    #expect(
      staged.rejections.compactMap { $0["reason"] }.sorted() == [
        "bad_date", "bad_identifier", "bad_identifier", "bad_quantity", "missing_field",
        "missing_field", "missing_field",
      ])
    #expect(staged.rejections.allSatisfy { $0["kind"] == "transaction" })
    #expect(staged.rejections.contains { $0["raw"]?.contains(#""product_id":"a\"b""#) == true })
  }

  @Test("a receipt that fails a check gives no rows, and is rejected with its reason")
  func reasons() throws {
    let authority = try OwnStore.authority.get()
    let bytes = try authority.appReceipt(OwnStore.receipt)
    var xcode = OwnStore.receipt
    xcode.receiptType = "Xcode"
    var foreign = OwnStore.receipt
    foreign.bundleID = "theirs"
    var nameless = OwnStore.receipt
    nameless.bundleID = nil
    var undated = OwnStore.receipt
    undated.createdAt = nil
    let cases: [([UInt8], String)] = [
      (bytes.dropLast(1) + [bytes[bytes.count - 1] ^ 1], "bad_signature"),
      (try OwnStore.foreign.get().appReceipt(OwnStore.receipt), "untrusted_chain"),
      (try OwnStore.expired.get().appReceipt(OwnStore.receipt), "expired_certificate"),
      (try authority.appReceipt(xcode), "xcode"), (bytes.dropLast(1), "malformed"),
      (try authority.appReceipt(foreign), "foreign_bundle"),
      (try authority.appReceipt(nameless), "foreign_bundle"),
      (try authority.appReceipt(undated), "malformed"),
      (
        try authority.transactionReceipt(["bid": "theirs", "purchase-date-ms": "1795057445000"]),
        "foreign_bundle"
      ),
      (try OwnStore.foreign.get().transactionReceipt(OwnStore.purchaseFields), "untrusted_chain"),
      (Array("{ \"purchase-info\" = \"eA==\"; }".utf8), "malformed"),
      (Array("neither".utf8), "malformed"),
    ]
    let settings = try OwnStore.settings(
      [authority, OwnStore.expired.get()], bundleIDs: ["com.example.reader"])
    for (bytes, reason) in cases {
      let staged = try stage(
        #"{"receipt-data":"\#(base64(bytes))","account_id":"a"}"#, in: .receipts, settings)
      #expect(staged.reasons == ["1 | receipt | \(reason)"])
      #expect(staged.evidence.isEmpty && staged.documents.isEmpty)
      guard bytes.first == 0x30 || bytes.first == 0x7b else { continue }
      let alone = try stage(bytes, in: .receipts, named: "a", settings)
      #expect(alone.reasons == ["1 | receipt | \(reason)"])
    }
  }

  @Test(
    "a value that is no receipt is rejected with its reason",
    arguments: [
      (#"{"receipt-data":""}"#, "malformed"), (#"{"receipt-data":"*"}"#, "malformed"),
      (#"{"receipt-data":5}"#, "not_a_receipt"), (#"{"receipt-data":"{}"}"#, "malformed"),
      (#"{"receipt-data":"{\"Payload\":\"\"}"}"#, "malformed"),
      (#"{"Store":"GooglePlay","Payload":"{}"}"#, "not_a_receipt"),
      (#"{"Store":"AppleAppStore","Payload":{}}"#, "not_a_receipt"),
      (
        #"{"Store":"AppleAppStore","Payload":"{\"Store\":\"GooglePlay\",\"Payload\":\"\"}"}"#,
        "not_a_receipt"
      ),
    ])
  func noReceipt(file: String, reason: String) throws {
    #expect(
      try stage(file, in: .receipts, OwnStore.settings()).reasons == ["1 | receipt | \(reason)"])
  }

  @Test("a receipt that is wrapped too often is refused")
  func wraps() throws {
    var text = base64(try OwnStore.authority.get().appReceipt(OwnStore.receipt))
    for _ in 0..<16 { text = #"{"Payload":\#(try json(text))}"# }
    #expect(
      try stage(text, in: .receipts, OwnStore.settings()).reasons == ["1 | receipt | malformed"])
  }

  @Test("a receipt in base64 is truncated if the file ends in it")
  func growing() throws {
    let authority = try OwnStore.authority.get()
    let app = base64(try authority.appReceipt(OwnStore.receipt))
    let old = base64(try authority.transactionReceipt(OwnStore.purchaseFields))
    for text in [app, old] {
      for missing in [5, text.count / 2] {
        let open = "\(app)\n\(text.dropLast(missing))"
        let staged = try stage(open, in: .receipts, OwnStore.settings())
        #expect(staged.documents.count == 1)
        #expect(staged.reasons == ["2 | receipt | truncated"], "\(missing)")
        let closed = try stage(open + "\n", in: .receipts, OwnStore.settings())
        #expect(closed.reasons == ["2 | receipt | malformed"], "\(missing)")
      }
    }
  }

  @Test("the rejection of several receipts in lines of base64 says that they are several")
  func severalInLines() throws {
    let authority = try OwnStore.authority.get()
    for receipt in [
      try authority.appReceipt(OwnStore.receipt),
      try authority.transactionReceipt(OwnStore.purchaseFields),
    ] {
      let lines = base64(receipt, wrapped: true) + "\n"
      let staged = try stage(lines + lines, in: .receipts, OwnStore.settings())
      #expect(staged.reasons == ["1 | receipt | malformed"])
      #expect(staged.rejections[0]["detail"]?.contains("several receipts") == true)
    }
  }

  @Test("a receipt that is cut anywhere is rejected, unless only its padding is cut")
  func truncation() throws {
    let authority = try OwnStore.authority.get()
    let settings = try OwnStore.settings()
    let scratch = try ScratchFolder()
    let app = try authority.appReceipt(OwnStore.receipt)
    let old = try authority.transactionReceipt(OwnStore.purchaseFields)
    let key = #"{"receipt-data":"\#(base64(app))"}"#
    for form in [app, Array(base64(app).utf8), old, Array(base64(old).utf8), Array(key.utf8)] {
      for length in RandomCases.places(in: 1..<form.count, few: 350) {
        let staged = try stage(
          path: scratch.file("a", Array(form[..<length])), in: .receipts, settings)
        // If the cut is in the padding or in the last white space, nothing is missing.
        guard staged.evidence.isEmpty else {
          #expect(form.count - length <= 3)
          continue
        }
        #expect(staged.rejections.count == 1, "cut at \(length)")
      }
    }
  }
}
