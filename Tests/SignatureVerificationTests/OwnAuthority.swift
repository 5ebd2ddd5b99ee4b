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

  /// A receipt with a subscription and a cancelled one-time purchase.
  static var receipt: TestReceipt {
    var receipt = TestReceipt()
    var subscription = TestPurchase(
      transactionID: "350001177745405", productID: "com.example.reader.sub.yearly",
      purchaseDate: "2026-11-14T13:30:00Z")
    subscription.productType = 3
    subscription.expiresDate = "2027-11-14T13:30:00Z"
    subscription.webOrderLineItemID = 350_000_551_234_567
    subscription.isTrial = false
    subscription.isIntroductoryOffer = true
    var book = TestPurchase(
      transactionID: "180001177581605", productID: "com.example.reader.book.moby_dick",
      purchaseDate: "2026-11-14T10:00:00Z")
    book.productType = 0
    book.webOrderLineItemID = 0
    book.expiresDate = ""
    book.cancellationDate = "2026-11-16T00:00:00Z"
    receipt.purchases = [subscription, book]
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
