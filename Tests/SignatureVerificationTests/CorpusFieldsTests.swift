import Foundation
import SignatureVerification
import TestNeeds
import Testing

/// Compares the content of genuine and synthetic files with the results of other decoders.
@Suite("Fields of genuine files", .needsCorpus)
struct CorpusFieldsTests {
  @Test("a receipt of iOS 6 has the fields that verifyReceipt returned for it")
  func transactionReceipt() throws {
    let name = "mbaasy_itunes_receipt_decoder__ios6_transaction_sandbox"
    let receipt = try Corpus.verifier().transactionReceipt(try Corpus.receipt("\(name).b64"))
    let fields = receipt.fields.map { ($0.key.replacing("-", with: "_"), $0.value) }
    let decoded = try Corpus.json(at: "receipts_decoded/\(name).json")
    #expect(Dictionary(uniqueKeysWithValues: fields) == decoded as? [String: String])
  }

  @Test("an app receipt has the fields that another decoder found")
  func unified() throws {
    let name = "mbaasy_itunes_receipt_decoder__unified_sandbox"
    let receipt = try Corpus.verifier().appReceipt(try Corpus.receipt("\(name).b64"))
    let decoded = try Corpus.json(at: "receipts_decoded/\(name).json")
    #expect(receipt.bundleID == decoded["bundle_id"] as? String)
    #expect(receipt.receiptType == decoded["environment"] as? String)
    #expect(receipt.createdAt == decoded["creation_date"] as? String)
    #expect(drawn(receipt.purchases) == drawn(try #require(decoded["in_app"] as? [[String: Any]])))
  }

  @Test("an app receipt has the fields that verifyReceipt returned for it")
  func revenueCat() throws {
    let receipt = try Corpus.verifier().appReceipt(
      try Corpus.receipt("RevenueCat_purchases-ios__base64encodedreceiptsample1.b64"))
    let answer = try Corpus.json(
      at: "verify_receipt/RevenueCat_purchases-ios__verifyReceiptSample1.json")
    let decoded = try #require(answer["receipt"] as? [String: Any])
    #expect(receipt.receiptType == decoded["receipt_type"] as? String)
    #expect(receipt.bundleID == decoded["bundle_id"] as? String)
    #expect(receipt.createdAt == rfc3339(decoded["receipt_creation_date"]))
    let purchases = try #require(decoded["in_app"] as? [[String: Any]])
    #expect(drawn(receipt.purchases) == drawn(purchases))
    for purchase in receipt.purchases {
      let other = purchases.first { $0["transaction_id"] as? String == purchase.transactionID }
      #expect(purchase.isTrial == flag(other?["is_trial_period"]))
      #expect(purchase.isIntroductoryOffer == flag(other?["is_in_intro_offer_period"]))
      #expect(purchase.productType == .autoRenewable)
    }
  }

  @Test("a synthetic receipt has the content of its manifest, wrapped twice or not")
  func synthetic() throws {
    let manifest = try Corpus.json(at: "jws_decoded/emindeniz99__manifest.json")
    let expected = try #require(manifest["receipt"] as? [String: Any])
    let receipt = try Corpus.verifier().appReceipt(
      try Corpus.receipt("emindeniz99_apple-purchase-receipt-verifier__receipt.der"))
    #expect(receipt.receiptType == expected["receiptType"] as? String)
    #expect(receipt.bundleID == expected["bundleId"] as? String)
    #expect(receipt.createdAt == expected["creationDate"] as? String)
    #expect(receipt.purchases.map(\.productID) == expected["inAppProductIds"] as? [String?])
    #expect(receipt.purchases.last?.expiresDate == expected["vipExpiresDate"] as? String)
    let wrapped = try Corpus.verifier().appReceipt(
      try Corpus.receipt("emindeniz99_apple-purchase-receipt-verifier__receipt-double-wrapped.der"))
    #expect(wrapped == receipt)
  }

  @Test("a synthetic transaction has the content of its manifest")
  func transaction() throws {
    let manifest = try Corpus.json(at: "jws_decoded/emindeniz99__manifest.json")
    for (file, member) in [("transaction", "transaction"), ("app-transaction", "appTransaction")] {
      let jws = try Corpus.transaction("emindeniz99_apple-purchase-receipt-verifier__\(file)")
      let payload = try Corpus.json(jws.payload) as NSDictionary
      let expected = try #require(manifest[member] as? [String: Any])
      #expect(payload.isEqual(to: expected))
    }
  }

  /// Purchases as lines that can be compared, sorted by transaction.
  private func drawn(_ purchases: [InAppPurchase]) -> [String] {
    purchases.map {
      [
        $0.transactionID, $0.originalTransactionID, $0.productID, $0.quantity.map { "\($0)" },
        $0.purchaseDate, $0.originalPurchaseDate, $0.expiresDate, $0.cancellationDate,
        $0.webOrderLineItemID,
      ].map { $0 ?? "-" }.joined(separator: " ")
    }.sorted()
  }

  private func drawn(_ purchases: [[String: Any]]) -> [String] {
    purchases.map { purchase in
      [
        "transaction_id", "original_transaction_id", "product_id", "quantity", "purchase_date",
        "original_purchase_date", "expires_date", "cancellation_date", "web_order_line_item_id",
      ].map { name in
        let text = purchase[name].map { "\($0)" } ?? ""
        return text.isEmpty || text == "0" ? "-" : rfc3339(text) ?? text
      }.joined(separator: " ")
    }.sorted()
  }

  /// Converts `2015-11-18 17:13:48 Etc/GMT` to the format of a receipt.
  private func rfc3339(_ value: Any?) -> String? {
    guard let text = value as? String else { return nil }
    guard text.hasSuffix(" Etc/GMT") else { return text }
    return text.replacing(" Etc/GMT", with: "Z").replacing(" ", with: "T")
  }

  private func flag(_ value: Any?) -> Bool? {
    (value as? String).map { $0 == "true" }
  }
}
