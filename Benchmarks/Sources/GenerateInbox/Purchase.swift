/// One transaction of an account, as a receipt contains it.
struct Purchase {
  var transactionID: Int
  var originalTransactionID: Int
  /// An index in ``Product/all``.
  var product: Int
  var purchasedAt: Int
  var originalPurchasedAt: Int
  var expiresAt: Int?
  var lineItem: Int?
  var cancelledAt: Int?
  var isTrial = false
  var isFamilyShared = false

  /// Whether it is a restored transaction of the same account.
  var isRestored = false
}
