import Foundation
import Intake
import SigningTestSupport
import Testing

@Suite("Notifications that were decoded before they were logged")
struct DecodedNotificationTests {
  /// The result of Apple's libraries for a notification: the payload, with two texts still signed.
  static func decoded(
    _ type: String = "DID_RENEW", uuid: String? = "002e14d5", transaction: String? = nil,
    renewal: String? = nil, beside: String = ""
  ) -> String {
    let texts = [("signedTransactionInfo", transaction), ("signedRenewalInfo", renewal)]
      .compactMap { name, text in text.map { #","\#(name)":"\#($0)""# } }
    let id = uuid.map { #""notificationUUID":"\#($0)","# } ?? ""
    return #"{"notificationType":"\#(type)",\#(id)"version":"2.0","signedDate":1795057445000,"#
      + #"\#(beside)"data":{"environment":"Sandbox","bundleId":"theirs"\#(texts.joined())}}"#
  }

  @Test("the transaction is verified and used, and the members around it are not")
  func transaction() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let settings = try OwnStore.settings(bundleIDs: ["com.example.reader"], trust: .signed)
    let text = Self.decoded(transaction: signed, renewal: "x")
    for file in [text, text + "\n", "\n" + text.replacing(",", with: ",\n")] {
      let staged = try stage(file, in: .receipts, settings)
      #expect(
        Staged.drawn(staged.evidence, SignedTransactionTests.columns)
          == [SignedTransactionTests.expected])
      #expect(Staged.drawn(staged.documents, "status") == ["0"])
      #expect(staged.counts.transactions.read == 1)
      #expect(staged.rejections.isEmpty)
    }
    let staged = try stage(
      Self.decoded(transaction: signed, beside: #""account_id":"a","device_id":"d","#),
      in: .receipts, settings)
    #expect(Staged.drawn(staged.evidence, "account_id device_id") == ["a | d"])
  }

  @Test("a decoded notification is the same document as the signed notification")
  func identity() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let payload = try OwnStore.notification(signed: signed)
    let staged = try stage(
      [
        #"{"signedPayload":"\#(payload)"}"#, Self.decoded(transaction: signed),
        Self.decoded(uuid: "another", transaction: signed),
        Self.decoded(uuid: nil, transaction: signed), signed,
      ].joined(separator: "\n"), in: .receipts, OwnStore.settings())
    let hashes = staged.documents.map { $0["document_hash"] }
    #expect(hashes.count == 5 && hashes[0] == hashes[1] && hashes[3] == hashes[4])
    #expect(Set(hashes).count == 3)
    #expect(Set(staged.evidence.map { $0["content_hash"] }).count == 1)
  }

  @Test("a decoded notification reverses no refund, because its type is not signed")
  func reversed() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let staged = try stage(
      Self.decoded("REFUND_REVERSED", transaction: signed), in: .receipts, OwnStore.settings())
    #expect(
      Staged.drawn(staged.evidence, "cancelled_at revocation_percentage")
        == ["2026-11-19T01:00:00Z | 50000"])
  }

  @Test("a notification with only renewal information is a document without a transaction")
  func renewal() throws {
    let renewal = try OwnStore.sign(
      #"{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1795057445000}"#)
    let staged = try stage(Self.decoded(renewal: renewal), in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(staged.documents, "status") == ["0"])
    #expect(staged.counts.transactions.read == 0 && staged.rejections.isEmpty)
  }

  @Test(
    "a transaction that is not signed is unsigned, also beside signed renewal information",
    arguments: [
      #""transactionInfo":{"transactionId":"1"}"#, #""transactionId":"1""#,
      #""signedTransactionInfo":{"transactionId":"1"}"#, #""signedTransactionInfo":null"#,
      #""signedTransactionInfo":"signed_transaction_info_value""#,
    ])
  func unsignedBesideRenewal(transaction: String) throws {
    let renewal = try OwnStore.sign(
      #"{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1795057445000}"#)
    let text = Self.decoded(renewal: renewal).replacing("}}", with: ",\(transaction)}}")
    let undated = text.replacing(#""signedDate":1795057445000,"#, with: "")
    for file in [text, undated, #"{"body":\#(text)}"#] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(staged.reasons == ["1 | receipt | unsigned"], "\(file)")
      #expect(staged.documents.isEmpty, "\(file)")
    }
    // The signed notification beside it has everything.
    let signed = try OwnStore.notification(signed: OwnStore.sign(OwnStore.payload()))
    let staged = try stage(
      #"{"raw":"\#(signed)","decoded":\#(text)}"#, in: .receipts, OwnStore.settings())
    #expect(staged.evidence.count == 1 && staged.rejections.isEmpty)
  }

  @Test("a signed text that does not verify is rejected with its reason and shown")
  func rejected() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let foreign = try OwnStore.foreign.get().sign(payload: OwnStore.payload())
    let theirs = try OwnStore.sign(OwnStore.payload(["bundleId": #""theirs""#]))
    let xcode = try OwnStore.sign(OwnStore.payload(["environment": #""Xcode""#]))
    for (text, reason) in [
      (foreign, "untrusted_chain"), (theirs, "foreign_bundle"), (xcode, "xcode"),
      (String(signed.dropLast(4)) + "AAAA", "bad_signature"),
    ] {
      let staged = try stage(
        Self.decoded(transaction: text), in: .receipts,
        OwnStore.settings(bundleIDs: ["com.example.reader"]))
      #expect(staged.reasons == ["1 | receipt | \(reason)"])
      #expect(staged.rejections.first?["raw"] == text)
      #expect(staged.evidence.isEmpty && staged.documents.isEmpty)
    }
  }

  @Test(
    "a notification without a signed text is unsigned",
    arguments: [
      decoded(), decoded(transaction: "signed_transaction_info_value"),
      decoded().replacing("}}", with: #","signedTransactionInfo":{"transactionId":"1"}}}"#),
    ])
  func unsigned(file: String) throws {
    let staged = try stage(file, in: .receipts, OwnStore.settings())
    #expect(staged.reasons == ["1 | receipt | unsigned"])
  }

  /// A notification without a transaction, as a decoded payload.
  static func notice(_ type: String, _ content: String, uuid: String = "002e14d5") -> String {
    #"{"notificationType":"\#(type)","notificationUUID":"\#(uuid)","version":"2.0","#
      + #""signedDate":1795057445000,\#(content)}"#
  }

  static let notices = [
    notice("TEST", #""data":{"bundleId":"ours","environment":"Sandbox"}"#),
    notice("TEST", #""data":{"bundleId":"ours","signedTransactionInfo":null}"#),
    notice("TEST", #""subtype":null"#),
    notice("METADATA_UPDATE", #""data":{"bundleId":"ours","environment":"Sandbox","status":1}"#),
    notice(
      "RENEWAL_EXTENSION",
      #""subtype":"SUMMARY","summary":{"bundleId":"ours","productId":"a","succeededCount":5}"#),
    notice(
      "EXTERNAL_PURCHASE_TOKEN",
      #""externalPurchaseToken":{"bundleId":"ours","externalPurchaseId":"x"}"#),
    notice("RESCIND_CONSENT", #""appData":{"bundleId":"ours","environment":"Production"}"#),
  ]

  @Test("a notification that Apple sends without a transaction is a document", arguments: notices)
  func aboutNoPurchase(file: String) throws {
    for trust in [EvidenceTrust.appleResponse, .signed] {
      let settings = try OwnStore.settings(bundleIDs: ["ours"], trust: trust)
      let signed = try OwnStore.sign(file)
      let documents = [
        file, #"2026-11-19 INFO notification: \#(file)"#, #"{"body":\#(file)}"#,
        #"{"signedPayload":"\#(signed)"}"#, signed,
      ]
      for document in documents {
        let staged = try stage(document, in: .receipts, settings)
        #expect(staged.reasons == [], "\(document)")
        #expect(Staged.drawn(staged.documents, "status") == ["0"], "\(document)")
        #expect(staged.counts.transactions.read == 0, "\(document)")
      }
      // A retry, and the signed form, are the same document.
      let all = try stage(documents.joined(separator: "\n"), in: .receipts, settings)
      #expect(Set(all.documents.map { $0["document_hash"] }).count == 1)
    }
  }

  @Test("such a notification is rejected where its signed form is")
  func aboutNoPurchaseOfOurs() throws {
    for (content, reason) in [
      (#""data":{"bundleId":"theirs"}"#, "foreign_bundle"),
      (#""data":{"bundleId":"ours","environment":"Xcode"}"#, "xcode"),
    ] {
      let file = Self.notice("TEST", content)
      for document in [file, try OwnStore.sign(file)] {
        let staged = try stage(document, in: .receipts, OwnStore.settings(bundleIDs: ["ours"]))
        #expect(staged.reasons == ["1 | receipt | \(reason)"])
        #expect(staged.documents.isEmpty)
      }
    }
  }

  @Test(
    "a notification from which a transaction is missing, or that has one unsigned, is unsigned",
    arguments: [
      notice("DID_RENEW", #""data":{"bundleId":"ours"}"#), notice("REFUND", #""subtype":null"#),
      notice("SOMETHING_NEW", #""data":{"bundleId":"ours"}"#),
      notice("TEST", #""data":{"signedTransactionInfo":{"transactionId":"1"}}"#),
      notice("TEST", #""data":{"signedTransactionInfo":"x"}"#),
      notice("TEST", #""data":{"transactionInfo":{"transactionId":"1"}}"#),
      notice("TEST", #""transactionId":"1","data":{"bundleId":"ours"}"#),
      notice("", #""summary":{"bundleId":"ours"}"#),
    ])
  func couldCount(file: String) throws {
    let staged = try stage(file, in: .receipts, OwnStore.settings())
    #expect(staged.reasons == ["1 | receipt | unsigned"])
  }
}
