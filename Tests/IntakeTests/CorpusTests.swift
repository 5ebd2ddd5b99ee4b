import Foundation
import Intake
import TestNeeds
import Testing

/// Genuine files, if they are available; the expected results were checked by hand.
@Suite("Reading of genuine files", .needsCorpus)
struct CorpusTests {
  @Test(
    "every genuine answer of verifyReceipt gives its contents",
    arguments: [
      // The enclosed receipts were replaced by words, or cut.
      ("RevenueCat_purchases-ios__verifyReceiptSample1", "1 | 0 | 18 | 9", 9, "malformed"),
      (
        "aporat_store-receipt-validator__inAppPurchaseInvalidReceiptResponse", "", 0,
        "status_21002"
      ),
      (
        "aporat_store-receipt-validator__inAppPurchaseResponse", "1 | 0 | 4 | 0", 4, "malformed"
      ),
      ("go-iap__status_21000", "", 0, "status_21000"),
      ("go-iap__status_21007", "1 | 21007 | 0 | 0", 0, ""),
      ("nomad_venice__receipt_expired_cancelled", "1 | 21006 | 2 | 1", 1, ""),
      ("nov_itunes-receipt__autorenew_subscription", "1 | 0 | 2 | 0", 2, "malformed"),
      ("nov_itunes-receipt__invalid", "", 0, "status_21002"),
      ("nov_itunes-receipt__offline", "", 0, "status_21005"),
      ("nov_itunes-receipt__sandboxed", "1 | 21007 | 0 | 0", 0, ""),
      ("nov_itunes-receipt__valid", "1 | 0 | 1 | 0", 1, ""),
      ("venice__status_21000_retryable", "", 0, "status_21000"),
      ("venice__status_21007_retryable", "1 | 21007 | 0 | 0", 0, ""),
    ])
  func verifyReceipt(name: String, document: String, evidence: Int, reason: String) throws {
    let staged = try stage(path: Corpus.path("verify_receipt/\(name).json"), in: .receipts)
    let read = Staged.drawn(staged.documents, "line status").map {
      "\($0) | \(staged.counts.transactions.read) | \(staged.counts.repeats)"
    }
    #expect(read.joined() == document)
    #expect(staged.evidence.count == evidence)
    #expect(Staged.drawn(staged.rejections, "reason").joined() == reason)
    #expect(staged.counts.documents.read == (reason == "malformed" ? 2 : 1))
  }

  @Test("a subscription that renewed eight times and changed its product is read in full")
  func renewals() throws {
    let staged = try stage(
      path: Corpus.path("verify_receipt/RevenueCat_purchases-ios__verifyReceiptSample1.json"),
      in: .receipts)
    let columns =
      "transaction_id product_id purchased_at expires_at web_order_line_item_id is_trial"
    let monthly = "com.revenuecat.monthly_4.99.1_week_intro"
    let drawn = Staged.drawn(staged.evidence, columns)
    #expect(
      drawn.contains(
        "1000000692878476 | \(monthly) | 2020-07-14T19:33:26Z | 2020-07-14T19:36:26Z | "
          + "1000000054042694 | true"))
    #expect(
      drawn.contains(
        "1000000696553650 | com.revenuecat.annual_39.99.2_week_intro | 2020-07-22T17:39:06Z | "
          + "2020-07-22T18:39:06Z | 1000000054044800 | false"))
    #expect(Set(staged.evidence.map { $0["transaction_id"] }).count == 9)
    #expect(
      Set(Staged.drawn(staged.evidence, "environment original_transaction_id evidence_at"))
        == ["Sandbox | 1000000692878476 | 2020-07-22T17:39:08Z"])
  }

  @Test("numbers instead of strings give the same facts")
  func numbers() throws {
    let staged = try stage(
      path: Corpus.path(
        "verify_receipt/aporat_store-receipt-validator__inAppPurchaseResponse.json"),
      in: .receipts)
    #expect(
      Staged.drawn(
        staged.evidence,
        "transaction_id original_transaction_id quantity purchased_at original_purchased_at "
          + "expires_at web_order_line_item_id evidence_at"
      ).contains(
        "1000000104232856 | 1000000093384828 | 1 | 2014-03-25T12:21:23Z | "
          + "2014-03-12T10:15:06Z | 2014-03-12T10:18:05Z | 1000000027948608 | "
          + "2015-05-24T16:31:18Z"))
  }

  @Test("no file crashes the reader in any folder, and the counts add up")
  func misplaced() throws {
    for file in try Corpus.files("") {
      for folder in Folder.allCases {
        _ = try stage(path: file, in: folder)
      }
    }
  }
}
