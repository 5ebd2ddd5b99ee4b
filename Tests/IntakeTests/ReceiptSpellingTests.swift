import Intake
import Testing

@Suite("Other spellings of names in answers")
struct ReceiptSpellingTests {
  /// Answers with another spelling of a name, which contain the name and the spelling.
  private static let respelled = [
    ("latest_receipt_info", "LatestReceiptInfo"), ("in_app", "inapp"),
    ("environment", "Environment"),
    ("bundle_id", "bundleID"), ("receipt_creation_date_ms", "receiptCreationDateMS"),
    ("original_transaction_id", "originalTransactionID"), ("transaction_id", "Transaction-ID"),
    ("cancellation_date_ms", "cancellationDateMS"), ("quantity", "Quantity"),
    ("web_order_line_item_id", "webOrderLineItemID"), ("account_id", "accountID"),
    ("device_id", "device-id"), ("received_at", "Received_At"), ("storefront", "Storefront"),
  ]

  @Test("another spelling of a name is rejected, and ignored beside the name", arguments: respelled)
  func otherSpellings(name: String, written: String) throws {
    let answer =
      #"{"account_id":"a","device_id":"d","storefront":"USA","received_at":"2026-11-19T03:04:05Z","#
      + #""verifyReceiptResponse":{"status":0,"environment":"Sandbox","receipt":{"bundle_id":"b","#
      + #""receipt_creation_date_ms":"1700000001000","in_app":[]},"latest_receipt_info":[{"#
      + #""transaction_id":"2","original_transaction_id":"1","product_id":"p","quantity":"2","#
      + #""purchase_date_ms":"1700000000000","cancellation_date_ms":"1700000000000","#
      + #""web_order_line_item_id":"9"}]}}"#
    let quoted = "\"\(name)\":"
    let staged = try stage(answer.replacing(quoted, with: "\"\(written)\":"), in: .receipts)
    #expect(staged.evidence.isEmpty)
    #expect(staged.rejections.map { $0["reason"] } == ["missing_field"])
    #expect(
      staged.rejections.first?["detail"]
        == "The record has another spelling of a known name. Write \(name) instead of \(written).")
    let both = try stage(
      answer.replacing(quoted, with: "\"\(written)\":\"x\",\(quoted)"), in: .receipts)
    #expect(both.evidence.count == 1)
    #expect(both.rejections.isEmpty)
  }

  @Test("a notification of version 1 with another spelling of a name is rejected")
  func otherSpellingInNotification() throws {
    let staged = try stage(
      #"{"notification_type":"CANCEL","Environment":"Sandbox","latest_receipt_info":"#
        + #"{"transaction_id":"1","product_id":"p","purchase_date_ms":"1700000000000"}}"#,
      in: .receipts)
    #expect(staged.reasons == ["1 | receipt | missing_field"])
  }

  @Test("an answer with another spelling keeps its enclosed receipt")
  func otherSpellingBesideEnclosed() throws {
    let staged = try stage(
      #"{"status":0,"LatestReceiptInfo":[],"latest_receipt":"MIIT"}"#, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | malformed", "1 | receipt | missing_field"])
  }
}
