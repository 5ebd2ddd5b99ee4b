import Foundation
import Intake
import SigningTestSupport
import Testing

/// A document of a documented form, as a file with nothing else would contain it.
struct EvidenceDocument: CustomTestStringConvertible {
  let testDescription: String
  let text: String

  /// Whether it is JSON, so that it can be a value of another document as it is.
  var isJSON: Bool { text.hasPrefix("{") }

  static func all() throws -> [EvidenceDocument] {
    let authority = try OwnStore.authority.get()
    let app = base64(try authority.appReceipt(OwnStore.receipt))
    let old = base64(try authority.transactionReceipt(OwnStore.purchaseFields))
    let signed = try OwnStore.sign(OwnStore.payload())
    let other = try OwnStore.sign(OwnStore.payload(["transactionId": #""7""#]))
    let notification = try OwnStore.notification(signed: signed)
    let answer =
      #"{"status":0,"environment":"Sandbox","receipt":{"bundle_id":"com.example.reader","#
      + #""in_app":[\#(ReceiptTests.entry)]},"latest_receipt_info":[\#(ReceiptTests.entry)]}"#
    return [
      ("an app receipt", app), ("a receipt of iOS 6", old), ("a signed transaction", signed),
      ("a signed notification", notification),
      ("receipt-data", #"{"receipt-data":"\#(app)","account_id":"a-17","device_id":"d"}"#),
      ("Unity", #"{"Store":"AppleAppStore","TransactionID":"1","Payload":"\#(app)"}"#),
      ("signedPayload", #"{"signedPayload":"\#(notification)"}"#),
      ("signedTransactionInfo", #"{"storefront":"USA","signedTransactionInfo":"\#(signed)"}"#),
      ("a history", #"{"signedTransactions":["\#(signed)","\#(other)"],"hasMore":false}"#),
      (
        "notification history",
        #"{"notificationHistory":[{"signedPayload":"\#(notification)","sendAttempts":[]}]}"#
      ),
      (
        "subscription statuses",
        #"{"environment":"Production","data":[{"subscriptionGroupIdentifier":"1","#
          + #""lastTransactions":[{"status":1,"signedTransactionInfo":"\#(signed)"}]}]}"#
      ),
      ("an answer", answer), ("an answer that is not indented", answer.replacing(":", with: " : ")),
      (
        "an envelope",
        #"{"account_id":"a-17","received_at":"2026-11-19T03:04:05Z","#
          + #""verifyReceiptResponse":\#(answer)}"#
      ),
      (
        "a notification of version 1",
        #"{"notification_type":"RENEWAL","environment":"PROD","password":"x","#
          + #""unified_receipt":\#(answer)}"#
      ),
      ("the wrong environment", #"{"status":21007,"environment":"Sandbox"}"#),
    ].map { EvidenceDocument(testDescription: $0.0, text: $0.1) }
  }

  /// Its rows from a file with nothing else.
  func plain() throws -> ShapedRows {
    let rows = ShapedRows(try stage(text, in: .receipts, OwnStore.settings()))
    try #require(!rows.documents.isEmpty)
    return rows
  }
}

/// The rows of evidence without their line and file.
struct ShapedRows: Equatable {
  let documents: [CopyRows.Row]
  let evidence: [CopyRows.Row]
  let rejections: [String]

  init(_ staged: Staged) {
    documents = Self.withoutLine(staged.documents)
    evidence = Self.withoutLine(staged.evidence)
    rejections = Staged.drawn(staged.rejections, "kind reason detail")
  }

  /// The rows of several documents, one after another.
  init(_ all: [ShapedRows]) {
    documents = all.flatMap(\.documents)
    evidence = all.flatMap(\.evidence)
    rejections = all.flatMap(\.rejections)
  }

  private static func withoutLine(_ rows: [CopyRows.Row]) -> [CopyRows.Row] {
    rows.map { row in row.filter { !["line", "file_id", "pointer"].contains($0.key) } }
  }
}
