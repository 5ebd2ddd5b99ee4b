/// What a receipt of iOS 6 says: one purchase.
public struct TransactionReceipt: Sendable, Equatable {
  /// The signed fields under Apple's hyphenated names.
  ///
  /// For instance `transaction-id`, `original-transaction-id`, `product-id`, `purchase-date-ms`,
  /// `original-purchase-date-ms`, `web-order-line-item-id`, `quantity`, `bid`, and `expires-date` in
  /// milliseconds since 1970.
  public let fields: [String: String]
  /// What stands beside the signed part; none means Production.
  ///
  /// Apple did not sign it: whoever had the receipt can have changed it.
  public let environment: String?
}
