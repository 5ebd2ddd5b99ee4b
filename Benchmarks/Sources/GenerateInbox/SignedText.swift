import SigningTestSupport

/// The lines of a receipts file for one account: its signed transactions, as apps with StoreKit 2
/// send them, and Apple's notifications of renewals and refunds.
///
/// StoreKit 2 gives a restored purchase its first id, so restored transactions are left out.
struct SignedText {
  private let authority: TestAuthority

  /// Makes an authority, whose keys are new in each process.
  init() throws { authority = try TestAuthority.make() }

  /// The certificate that must be in `trusted_roots`.
  var rootCertificate: String { authority.transactionRootPEM }

  /// Writes all transactions of the account, each signed when it was bought, or at `signedAgainAt`.
  ///
  /// A refund comes as a notification; what the app sent at the purchase does not contain it.
  func write(_ account: Account, signedAgainAt: Int?, to text: inout TextBuffer) throws {
    for purchase in account.purchases {
      let isRenewal = purchase.transactionID != purchase.originalTransactionID
      let bought = signedAgainAt ?? purchase.purchasedAt + 3
      if isRenewal, signedAgainAt == nil {
        try notification("DID_RENEW", purchase, of: account, at: bought, to: &text)
      } else {
        try sent(purchase, of: account, at: bought, to: &text)
      }
      if let cancelledAt = purchase.cancelledAt, signedAgainAt == nil {
        try notification("REFUND", purchase, of: account, at: cancelledAt + 3, to: &text)
      }
    }
  }

  /// A transaction that the app sent.
  private func sent(
    _ purchase: Purchase, of account: Account, at signedAt: Int, to text: inout TextBuffer
  ) throws {
    text.envelope(receivedAt: signedAt + 2, account, device: 0)
    text.text("\"signedTransactionInfo\":\"")
    text.text(try signed(purchase, of: account, at: signedAt))
    text.text("\"}\n")
  }

  /// A notification of version 2.
  ///
  /// It names no account, only Apple's token for it.
  private func notification(
    _ type: String, _ purchase: Purchase, of account: Account, at signedAt: Int,
    to text: inout TextBuffer
  ) throws {
    let transaction = try signed(purchase, of: account, at: signedAt)
    let payload = """
      {"notificationType":"\(type)","notificationUUID":"\(uuid(purchase.transactionID, type.utf8.count))",\
      "data":{"appAppleId":1234567890,"bundleId":"com.example.reader","bundleVersion":"4711",\
      "environment":"Production","signedTransactionInfo":"\(transaction)"},"version":"2.0",\
      "signedDate":\(signedAt)000}
      """
    text.text("{\"signedPayload\":\"\(try authority.sign(payload: payload))\"}\n")
  }

  /// Apple's JWSTransactionDecodedPayload, signed.
  private func signed(_ purchase: Purchase, of account: Account, at signedAt: Int) throws -> String
  {
    let product = Product.all[purchase.product]
    let (storefront, currency) = Product.storefronts[account.storefront]
    var members = """
      "transactionId":"\(purchase.transactionID)",\
      "originalTransactionId":"\(purchase.originalTransactionID)","bundleId":"com.example.reader",\
      "productId":"\(product.identifier)","purchaseDate":\(purchase.purchasedAt)000,\
      "originalPurchaseDate":\(purchase.originalPurchasedAt)000,"quantity":1,\
      "type":"\(product.kind.nameOfApple)","appAccountToken":"\(uuid(account.number, 0))",\
      "inAppOwnershipType":"\(purchase.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")",\
      "signedDate":\(signedAt)000,"environment":"Production","storefront":"\(storefront)",\
      "price":\(purchase.isTrial ? 0 : product.price * 10),"currency":"\(currency)"
      """
    if let expiresAt = purchase.expiresAt { members += ",\"expiresDate\":\(expiresAt)000" }
    if let lineItem = purchase.lineItem { members += ",\"webOrderLineItemId\":\"\(lineItem)\"" }
    if purchase.isTrial { members += ",\"offerType\":1,\"offerDiscountType\":\"FREE_TRIAL\"" }
    if let cancelledAt = purchase.cancelledAt, signedAt >= cancelledAt {
      members += ",\"revocationDate\":\(cancelledAt)000,\"revocationReason\":0"
    }
    return try authority.sign(payload: "{\(members)}")
  }

  /// A UUID that differs for each number and kind.
  private func uuid(_ number: Int, _ kind: Int) -> String {
    func hex(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(hex(number >> 32, 8))-\(hex(kind, 4))-4000-8000-\(hex(number & 0xffff_ffff, 12))"
  }
}

extension Product.Kind {
  /// The word for it in Apple's signed transactions.
  fileprivate var nameOfApple: String {
    switch self {
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    case .autoRenewable: "Auto-Renewable Subscription"
    case .nonRenewing: "Non-Renewing Subscription"
    }
  }
}
