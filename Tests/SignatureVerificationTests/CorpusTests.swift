import Foundation
import SignatureVerification
import TestNeeds
import Testing

/// Genuine and synthetic files, if they are available, with the expected verdicts from their index.
@Suite("Genuine files, verified", .needsCorpus)
struct CorpusTests {
  static let receipts = [
    ("RevenueCat_purchases-ios__base64encodedreceiptsample1.b64", "ProductionSandbox 9"),
    ("apple_app-store-server-library-swift__legacyTransaction.b64", "malformed"),
    ("apple_app-store-server-library-swift__xcode-app-receipt-empty.b64", "xcode"),
    ("apple_app-store-server-library-swift__xcode-app-receipt-with-transaction.b64", "xcode"),
    (
      "emindeniz99_apple-purchase-receipt-verifier__receipt-double-wrapped.der",
      "ProductionSandbox 2"
    ),
    // Its certificates had expired long before the file was added, but were valid when it was
    // signed.
    (
      "emindeniz99_apple-purchase-receipt-verifier__receipt-expired-historical.der",
      "ProductionSandbox 0"
    ),
    ("emindeniz99_apple-purchase-receipt-verifier__receipt-foreign.der", "untrusted_chain"),
    ("emindeniz99_apple-purchase-receipt-verifier__receipt-no-type.der", "- 0"),
    ("emindeniz99_apple-purchase-receipt-verifier__receipt-type-production.der", "Production 0"),
    ("emindeniz99_apple-purchase-receipt-verifier__receipt.der", "ProductionSandbox 2"),
    ("mbaasy_itunes_receipt_decoder__ios6_transaction_sandbox.b64", "iOS 6 Sandbox yearly"),
    ("mbaasy_itunes_receipt_decoder__unified_sandbox.b64", "ProductionSandbox 5"),
    ("nomad_venice__receipt.b64", "iOS 6 Sandbox com.mindmobapp.download"),
    ("tikhop_TPInAppReceipt__receipt-sandbox-g5.b64", "ProductionSandbox 2"),
    ("tikhop_TPInAppReceipt__receipt-sandbox-legacy.b64", "ProductionSandbox 187"),
    ("tikhop_TPInAppReceipt__receipt-xcode.b64", "xcode"),
  ]

  @Test("every receipt gets its expected verdict", arguments: receipts)
  func receipt(name: String, expected: String) throws {
    let verifier = try Corpus.verifier()
    let bytes = try Corpus.receipt(name)
    let verdict = try verdict {
      if bytes.first == UInt8(ascii: "{") {
        let receipt = try verifier.transactionReceipt(bytes)
        return "iOS 6 \(receipt.environment ?? "-") \(receipt.fields["product-id"] ?? "-")"
      }
      let receipt = try verifier.appReceipt(bytes)
      return "\(receipt.receiptType ?? "-") \(receipt.purchases.count)"
    }
    #expect(verdict == expected)
  }

  static let transactions = [
    ("aporat_store-receipt-validator__example_notification_0", "signed"),
    ("apple_app-store-server-library-swift__missingX5CHeaderClaim", "malformed"),
    ("apple_app-store-server-library-swift__renewalInfo", "signed"),
    ("apple_app-store-server-library-swift__testNotification", "signed"),
    ("apple_app-store-server-library-swift__transactionInfo", "signed"),
    ("apple_app-store-server-library-swift__wrongBundleId", "signed"),
    ("apple_app-store-server-library-swift__xcode-signed-app-transaction", "xcode"),
    ("apple_app-store-server-library-swift__xcode-signed-renewal-info", "xcode"),
    ("apple_app-store-server-library-swift__xcode-signed-transaction", "xcode"),
    ("awa_go-iap__renewalInfo_sandbox_0", "signed"),
    ("emindeniz99_apple-purchase-receipt-verifier__app-transaction-production", "signed"),
    ("emindeniz99_apple-purchase-receipt-verifier__app-transaction", "signed"),
    ("emindeniz99_apple-purchase-receipt-verifier__expired-cert-historical", "signed"),
    (
      "emindeniz99_apple-purchase-receipt-verifier__transaction-no-intermediate-oid",
      "untrusted_chain"
    ),
    ("emindeniz99_apple-purchase-receipt-verifier__transaction", "signed"),
  ]

  @Test("every signed transaction gets its expected verdict", arguments: transactions)
  func transaction(name: String, expected: String) throws {
    let verifier = try Corpus.verifier()
    let verdict = try verdict {
      let jws = try Corpus.transaction(name)
      try verifier.verify(jws, at: try Corpus.signedDate(jws))
      return "signed"
    }
    #expect(verdict == expected)
  }

  @Test("every file is in the list")
  func complete() throws {
    #expect(try Corpus.names("receipts") == Self.receipts.map(\.0))
    #expect(try Corpus.names("jws") == Self.transactions.map { "\($0.0).jws" }.sorted())
  }

  @Test("Apple's own certificates are enough for documents that Apple signed")
  func apple() throws {
    let verifier = Verifier(roots: .apple, chains: ChainCache())
    for (name, verdict) in Self.receipts where verdict.contains("Sandbox") {
      let bytes = try Corpus.receipt(name)
      if name.hasPrefix("emindeniz99") {
        #expect(throws: VerificationProblem.self) { try verifier.appReceipt(bytes) }
      } else if verdict.hasPrefix("iOS 6") {
        _ = try verifier.transactionReceipt(bytes)
      } else {
        _ = try verifier.appReceipt(bytes)
      }
    }
    for name in [
      "aporat_store-receipt-validator__example_notification_0", "awa_go-iap__renewalInfo_sandbox_0",
    ] {
      let jws = try Corpus.transaction(name)
      try verifier.verify(jws, at: try Corpus.signedDate(jws))
    }
  }

  @Test("a chain that had expired when a transaction was signed is reported as expired")
  func expired() throws {
    let manifest = try Corpus.json(at: "jws_decoded/emindeniz99__manifest.json")
    let dates = try #require(manifest["expiredChain"] as? [String: Any])
    let jws = try Corpus.transaction(
      "emindeniz99_apple-purchase-receipt-verifier__expired-cert-historical")
    let verifier = try Corpus.verifier()
    try verifier.verify(jws, at: try #require(dates["historicalSignedDate"] as? Int64))
    let fresh = try #require(dates["freshSignedDate"] as? Int64)
    #expect(try reason { try verifier.verify(jws, at: fresh) } == .expiredCertificate)
  }
}
