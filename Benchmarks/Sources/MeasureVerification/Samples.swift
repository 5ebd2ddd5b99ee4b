import SigningTestSupport

/// Documents of a realistic size.
enum Samples {
  static let signedDate: Int64 = 1_795_057_445_000

  static let payload = """
    {"transactionId":"350001177745405","originalTransactionId":"350001177745405",\
    "webOrderLineItemId":"350000551234567","bundleId":"com.example.reader",\
    "productId":"com.example.reader.sub.yearly","subscriptionGroupIdentifier":"20740000",\
    "purchaseDate":1795057440000,"originalPurchaseDate":1795057440000,\
    "expiresDate":1826593440000,"quantity":1,"type":"Auto-Renewable Subscription",\
    "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","inAppOwnershipType":"PURCHASED",\
    "signedDate":1795057445000,"environment":"Production","transactionReason":"PURCHASE",\
    "storefront":"USA","storefrontId":"143441","price":49990,"currency":"USD"}
    """

  static let purchaseFields = [
    "transaction-id": "1000000181298734", "original-transaction-id": "1000000180636226",
    "product-id": "yearly", "bid": "com.example.reader", "quantity": "1",
    "purchase-date-ms": "1795057445000", "original-purchase-date-ms": "1795057445000",
    "web-order-line-item-id": "1000000030938713", "item-id": "1028950797", "bvrs": "1",
  ]

  /// A receipt whose purchases have as many attributes as genuine ones, including attributes
  /// that the code does not name.
  static func receipt(purchases count: Int) -> TestReceipt {
    var receipt = TestReceipt()
    receipt.purchases = (0..<count).map { number in
      var purchase = TestPurchase(
        transactionID: "\(350_001_177_745_405 + number)",
        productID: "com.example.reader.sub.yearly", purchaseDate: "2026-11-14T13:30:00Z")
      purchase.productType = 3
      purchase.expiresDate = "2027-11-14T13:30:00Z"
      purchase.cancellationDate = ""
      purchase.webOrderLineItemID = 350_000_551_234_567 + number
      purchase.isTrial = false
      purchase.isIntroductoryOffer = false
      purchase.otherAttributes = [1709, 1710, 1714, 1715, 1716, 1717, 1718, 1720, 1721, 1722].map {
        ($0, [0x0c, 0x00])
      }
      return purchase
    }
    receipt.otherAttributes = [1, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 18, 20, 25].map {
      ($0, [0x0c, 0x00])
    }
    return receipt
  }
}
