import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Signed transactions")
struct SignedTransactionTests {
  static let columns =
    "environment transaction_id original_transaction_id web_order_line_item_id product_id quantity "
    + "purchased_at original_purchased_at expires_at cancelled_at evidence_at is_trial "
    + "is_introductory_offer is_promotional_offer is_family_shared is_upgraded price_text currency "
    + "storefront trust is_signed_transaction product_type revocation_percentage account_token "
    + "dates_disagree"

  static let expected =
    "Production | 350001177745405 | 350001177745400 | 350000551234567 | "
    + "com.example.reader.sub.yearly | 2 | 2026-11-18T15:10:00Z | 2026-11-06T21:20:00Z | "
    + "2027-11-18T15:10:00Z | 2026-11-19T01:00:00Z | 2026-11-19T03:04:05Z | true | false | true | "
    + "true | true | 49000.01 | VND | VNM | signed | true | auto_renewable | 50000 | "
    + "7E3FB20B-4cdb-47cc-936d-99d65f608138 | false"

  /// All ways in which a file can contain one transaction, without members beside it.
  static func ways(_ signed: String) throws -> [(way: String, file: String)] {
    [
      ("alone", signed), ("alone in a line", signed + "\n"), ("with CRLF", "\n" + signed + "\r\n"),
      ("one key", #"{"signedTransactionInfo":"\#(signed)"}"#),
      ("one key, indented", "{\n  \"signedTransactionInfo\" :\n\"\(signed)\"\n}\n"),
      ("history", #"{"signedTransactions":["\#(signed)"],"hasMore":false,"bundleId":"x"}"#),
      ("order", #"{"status":0,"signedTransactions":["\#(signed)"]}"#),
      ("order, one entry a line", "{\"status\":0,\"signedTransactions\":[\n\"\(signed)\"\n]}"),
      (
        "statuses",
        #"{"data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[{"status":1,"#
          + #""signedTransactionInfo":"\#(signed)","signedRenewalInfo":"x"}]}]}"#
      ),
      (
        "statuses, one a line",
        "{\"data\":[{\"lastTransactions\":[\n{\"signedTransactionInfo\":\"\(signed)\"}\n]}]}"
      ),
      ("notification", #"{"signedPayload":"\#(try OwnStore.notification(signed: signed))"}"#),
      ("notification alone", try OwnStore.notification(signed: signed)),
      (
        "notifications, one a line",
        "{\"notificationHistory\":[\n{\"signedPayload\":\""
          + (try OwnStore.notification(signed: signed)) + "\"}\n],\"hasMore\":false}"
      ),
      ("as receipt-data", #"{"receipt-data":"\#(signed)"}"#),
      ("Unity", #"{"Store":"AppleAppStore","TransactionID":"1","Payload":"\#(signed)"}"#),
    ]
  }

  @Test("a signed date of 0 is missing, and one before the App Store opened is rejected")
  func earlyDates() throws {
    for (date, cancelled, reasons) in [
      ("0", "-", [String]()), ("1763500000", nil, ["1 | transaction | bad_date"]),
    ] {
      let signed = try OwnStore.sign(OwnStore.payload(["revocationDate": date]))
      let staged = try stage(signed, in: .receipts, OwnStore.settings())
      #expect(staged.evidence.first?["cancelled_at"] == cancelled)
      #expect(staged.reasons == reasons)
    }
  }

  @Test("a transaction gives the same row in every form of file, in blocks of any size")
  func everyWay() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for (way, file) in try Self.ways(signed) {
      for blockBytes in [1, 1000, 1 << 20] {
        let staged = try stage(
          file, in: .receipts,
          OwnStore.settings(bundleIDs: ["com.example.reader"], blockBytes: blockBytes))
        #expect(Staged.drawn(staged.evidence, Self.columns) == [Self.expected], "\(way)")
        #expect(Staged.drawn(staged.documents, "status") == ["0"], "\(way)")
        #expect(staged.counts.transactions.read == 1, "\(way)")
        #expect(staged.rejections.isEmpty, "\(way)")
      }
      let packed = try stage(gzip(Array(file.utf8)), in: .receipts, OwnStore.settings())
      #expect(Staged.drawn(packed.evidence, Self.columns) == [Self.expected], "\(way)")
    }
  }

  @Test("the members beside a transaction are on its row, and its own storefront counts first")
  func envelope() throws {
    let beside =
      #"{"received_at":"2026-12-01T00:00:00Z","account_id":"a-17","device_id":3,"storefront":"USA","#
    for storefront in ["", #""VNM""#] {
      let signed = try OwnStore.sign(OwnStore.payload(["storefront": storefront]))
      for (way, file) in try Self.ways(signed) where file.hasPrefix("{") {
        let staged = try stage(
          beside + file.dropFirst(), in: .receipts, OwnStore.settings())
        #expect(
          Staged.drawn(staged.evidence, "account_id device_id storefront evidence_at") == [
            "a-17 | 3 | \(storefront.isEmpty ? "USA" : "VNM") | 2026-11-19T03:04:05Z"
          ], "\(way)")
      }
    }
  }

  @Test("each entry of a list is one document, even if other entries are rejected")
  func list() throws {
    let good = try (1...3).map {
      try OwnStore.sign(OwnStore.payload(["transactionId": "\"\($0)\""]))
    }
    let bad = try OwnStore.foreign.get().sign(payload: OwnStore.payload())
    let list = [good[0], bad, good[1], good[0], "x", good[2]].map { "\"\($0)\"" } + ["7"]
    let staged = try stage(
      #"{"signedTransactions":[\#(list.joined(separator: ","))]}"#, in: .receipts,
      OwnStore.settings())
    #expect(staged.evidence.map { $0["transaction_id"] } == ["1", "2", "1", "3"])
    #expect(staged.counts.documents.read == 7)
    #expect(Set(staged.documents.map { $0["document_hash"] }).count == 3)
    #expect(
      staged.reasons == [
        "1 | receipt | untrusted_chain", "1 | receipt | malformed", "1 | receipt | malformed",
      ])
    #expect(staged.rejections[0]["raw"] == bad)
  }

  @Test(
    "a value among subscription statuses that is no group is rejected alone",
    arguments: [
      #"{"x":1}"#, "5", "null", #"{"lastTransactions":{}}"#, #"{"lastTransactions":null}"#,
    ])
  func noGroup(value: String) throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let group = #"{"lastTransactions":[{"signedTransactionInfo":"\#(signed)"}]}"#
    for list in ["\(group),\(value)", "\(value),\(group)"] {
      let answer = #"{"data":[\#(list)]}"#
      for file in [answer, #"{"event":{"body":\#(answer)}}"#] {
        let staged = try stage(file, in: .receipts, OwnStore.settings())
        #expect(Staged.drawn(staged.evidence, Self.columns) == [Self.expected], "\(file)")
        #expect(staged.reasons == ["1 | receipt | unsigned"], "\(file)")
        #expect(staged.rejections.first?["raw"] == value)
      }
    }
  }

  @Test("signed texts beside groups without a signed text are found by the search")
  func besideGroups() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for group in [#"{"lastTransactions":[]}"#, #"{"lastTransactions":[{"status":1}]}"#] {
      let staged = try stage(
        #"{"data":[\#(group),{"body":"\#(signed)"}]}"#, in: .receipts, OwnStore.settings())
      #expect(Staged.drawn(staged.evidence, Self.columns) == [Self.expected])
      #expect(staged.rejections.isEmpty)
    }
  }

  @Test("an answer with an empty list is still a document")
  func emptyList() throws {
    for file in [
      #"{"signedTransactions":[]}"#, #"{"notificationHistory":[]}"#, #"{"data":[]}"#,
    ] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(Staged.drawn(staged.documents, "status") == ["0"])
      #expect(staged.counts.transactions.read == 0 && staged.rejections.isEmpty)
    }
  }

  @Test(
    "each member has the meaning that Apple gives it",
    arguments: [
      ("price", "0", "price_text", "0"), ("price", "990", "price_text", "0.99"),
      ("price", "1", "price_text", "0.001"), ("price", "10000", "price_text", "10"),
      ("price", "9223372036854775807", "price_text", "9223372036854775.807"),
      ("price", "", "price_text", "-"),
      ("currency", "", "price_text", "-"), ("quantity", "", "quantity", "-"),
      ("webOrderLineItemId", #""0""#, "web_order_line_item_id", "-"),
      ("webOrderLineItemId", #""""#, "web_order_line_item_id", "-"),
      ("type", #""Consumable""#, "product_type", "consumable"),
      ("type", #""Non-Consumable""#, "product_type", "non_consumable"),
      ("type", #""Non-Renewing Subscription""#, "product_type", "non_renewing"),
      ("type", #""Something New""#, "product_type", "-"),
      ("revocationType", #""REFUND_FULL""#, "revocation_percentage", "100000"),
      ("revocationType", #""FAMILY_REVOKE""#, "revocation_percentage", "-"),
      ("revocationType", "", "revocation_percentage", "-"),
      ("revocationPercentage", "0", "revocation_percentage", "0"),
      ("revocationDate", "", "revocation_percentage", "-"),
      ("offerType", "1", "is_introductory_offer", "true"),
      ("offerType", "1", "is_promotional_offer", "false"),
      ("offerType", "3", "is_promotional_offer", "true"),
      ("offerType", "4", "is_promotional_offer", "true"),
      ("offerType", "77", "is_promotional_offer", "true"),
      ("offerType", "", "is_promotional_offer", "false"),
      ("offerDiscountType", #""PAY_UP_FRONT""#, "is_trial", "false"),
      ("inAppOwnershipType", #""PURCHASED""#, "is_family_shared", "false"),
      ("environment", #""Sandbox""#, "environment", "Sandbox"),
      ("environment", "", "environment", "Production"),
      ("purchaseDate", "1795014600999.9", "purchased_at", "2026-11-18T15:10:00Z"),
    ])
  func member(name: String, value: String, column: String, expected: String) throws {
    let staged = try stage(
      OwnStore.sign(OwnStore.payload([name: value])), in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(staged.evidence, column) == [expected])
  }

  @Test(
    "a transaction with a bad member is rejected with its reason",
    arguments: [
      ("transactionId", "", "missing_field"), ("transactionId", #""a b""#, "bad_identifier"),
      ("productId", "", "missing_field"), ("productId", #""\u0000""#, "bad_identifier"),
      ("purchaseDate", "", "missing_field"), ("purchaseDate", "true", "bad_date"),
      ("purchaseDate", "9e18", "bad_date"), ("expiresDate", #""soon""#, "bad_date"),
      ("quantity", "0", "bad_quantity"), ("quantity", "1.5", "bad_quantity"),
      ("price", "-1", "bad_amount"), ("price", "0.5", "bad_amount"),
      ("price", "9223372036854775808", "bad_amount"), ("currency", #""usd""#, "bad_amount"),
      ("revocationPercentage", "100001", "bad_number"),
      ("revocationPercentage", "-1", "bad_number"), ("offerType", "true", "bad_number"),
      ("appAccountToken", "[]", "bad_identifier"), ("isUpgraded", #""yes""#, "unknown_value"),
    ])
  func badMember(name: String, value: String, reason: String) throws {
    let signed = try OwnStore.sign(OwnStore.payload([name: value]))
    let staged = try stage(signed + "\n", in: .receipts, OwnStore.settings())
    #expect(staged.reasons == ["1 | transaction | \(reason)"])
    #expect(staged.rejections[0]["raw"] == signed)
    #expect(staged.documents.count == 1 && staged.counts.transactions.read == 1)
  }

  @Test("a signed text that fails a check gives no rows, and is rejected with its reason")
  func reasons() throws {
    let payload = OwnStore.payload()
    let signed = try OwnStore.sign(payload)
    var parts = signed.split(separator: ".").map(String.init)
    parts[1] = try String(
      OwnStore.sign(OwnStore.payload(["quantity": "3"])).split(separator: ".")[1])
    var noCertificates = TransactionForm()
    noCertificates.certificates = nil
    let authority = try OwnStore.authority.get()
    let cases: [(text: String, reason: String)] = [
      (parts.joined(separator: "."), "bad_signature"),
      (try OwnStore.foreign.get().sign(payload: payload), "untrusted_chain"),
      (try OwnStore.expired.get().sign(payload: payload), "expired_certificate"),
      (try OwnStore.sign(OwnStore.payload(["signedDate": ""])), "malformed"),
      (try OwnStore.sign(OwnStore.payload(["signedDate": "9e18"])), "malformed"),
      (try authority.sign(payload: payload, form: noCertificates), "malformed"),
      (try OwnStore.sign("[]"), "malformed"), (try OwnStore.sign("x"), "malformed"),
      (try OwnStore.sign(OwnStore.payload(["bundleId": #""theirs""#])), "foreign_bundle"),
      (try OwnStore.sign(OwnStore.payload(["bundleId": ""])), "foreign_bundle"),
      (
        try OwnStore.foreign.get().sign(
          payload: OwnStore.payload(["environment": #""Xcode""#])), "xcode"
      ),
      (try OwnStore.sign(OwnStore.payload(["environment": #""LocalTesting""#])), "xcode"),
    ]
    let settings = try OwnStore.settings(
      [authority, OwnStore.expired.get()], bundleIDs: ["com.example.reader"])
    for (text, reason) in cases {
      for file in [text + "\n", #"{"signedTransactionInfo":"\#(text)"}"#] {
        let staged = try stage(file, in: .receipts, settings)
        #expect(staged.reasons == ["1 | receipt | \(reason)"])
        #expect(staged.evidence.isEmpty && staged.documents.isEmpty)
      }
      let inside = try stage(
        #"{"signedPayload":"\#(try OwnStore.notification(signed: text))"}"#, in: .receipts, settings
      )
      #expect(inside.reasons == ["1 | receipt | \(reason)"])
    }
  }

  @Test("signed evidence counts under trust: signed")
  func trust() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    #expect(
      try stage(signed, in: .receipts, OwnStore.settings(trust: .signed)).evidence.count == 1)
  }

  @Test(
    "a signed text without a purchase is a document without transactions",
    arguments: [
      #"{"originalTransactionId":"1","productId":"a","autoRenewStatus":1,"signedDate":1795057445000}"#,
      #"{"receiptType":"Production","bundleId":"com.example.reader","receiptCreationDate":1795057445000}"#,
    ])
  func noPurchase(payload: String) throws {
    let staged = try stage(
      OwnStore.sign(payload), in: .receipts, OwnStore.settings(bundleIDs: ["com.example.reader"]))
    #expect(Staged.drawn(staged.documents, "status") == ["0"])
    #expect(staged.evidence.isEmpty && staged.rejections.isEmpty)
    #expect(staged.counts.transactions.read == 0)
  }

  @Test("a decoded payload is unsigned, and an error of Apple is a status")
  func unsigned() throws {
    for (file, reason) in [
      (OwnStore.payload(), "unsigned"),
      (#"{"notificationType":"DID_RENEW","notificationUUID":"1","data":{}}"#, "unsigned"),
      (#"{"receiptType":"Production","bundleId":"com.example.reader"}"#, "unsigned"),
      (#"{"data":[{"lastTransactions":[{"status":1}]}]}"#, "unsigned"),
      (#"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#, "status_4040010"),
      (#"{"errorCode":"4040010"}"#, "status_4040010"), (#"{"errorCode":[]}"#, "not_a_receipt"),
      (#"{"signedPayload":7}"#, "not_a_receipt"), (#"{"signedTransactions":{}}"#, "not_a_receipt"),
      (#"{"account_id":"a b\u0000","signedTransactions":[]}"#, "bad_identifier"),
      (#"{"status":1,"signedTransactions":null}"#, "status_1"),
      (#"{"signedTransactionInfo":"a.b.c"}"#, "malformed"),
    ] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(staged.reasons == ["1 | receipt | \(reason)"], "\(file)")
    }
  }

  @Test("a transaction that is cut anywhere gives no row and one rejection")
  func truncation() throws {
    let signed = Array(try OwnStore.sign(OwnStore.payload()).utf8)
    let settings = try OwnStore.settings()
    for length in stride(from: 1, to: signed.count, by: 1) {
      let staged = try stage(Array(signed[..<length]), in: .receipts, settings)
      #expect(staged.evidence.isEmpty && staged.rejections.count == 1, "cut at \(length)")
    }
    // The last line is taken up again when the file has grown.
    let growing = try stage(
      signed + [10] + Array(signed.dropLast(3)), in: .receipts, named: "a", settings)
    #expect(growing.evidence.count == 1)
    #expect(growing.reasons == ["2 | receipt | truncated"])
  }
}
