/// One transaction of an account, as a receipt tells it.
struct Purchase {
  var transactionID: Int
  var originalTransactionID: Int
  /// A place in ``Product/all``.
  var product: Int
  var purchasedAt: Int
  var originalPurchasedAt: Int
  var expiresAt: Int?
  var lineItem: Int?
  var cancelledAt: Int?
  var isTrial = false
  var isFamilyShared = false

  /// Whether it replays an earlier one of the same account.
  var isRestored = false
}
