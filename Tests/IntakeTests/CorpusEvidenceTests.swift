import Foundation
import Intake
import SignatureVerification
import TestNeeds
import Testing

/// Genuine and synthetic evidence, if it is available, with the verdict that its index gives.
@Suite("Genuine evidence", .needsCorpus)
struct CorpusEvidenceTests {
  /// The file, the numbers of documents and transactions, and the reasons of rejections.
  static let files = [
    ("receipts/RevenueCat_purchases-ios__base64encodedreceiptsample1.b64", 1, 9, ""),
    ("receipts/apple_app-store-server-library-swift__legacyTransaction.b64", 0, 0, "malformed"),
    ("receipts/apple_app-store-server-library-swift__xcode-app-receipt-empty.b64", 0, 0, "xcode"),
    (
      "receipts/apple_app-store-server-library-swift__xcode-app-receipt-with-transaction.b64", 0, 0,
      "xcode"
    ),
    (
      "receipts/emindeniz99_apple-purchase-receipt-verifier__receipt-double-wrapped.der", 1, 2, ""
    ),
    (
      "receipts/emindeniz99_apple-purchase-receipt-verifier__receipt-expired-historical.der", 1, 0,
      ""
    ),
    (
      "receipts/emindeniz99_apple-purchase-receipt-verifier__receipt-foreign.der", 0, 0,
      "untrusted_chain"
    ),
    ("receipts/emindeniz99_apple-purchase-receipt-verifier__receipt-no-type.der", 1, 0, ""),
    ("receipts/emindeniz99_apple-purchase-receipt-verifier__receipt-type-production.der", 1, 0, ""),
    ("receipts/emindeniz99_apple-purchase-receipt-verifier__receipt.der", 1, 2, ""),
    ("receipts/mbaasy_itunes_receipt_decoder__ios6_transaction_sandbox.b64", 1, 1, ""),
    ("receipts/mbaasy_itunes_receipt_decoder__unified_sandbox.b64", 1, 5, ""),
    ("receipts/nomad_venice__receipt.b64", 1, 1, ""),
    ("receipts/tikhop_TPInAppReceipt__receipt-sandbox-g5.b64", 1, 2, ""),
    ("receipts/tikhop_TPInAppReceipt__receipt-sandbox-legacy.b64", 1, 187, ""),
    ("receipts/tikhop_TPInAppReceipt__receipt-xcode.b64", 0, 0, "xcode"),
    ("jws/aporat_store-receipt-validator__example_notification_0.jws", 1, 0, ""),
    ("jws/apple_app-store-server-library-swift__missingX5CHeaderClaim.jws", 0, 0, "malformed"),
    ("jws/apple_app-store-server-library-swift__renewalInfo.jws", 1, 0, ""),
    ("jws/apple_app-store-server-library-swift__testNotification.jws", 1, 0, ""),
    ("jws/apple_app-store-server-library-swift__transactionInfo.jws", 1, 0, ""),
    ("jws/apple_app-store-server-library-swift__wrongBundleId.jws", 0, 0, "foreign_bundle"),
    ("jws/apple_app-store-server-library-swift__xcode-signed-app-transaction.jws", 0, 0, "xcode"),
    ("jws/apple_app-store-server-library-swift__xcode-signed-renewal-info.jws", 0, 0, "xcode"),
    ("jws/apple_app-store-server-library-swift__xcode-signed-transaction.jws", 0, 0, "xcode"),
    ("jws/awa_go-iap__renewalInfo_sandbox_0.jws", 1, 0, ""),
    (
      "jws/emindeniz99_apple-purchase-receipt-verifier__app-transaction-production.jws", 1, 0, ""
    ),
    ("jws/emindeniz99_apple-purchase-receipt-verifier__app-transaction.jws", 1, 0, ""),
    ("jws/emindeniz99_apple-purchase-receipt-verifier__expired-cert-historical.jws", 1, 1, ""),
    (
      "jws/emindeniz99_apple-purchase-receipt-verifier__transaction-no-intermediate-oid.jws", 0, 0,
      "untrusted_chain"
    ),
    ("jws/emindeniz99_apple-purchase-receipt-verifier__transaction.jws", 1, 1, ""),
    // The enclosed receipt was replaced by words.
    (
      "notifications_v1/aporat_store-receipt-validator__serverNotificationRequest.json", 1, 1,
      "malformed"
    ),
    // The API's answers contain words instead of signed texts, one in each entry.
    (
      "server_api/apple_app-store-server-library-swift__getAllSubscriptionStatusesResponse.json", 0,
      0, "malformed malformed malformed"
    ),
    (
      "server_api/apple_app-store-server-library-swift__getNotificationHistoryResponse.json", 0, 0,
      "malformed malformed"
    ),
    (
      "server_api/apple_app-store-server-library-swift__getRefundHistoryResponse.json", 0, 0,
      "malformed malformed"
    ),
    (
      "server_api/apple_app-store-server-library-swift__lookupOrderIdResponse.json", 0, 0,
      "malformed malformed"
    ),
    (
      "server_api/apple_app-store-server-library-swift__transactionHistoryResponse.json", 0, 0,
      "malformed malformed"
    ),
    (
      "server_api/apple_app-store-server-library-swift__transactionIdNotFoundError.json", 0, 0,
      "status_4040010"
    ),
    (
      "server_api/apple_app-store-server-library-swift__transactionInfoResponse.json", 0, 0,
      "malformed"
    ),
    (
      "asc_api/aporat__subscriptionStatusResponse.json", 0, 0, "unsigned unsigned unsigned"
    ),
  ]

