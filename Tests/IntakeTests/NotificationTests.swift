import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Server notifications")
struct NotificationTests {
  @Test("a retry is the same document, and its transaction the same statement")
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
    #expect(Set(staged.evidence.map { $0["statement_hash"] }).count == 1)
    #expect(
      staged.evidence.map { $0["evidence_at"] } == [
        "2026-11-19T03:04:05Z", "2026-11-19T03:04:06Z", "2026-11-19T03:04:05Z",
      ])
  }

  @Test("REFUND_REVERSED takes the refund off its transaction, no other notification does")
  func reversed() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    for (type, expected) in [
      ("REFUND", "2026-11-19T01:00:00Z | 50000"), ("REFUND_REVERSED", "- | -"),
      ("SOMETHING_NEW", "2026-11-19T01:00:00Z | 50000"),
    ] {
      let staged = try stage(
        OwnStore.notification(type, signed: signed), in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, "cancelled_at revocation_percentage") == [expected], "\(type)"
      )
    }
  }

  @Test(
    "a notification without a transaction is a document without one",
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
    #expect(Staged.drawn(staged.documents, "status entries") == ["0 | 0"])
    #expect(staged.rejections.isEmpty)
  }

  @Test("a notification that does not count as signed is rejected as a whole")
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
    "version 1 gives what its answer says",
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
