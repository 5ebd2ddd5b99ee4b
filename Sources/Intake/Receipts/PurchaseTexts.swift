import SignatureVerification

/// The facts of a receipt about one purchase, in the texts that were signed.
struct PurchaseTexts {
  /// Apple's word for the environment: a receipt's type, or the word beside a receipt of iOS 6.
  var environment: String?
  /// When the receipt was made or received, in seconds since 1970.
  var madeAt: Int64?
  var transactionID: String?
  var originalTransactionID: String?
  var productID: String?
  var quantity: String?
  var purchaseDate: String?
  var originalPurchaseDate: String?
  var expiresDate: String?
  var cancellationDate: String?
  var webOrderLineItemID: String?
  var isTrial: String?
  var isIntroductoryOffer: String?
  var isPromotionalOffer = false
  var isFamilyShared = false
  var isUpgraded: String?
  var productType: ProductType?

  init(_ purchase: InAppPurchase, environment: String?, madeAt: Int64?) {
    self.environment = environment
    self.madeAt = madeAt
    transactionID = purchase.transactionID
    originalTransactionID = purchase.originalTransactionID
    productID = purchase.productID
    quantity = purchase.quantity.map { "\($0)" }
    purchaseDate = purchase.purchaseDate
    originalPurchaseDate = purchase.originalPurchaseDate
    expiresDate = purchase.expiresDate
    cancellationDate = purchase.cancellationDate
    webOrderLineItemID = purchase.webOrderLineItemID
    isTrial = purchase.isTrial.map { "\($0)" }
    isIntroductoryOffer = purchase.isIntroductoryOffer.map { "\($0)" }
    isPromotionalOffer = Self.namesOffer(purchase.promotionalOfferID)
    productType = purchase.productType.map { ProductType($0) }
  }

  init(_ receipt: TransactionReceipt, madeAt: Int64?) {
    let fields = receipt.fields
    environment = receipt.environment
    self.madeAt = madeAt
    transactionID = fields["transaction-id"]
    originalTransactionID = fields["original-transaction-id"]
    productID = fields["product-id"]
    quantity = fields["quantity"]
    purchaseDate = fields["purchase-date-ms"] ?? fields["purchase-date"]
    originalPurchaseDate = fields["original-purchase-date-ms"] ?? fields["original-purchase-date"]
    expiresDate = fields["expires-date"]
    cancellationDate = fields["cancellation-date-ms"] ?? fields["cancellation-date"]
    webOrderLineItemID = fields["web-order-line-item-id"]
    isTrial = fields["is-trial-period"]
    isIntroductoryOffer = fields["is-in-intro-offer-period"]
    // A receipt of iOS 6 has the same members as the answer about it, with hyphens.
    isPromotionalOffer = ["promotional-offer-id", "offer-code-ref-name"]
      .contains { Self.namesOffer(fields[$0]) }
    isFamilyShared = fields["in-app-ownership-type"] == "FAMILY_SHARED"
    isUpgraded = fields["is-upgraded"]
  }

  /// Whether a text names an offer; archives write false or 0 if there is none.
  private static func namesOffer(_ text: String?) -> Bool {
    guard let text else { return false }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { FieldText.flag($0) } != false
  }

  private var named: [(name: String, text: String?)] {
    [
      ("environment", environment), ("transaction_id", transactionID),
      ("original_transaction_id", originalTransactionID), ("product_id", productID),
      ("quantity", quantity), ("purchase_date", purchaseDate),
      ("original_purchase_date", originalPurchaseDate), ("expires_date", expiresDate),
      ("cancellation_date", cancellationDate), ("web_order_line_item_id", webOrderLineItemID),
      ("is_trial_period", isTrial), ("is_in_intro_offer_period", isIntroductoryOffer),
      ("is_upgraded", isUpgraded),
    ]
  }

  /// How many bytes the texts have together.
  var byteCount: Int { named.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) } }

  /// The texts as JSON, for a rejection; in the receipt they are binary.
  var shown: [UInt8] { JSONText(members: named).bytes }

  var wholeQuantity: Int64? {
    get throws(RecordProblem) {
      guard let quantity, !quantity.isEmpty else { return nil }
      guard let number = Int64(quantity), FieldText.quantities.contains(number) else {
        throw .badQuantity
      }
      return number
    }
  }

  /// Reads a date; nil if the text is empty.
  static func instant(_ text: String?, _ name: String) throws(RecordProblem) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    let bytes = Array(text.utf8)
    guard let instant = bytes.withUnsafeBufferPointer({ Instant.parse($0) }) else {
      throw .badDate(name)
    }
    return try Instant.ofApple(instant, name)
  }
}

extension ProductType {
  /// The type in attribute 1707 of a receipt; free subscriptions of the old Newsstand are
  /// auto-renewable.
  init(_ type: InAppPurchase.ProductType) {
    switch type {
    case .nonConsumable: self = .nonConsumable
    case .consumable: self = .consumable
    case .nonRenewing: self = .nonRenewing
    case .autoRenewable, .freeSubscription: self = .autoRenewable
    }
  }
}
