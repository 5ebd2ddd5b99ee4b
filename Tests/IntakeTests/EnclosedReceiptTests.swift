import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Receipts that answers enclose")
struct EnclosedReceiptTests {
  static let entry = ReceiptTests.entry

  /// The receipt of the tests' own App Store, and one of iOS 6.
  private static func receipts() throws -> (new: String, old: String) {
    let authority = try OwnStore.authority.get()
    return (
      base64(try authority.appReceipt(OwnStore.receipt)),
      base64(try authority.transactionReceipt(OwnStore.purchaseFields))
    )
  }

  /// All places in which an answer or a notification encloses a receipt, beside one transaction.
  static func places(_ receipt: String) -> [(place: String, file: String)] {
    let lists =
      #""receipt":{"bundle_id":"com.example.reader","in_app":[]},"latest_receipt_info":[\#(entry)]"#
    let answer = #"{"status":0,\#(lists),"latest_receipt":"\#(receipt)"}"#
    let first = #"{"notification_type":"RENEWAL","bid":"com.example.reader","#
    let beside = #""latest_receipt":"\#(receipt)"}"#
    return [
      ("answer", answer), ("envelope", #"{"verifyReceiptResponse":\#(answer)}"#),
      ("camel case", answer.replacing("latest_receipt\"", with: "latestReceipt\"")),
      ("expired", answer.replacing("latest_receipt\"", with: "latest_expired_receipt\"")),
      ("notification", first + #""unified_receipt":\#(answer)}"#),
      (
        "notification, beside its answer",
        first + #""unified_receipt":{"latest_receipt_info":[\#(entry)]},"# + beside
      ),
      ("notification, twice", first + #""unified_receipt":\#(answer),"# + beside),
      (
        "notification without unified_receipt",
        first + #""latest_receipt_info":\#(entry),"# + beside
      ),
      (
        "notification with a status",
        first + #""status":0,"latest_receipt_info":\#(entry),"# + beside
      ),
    ]
  }

  @Test("enclosed receipts are signed documents of their own in every place")
  func everyPlace() throws {
    let receipts = try Self.receipts()
    for (receipt, ids) in [
      (receipts.new, ["350001177745405", "180001177581605"]), (receipts.old, ["1000000181298734"]),
    ] {
      let alone = try stage(receipt, in: .receipts, OwnStore.settings())
      for (place, file) in Self.places(receipt) {
        let staged = try stage(
          file, in: .receipts, OwnStore.settings(bundleIDs: ["com.example.reader"]))
        #expect(staged.rejections.isEmpty, "\(place)")
        #expect(
          Staged.drawn(staged.evidence, "transaction_id trust")
            == ["2 | apple_response"] + ids.map { "\($0) | signed" }, "\(place)")
        #expect(staged.documents.count == 2, "\(place)")
        // The same receipt is the same document and gives the same facts.
        #expect(
          staged.documents.last?["document_hash"] == alone.documents.first?["document_hash"])
        #expect(Array(staged.said.dropFirst()) == alone.said, "\(place)")
      }
    }
  }

  @Test("enclosed receipts have the account and device of the envelope")
  func envelope() throws {
    let receipt = try Self.receipts().new
    let beside = #""account_id":"a","device_id":"d","storefront":"DEU""#
    for file in [
      #"{\#(beside),"verifyReceiptResponse":{"status":0,"latest_receipt":"\#(receipt)"}}"#,
      #"{\#(beside),"latest_receipt":"\#(receipt)"}"#,
      #"{\#(beside),"notification_type":"RENEWAL","latest_receipt":"\#(receipt)"}"#,
    ] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, "account_id device_id storefront")
          == ["a | d | DEU", "a | d | DEU"])
    }
  }

  @Test("the refund of a notification with nothing but a receipt is reported")
  func unplacedRefund() throws {
    let receipts = try Self.receipts()
    let refund =
      #""notification_type":"CANCEL","cancellation_date_ms":"1795000000000","web_order_line_item_id":"350000200000001""#
    for (receipt, count) in [(receipts.new, 2), (receipts.old, 1)] {
      for file in [
        #"{\#(refund),"latest_receipt":"\#(receipt)"}"#,
        #"{\#(refund),"unified_receipt":{"latest_receipt":"\#(receipt)"}}"#,
      ] {
        let staged = try stage(file, in: .receipts, OwnStore.settings())
        #expect(staged.reasons == ["1 | transaction | missing_field"])
        #expect(staged.rejections[0]["detail"]?.contains("has a cancellation_date") == true)
        #expect(staged.evidence.count == count)
      }
    }
  }

  @Test(
    "an answer with nothing but a receipt gives only that receipt, under either trust",
    arguments: [
      "", #""status":0,"#, #""status":"21006","environment":"Production","#,
      #""status":0,"receipt":{},"latest_receipt_info":[],"pending_renewal_info":[],"#,
      #""receipt":null,"latest_receipt_info":{},"latest_expired_receipt_info":"","#,
      #""notification_type":"RENEWAL","#, #""notification_type":"RENEWAL","status":0,"#,
    ])
  func nothingElse(members: String) throws {
    let receipts = try Self.receipts()
    for (receipt, count) in [(receipts.new, 2), (receipts.old, 1)] {
      for trust in [EvidenceTrust.appleResponse, .signed] {
        let settings = try OwnStore.settings(bundleIDs: ["com.example.reader"], trust: trust)
        let answer = #"{\#(members)"latest_receipt":"\#(receipt)"}"#
        let wrapped = #"{"verifyReceiptResponse":\#(answer)}"#
        for (file, lines) in [(answer, 1), (answer + "\n" + answer, 2), (wrapped, 1)] {
          if members.contains("notification"), file == wrapped { continue }
          let staged = try stage(file, in: .receipts, settings)
          #expect(staged.rejections.isEmpty)
          #expect(staged.documents.count == lines && staged.evidence.count == count * lines)
          #expect(!staged.counts.leavesOutUnsigned)
        }
      }
    }
  }

  @Test("enclosed receipts that do not verify are rejected alone")
  func rejected() throws {
    let authority = try OwnStore.authority.get()
    let bytes = try authority.appReceipt(OwnStore.receipt)
    var theirs = OwnStore.receipt
    theirs.bundleID = "theirs"
    var xcode = OwnStore.receipt
    xcode.receiptType = "Xcode"
    let cases = [
      (base64(bytes.dropLast(1) + [bytes[bytes.count - 1] ^ 1]), "bad_signature"),
      (base64(try OwnStore.foreign.get().appReceipt(OwnStore.receipt)), "untrusted_chain"),
      (base64(try OwnStore.expired.get().appReceipt(OwnStore.receipt)), "expired_certificate"),
      (base64(try authority.appReceipt(theirs)), "foreign_bundle"),
      (base64(try authority.appReceipt(xcode)), "xcode"),
      (base64(bytes.dropLast(1)), "malformed"), ("...", "malformed"),
    ]
    for (receipt, reason) in cases {
      for (place, file) in Self.places(receipt) {
        let staged = try stage(
          file, in: .receipts, OwnStore.settings(bundleIDs: ["com.example.reader"]))
        #expect(
          Staged.drawn(staged.evidence, "transaction_id trust") == ["2 | apple_response"],
          "\(place)")
        #expect(staged.documents.count == 1, "\(place)")
        #expect(staged.reasons == ["1 | receipt | \(reason)"], "\(place)")
        #expect(staged.rejections.first?["raw"] == receipt, "\(place)")
      }
      let alone = try stage(
        #"{"status":0,"latest_receipt":"\#(receipt)"}"#, in: .receipts,
        OwnStore.settings(bundleIDs: ["com.example.reader"]))
      #expect(alone.reasons == ["1 | receipt | \(reason)"])
      #expect(alone.documents.isEmpty)
    }
  }

  @Test(
    "enclosed receipts that are no text are rejected alone, and null or empty ones are ignored",
    arguments: [
      ("7", true), ("true", true), (#"["x"]"#, true), (#"{"a":1}"#, true), ("null", false),
      ("\"\"", false), ("\" \"", false), ("[]", false), ("{}", false),
    ])
  func noText(value: String, isRejected: Bool) throws {
    let staged = try stage(
      #"{"status":0,"receipt":{"in_app":[\#(Self.entry)]},"latest_receipt":\#(value)}"#,
      in: .receipts)
    #expect(staged.evidence.count == 1 && staged.documents.count == 1)
    #expect(staged.reasons == (isRejected ? ["1 | receipt | malformed"] : []))
  }

  @Test("under trust: signed, only the enclosed receipts of an answer are used")
  func trust() throws {
    let receipt = try Self.receipts().new
    let foreign = base64(try OwnStore.foreign.get().appReceipt(OwnStore.receipt))
    for (place, file) in Self.places(receipt) {
      let staged = try stage(file, in: .receipts, OwnStore.settings(trust: .signed))
      #expect(staged.rejections.isEmpty, "\(place)")
      #expect(
        Staged.drawn(staged.evidence, "transaction_id trust")
          == ["350001177745405 | signed", "180001177581605 | signed"], "\(place)")
      #expect(staged.documents.count == 1, "\(place)")
      #expect(staged.counts.leavesOutUnsigned, "\(place)")
    }
    for (place, file) in Self.places(foreign) {
      let staged = try stage(file, in: .receipts, OwnStore.settings(trust: .signed))
      #expect(
        staged.reasons == ["1 | receipt | untrusted_chain", "1 | receipt | unsigned"], "\(place)")
      #expect(staged.documents.isEmpty && staged.evidence.isEmpty, "\(place)")
      #expect(!staged.counts.leavesOutUnsigned, "\(place)")
    }
  }

  @Test(
    "the receipt in an unusable answer counts, unless Apple's status is an error",
    arguments: [
      (#""status":0,"receipt":{"bundle_id":"theirs","in_app":[]}"#, "foreign_bundle", 1),
      (#""receipt":{"bundle_id":"com.example.reader"}"#, "not_a_receipt", 1),
      (
        #""status":0,"receipt":{"bundle_id":"com.example.reader","request_date":"soon"}"#,
        "bad_date", 1
      ),
      (#""status":21003"#, "status_21003", 0), (#""status":21007"#, nil, 1),
    ])
  func refused(members: String, reason: String?, documents: Int) throws {
    let receipt = try Self.receipts().new
    let staged = try stage(
      #"{\#(members),"latest_receipt":"\#(receipt)"}"#, in: .receipts,
      OwnStore.settings(bundleIDs: ["com.example.reader"]))
    #expect(staged.rejections.map { $0["reason"] } == (reason.map { [$0] } ?? []))
    #expect(staged.documents.count == documents)
    #expect(staged.evidence.isEmpty == members.contains("21"))
  }

  @Test("the rejection of an enclosed text names its member or its entry")
  func placeOfRejection() throws {
    let answer =
      #"{"status":0,"latest_receipt_info":[\#(Self.entry)],"latest_receipt":"MIIT"}"#
    for (file, place) in [
      (answer, "In latest_receipt: "),
      (
        answer.replacing("latest_receipt\"", with: "latestExpiredReceipt\""),
        "In latest_expired_receipt: "
      ),
      (#"{"event":{"body":\#(answer)}}"#, "At /event/body, in latest_receipt: "),
      (
        #"{"signedTransactions":["eyJ.e30.YQ","eyJ.e30.YQ"]}"#, "In entry 1 of signedTransactions: "
      ),
      (#"{"data":[{"lastTransactions":[{"x":1}]}]}"#, "In entry 1 of lastTransactions: "),
      (#"{"notificationHistory":[{"signedPayload":7}]}"#, "In entry 1 of notificationHistory: "),
    ] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      let detail = try #require(staged.rejections.first?["detail"])
      #expect(detail.hasPrefix(place), "\(detail)")
    }
  }

  @Test("a receipt whose plus signs a form turned into spaces is the same document")
  func spacesForPlusSigns() throws {
    let authority = try OwnStore.authority.get()
    // Each signature differs, so one of a few receipts has a plus sign.
    let text = try #require(
      try (0..<50).lazy.map { _ in base64(try authority.appReceipt(OwnStore.receipt)) }
        .first { $0.contains("+") })
    let spaced = text.replacing("+", with: " ")
    let alone = try stage(text, in: .receipts, OwnStore.settings())
    for file in [spaced, spaced + "\n", #"{"receipt-data":"\#(spaced)"}"#] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(staged.rejections.isEmpty)
      #expect(staged.said == alone.said)
      #expect(staged.documents.first?["document_hash"] == alone.documents.first?["document_hash"])
    }
    let forged = try stage(spaced, in: .receipts)
    #expect(forged.reasons == ["1 | receipt | untrusted_chain"])
  }
}