  private static let bundleIDs = [
    "com.example", "com.example.app", "com.Abilities", "my.app",
  ]

  static func settings(bundleIDs: [String] = []) throws -> IntakeSettings {
    func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: Corpus.path("certs/\(name)"))))
    }
    let names = ["receipt-root", "receipt-expired-root", "receipt-no-signer-oid-root"]
    let curves = [
      "jws-root", "jws-expired-root", "jws-no-intermediate-oid-root", "jws-no-leaf-oid-root",
    ]
    let roots = try TrustedRoots(
      receipts: [try bytes("AppleIncRootCertificate.cer")]
        + names.map { try bytes("emindeniz99__\($0).der") },
      transactions: [try bytes("AppleRootCA-G3.cer"), try bytes("apple__testCA.der")]
        + curves.map { try bytes("emindeniz99__\($0).der") })
    return IntakeSettings(bundleIDs: bundleIDs, roots: roots)
  }

  @Test("every file gives its verdict", arguments: files)
  func verdict(name: String, documents: Int, transactions: Int, reasons: String) throws {
    let isSigned = name.hasPrefix("jws/")
    let staged = try stage(
      path: Corpus.path(name), in: .receipts,
      Self.settings(bundleIDs: isSigned ? Self.bundleIDs : []))
    #expect(staged.documents.count == documents)
    #expect(staged.counts.transactions.read == transactions)
    #expect(staged.counts.transactions.rejected == 0)
    #expect(Staged.drawn(staged.rejections, "reason").joined(separator: " ") == reasons)
    #expect(staged.rejections.allSatisfy { $0["kind"] == "receipt" })
  }

  @Test("every file has a verdict")
  func complete() throws {
    let folders = ["receipts", "jws", "notifications_v1", "server_api"]
    for folder in folders {
      let root = try Corpus.path("")
      let there = try Corpus.files(folder).map { String($0.dropFirst(root.count)) }
      #expect(there == Self.files.map(\.0).filter { $0.hasPrefix(folder + "/") }.sorted())
    }
  }

  @Test("decoded payloads are unsigned, except notifications that are about no purchase")
  func decoded() throws {
    // Two of these notifications are of Xcode.
    let others = [
      "signedExternalPurchaseTokenNotification": [],
      "signedRescindConsentNotification": ["1 | receipt | xcode"],
      "signedSummaryNotification": ["1 | receipt | xcode"],
    ]
    for file in try Corpus.files("jws_decoded") where !file.hasSuffix("manifest.json") {
      let staged = try stage(path: file, in: .receipts)
      guard !file.hasSuffix("appData.json") else { continue }
      let other = others.first { file.hasSuffix("__\($0.key).json") }?.value
      #expect(staged.reasons == other ?? ["1 | receipt | unsigned"], "\(file)")
    }
  }

  @Test(
    "a receipt gives the same facts as Apple's answer about it",
    arguments: ["unified_sandbox", "ios6_transaction_sandbox"])
  func pairs(name: String) throws {
    let settings = try Self.settings()
    let raw = try stage(
      path: Corpus.path("receipts/mbaasy_itunes_receipt_decoder__\(name).b64"), in: .receipts,
      settings)
    let decoded = try String(
      contentsOfFile: Corpus.path("receipts_decoded/mbaasy_itunes_receipt_decoder__\(name).json"),
      encoding: .utf8)
    let answer = try stage(#"{"status":0,"receipt":\#(decoded)}"#, in: .receipts, settings)
    let columns =
      "transaction_id original_transaction_id product_id quantity purchased_at original_purchased_at "
      + "expires_at cancelled_at web_order_line_item_id is_introductory_offer"
    let said = Set(Staged.drawn(raw.evidence, columns))
    #expect(!said.isEmpty)
    #expect(said == Set(Staged.drawn(answer.evidence, columns)))
  }

  @Test("a signed transaction gives the facts in its manifest")
  func manifest() throws {
    let staged = try stage(
      path: Corpus.path("jws/emindeniz99_apple-purchase-receipt-verifier__transaction.jws"),
      in: .receipts, Self.settings(bundleIDs: ["com.example.app"]))
    #expect(
      Staged.drawn(
        staged.evidence,
        "environment transaction_id original_transaction_id product_id quantity purchased_at "
          + "original_purchased_at evidence_at product_type is_family_shared trust") == [
          "Sandbox | 2000000000000001 | 2000000000000001 | com.example.app.pro | 1 | "
            + "2024-08-06T12:00:00Z | 2024-08-06T12:00:00Z | 2024-08-06T12:00:00Z | "
            + "non_consumable | false | signed"
        ])
  }
}
