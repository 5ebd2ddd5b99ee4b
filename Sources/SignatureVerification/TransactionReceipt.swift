/// The content of a receipt of iOS 6: one purchase.
public struct TransactionReceipt: Sendable, Equatable {
  /// The signed fields under Apple's hyphenated names.
  ///
  /// For instance `transaction-id`, `original-transaction-id`, `product-id`, `purchase-date-ms`,
  /// `original-purchase-date-ms`, `web-order-line-item-id`, `quantity`, `bid`, and `expires-date`
  /// in milliseconds since 1970.
  package let fields: [String: String]
  /// The environment, which is outside the signed part; nil means Production.
  ///
  /// Apple did not sign it: anyone who had the receipt can have changed it.
  package let environment: String?
}
