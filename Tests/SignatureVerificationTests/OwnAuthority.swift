import SignatureVerification
import SigningTestSupport

/// The tests' own authority, and an untrusted one.
///
/// They are shared because creating keys takes time.
enum Own {
  static let authority = Result { try TestAuthority.make() }
  static let foreign = Result { try TestAuthority.make(isForeign: true) }

  /// A verifier that trusts one authority only.
  static func verifier(
    trusting authority: TestAuthority, chains: ChainCache = ChainCache()
  ) throws -> Verifier {
    Verifier(roots: try roots(authority), chains: chains)
  }

  static func roots(_ authority: TestAuthority) throws -> TrustedRoots {
    try TrustedRoots(
      receipts: [authority.receiptRoot], transactions: [authority.transactionRoot],
      purchaseReceiptIssuers: [authority.purchaseReceiptIssuer])
  }

  /// A receipt with a subscription, which says that it is no trial, and a cancelled one-time
  /// purchase.
  static var receipt: TestReceipt {
    var receipt = TestReceipt.sample
    receipt.purchases[0].isTrial = false
    return receipt
  }

  /// A signed date at which all certificates are valid: 2026-11-19T03:04:05Z.
  static let signedDate: Int64 = 1_795_057_445_000

  static let payload = #"{"transactionId":"350001177745405","signedDate":1795057445000}"#

  static let purchaseFields = [
    "transaction-id": "1000000181298734", "original-transaction-id": "1000000180636226",
    "product-id": "yearly", "bid": "com.example.reader", "quantity": "1",
    "purchase-date-ms": "1795057445000",
  ]
}
