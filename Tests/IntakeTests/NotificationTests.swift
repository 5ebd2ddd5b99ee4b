import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Server notifications")
struct NotificationTests {
  @Test("a retry is the same document, and its transaction has the same hash")
  func retry() throws {
    let first = try OwnStore.sign(OwnStore.payload())
    let second = try OwnStore.sign(OwnStore.payload(["signedDate": "1795057446000"]))
    let staged = try stage(
      [
        try OwnStore.notification(signed: first),
        try OwnStore.notification(signed: second, signedDate: OwnStore.signedDate + 5000),
        try OwnStore.notification(uuid: "another", signed: first),
      ].map { #"{"signedPayload":"\#($0)"}"# }.joined(separator: "\n"), in: .receipts,
      OwnStore.settings())
    let hashes = staged.documents.map { $0["document_hash"] }
    #expect(hashes[0] == hashes[1] && hashes[0] != hashes[2])
    #expect(Set(staged.evidence.map { $0["content_hash"] }).count == 1)
    #expect(
      staged.evidence.map { $0["evidence_at"] } == [
        "2026-11-19T03:04:05Z", "2026-11-19T03:04:06Z", "2026-11-19T03:04:05Z",
      ])
  }

  @Test("REFUND_REVERSED removes the refund of its transaction, and no other notification does")
  func reversed() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for (type, expected) in [
      ("REFUND", "2026-11-19T01:00:00Z | 50000 | true"), ("REFUND_REVERSED", "- | - | false"),
      ("SOMETHING_NEW", "2026-11-19T01:00:00Z | 50000 | true"),
    ] {
      let staged = try stage(
        OwnStore.notification(type, signed: signed), in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, "cancelled_at revocation_percentage is_upgraded")
          == [expected], "\(type)")
    }
  }

  @Test(
    "a notification without a transaction is a document without transactions",
    arguments: [
      #""data":{"bundleId":"com.example.reader","environment":"Sandbox"}"#,
      #""summary":{"bundleId":"com.example.reader","environment":"Production"}"#,
      #""externalPurchaseToken":{"bundleId":"com.example.reader","tokenCreationDate":1}"#,
      #""appData":{"bundleId":"com.example.reader"}"#, #""subtype":"X""#,
    ])
  func noTransaction(content: String) throws {
    let text = try OwnStore.sign(
      #"{"notificationType":"TEST","notificationUUID":"1","signedDate":1795057445000,\#(content)}"#)
    let staged = try stage(
      text, in: .receipts, OwnStore.settings(bundleIDs: ["com.example.reader"]))
    #expect(Staged.drawn(staged.documents, "status") == ["0"])
    #expect(staged.counts.transactions.read == 0 && staged.rejections.isEmpty)
  }

  @Test("a notification that does not pass every check is rejected as a whole")
  func reasons() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let good = try OwnStore.notification(signed: signed)
    let payload =
      #"{"notificationType":"TEST","notificationUUID":"1","signedDate":1795057445000}"#
    let cases: [(String, String)] = [
      (try OwnStore.foreign.get().sign(payload: payload), "untrusted_chain"),
      (good.dropLast(20) + "AAAAAAAAAAAAAAAAAAAA", "bad_signature"),
      (try OwnStore.notification(signed: signed, bundle: "theirs"), "foreign_bundle"),
      (try OwnStore.notification(signed: signed, environment: "Xcode"), "xcode"),
      (try OwnStore.notification(signed: "x"), "malformed"),
      (try OwnStore.sign(payload.replacing("signedDate", with: "x")), "malformed"),
      (
        try OwnStore.sign(
          #"{"notificationType":"TEST","signedDate":1795057445000,"data":{"bundleId":"#
            + #""com.example.reader","signedTransactionInfo":5}}"#), "malformed"
      ),
    ]
    for (text, reason) in cases {
      let staged = try stage(
        #"{"signedPayload":"\#(text)"}"#, in: .receipts,
        OwnStore.settings(bundleIDs: ["com.example.reader"]))
      #expect(staged.reasons == ["1 | receipt | \(reason)"])
      #expect(staged.evidence.isEmpty && staged.documents.isEmpty)
    }
  }

  static let entry =
    #"{"transaction_id":"2","product_id":"a","purchase_date_ms":"1763519045999"}"#

  @Test(
    "version 1 gives the facts of its answer",
    arguments: [
      #""bid":"ours","unified_receipt":{"status":0,"environment":"Production","latest_receipt_info":[@]}"#,
      #""bid":"ours","unified_receipt":{"latest_receipt_info":[@]}"#,
      #""bid":"ours","unified_receipt":{"status":0,"latest_receipt_info":[@]},"latest_receipt_info":@"#,
      #""bid":"ours","latest_receipt_info":@"#, #""bid":"ours","latest_expired_receipt_info":@"#,
      #""latest_receipt_info":@"#,
    ])
  func first(content: String) throws {
    let entry = Self.entry.replacing("}", with: #","bid":"ours"}"#)
    let text =
      #"{"notification_type":"DID_RENEW","environment":"PROD","password":"secret","account_id":"a","#
      + content.replacing("@", with: entry) + "}"
    for file in [text, text + "\n" + text] {
      let staged = try stage(file, in: .receipts, OwnStore.settings(bundleIDs: ["ours"]))
      #expect(
        Set(Staged.drawn(staged.evidence, "environment transaction_id trust account_id"))
          == ["Production | 2 | apple_response | a"])
      #expect(staged.rejections.isEmpty)
      #expect(staged.documents.count == staged.counts.documents.read)
    }
    #expect(
      try stage(text, in: .receipts, OwnStore.settings(bundleIDs: ["theirs"])).reasons
        == ["1 | receipt | foreign_bundle"])
    #expect(
      try stage(text, in: .receipts, OwnStore.settings(trust: .signed)).reasons
        == ["1 | receipt | unsigned"])
  }

  private static func entry(_ id: Int, _ lineItem: String, _ members: String = "") -> String {
    let item = lineItem.isEmpty ? "" : #","web_order_line_item_id":"\#(lineItem)""#
    return
      #"{"transaction_id":"\#(id)","product_id":"a","purchase_date_ms":"1763519045999"\#(item)"#
      + members + "}"
  }

  private static let cancelled = #""cancellation_date_ms":"1795057445000""#

  @Test("a refund beside the transactions of version 1 belongs to the purchase that it names")
  func cancellation() throws {
    let one = Self.entry(1, "11")
    let two = Self.entry(2, "12")
    let again = Self.entry(3, "11")
    let told = Self.entry(1, "11", #","cancellation_date":"2026-11-18 00:00:00 Etc/GMT""#)
    let date = "2026-11-19T03:04:05Z"
    let named = #","web_order_line_item_id":"11""#
    let cases: [(members: String, expected: [String])] = [
      (#""latest_expired_receipt_info":\#(one)"#, ["1 | \(date)"]),
      (#""latest_expired_receipt_info":\#(one)\#(named)"#, ["1 | \(date)"]),
      (#""latest_receipt_info":\#(Self.entry(4, ""))"#, ["4 | \(date)"]),
      (#""latest_receipt_info":\#(one),"web_order_line_item_id":"0""#, ["1 | \(date)"]),
      (#""latest_receipt_info":[\#(two),\#(one)]\#(named)"#, ["1 | \(date)", "2 | -"]),
      // A restore repeats the line item of its purchase.
      (
        #""unified_receipt":{"latest_receipt_info":[\#(one),\#(two),\#(again)]}\#(named)"#,
        ["1 | \(date)", "2 | -", "3 | \(date)"]
      ),
      (
        #""unified_receipt":{"latest_receipt_info":[\#(one)]},"latest_receipt_info":\#(one)"#,
        ["1 | \(date)"]
      ),
      // The transaction's own date counts.
      (
        #""latest_receipt_info":[\#(told),\#(two)]\#(named)"#,
        ["1 | 2026-11-18T00:00:00Z", "2 | -"]
      ),
    ]
    for (members, expected) in cases {
      for cancelled in [
        Self.cancelled, #""cancellation_date":"2026-11-19 03:04:05 Etc/GMT""#,
      ] {
        let staged = try stage(
          #"{"notification_type":"CANCEL",\#(cancelled),\#(members)}"#, in: .receipts)
        let found = Staged.drawn(staged.evidence, "transaction_id cancelled_at")
        #expect(Set(found) == Set(expected), "\(members)")
        #expect(staged.rejections.isEmpty, "\(members)")
      }
    }
  }

  @Test("a refund that belongs to no transaction of its notification is rejected alone")
  func unplacedCancellation() throws {
    let list = #""latest_receipt_info":[\#(Self.entry(1, "11")),\#(Self.entry(2, "12"))]"#
    for members in [list, list + #","web_order_line_item_id":"13""#] {
      let staged = try stage(
        #"{"notification_type":"CANCEL",\#(Self.cancelled),\#(members)}"#, in: .receipts)
      #expect(
        Staged.drawn(staged.evidence, "transaction_id cancelled_at") == ["1 | -", "2 | -"])
      #expect(staged.reasons == ["1 | transaction | missing_field"])
    }
    // One of the transactions already contains the refund.
    let told = list.replacing(#""12""#, with: #""12",\#(Self.cancelled)"#)
    let staged = try stage(
      #"{"notification_type":"CANCEL",\#(Self.cancelled),\#(told)}"#, in: .receipts)
    #expect(staged.rejections.isEmpty)
    let bad = try stage(
      #"{"notification_type":"CANCEL","cancellation_date":"soon",\#(list)}"#, in: .receipts)
    #expect(bad.reasons == ["1 | receipt | bad_date"])
  }

  @Test("an answer of verifyReceipt is unsigned under trust: signed")
  func unsignedAnswer() throws {
    for file in [
      #"{"status":0,"receipt":{"in_app":[]}}"#,
      #"{"verifyReceiptResponse":{"status":0,"receipt":{"in_app":[]}}}"#,
    ] {
      #expect(
        try stage(file, in: .receipts, OwnStore.settings(trust: .signed)).reasons
          == ["1 | receipt | unsigned"])
    }
  }
}
