/// What a receipt of iOS 6 says: one purchase.
public struct TransactionReceipt: Sendable, Equatable {
  /// The signed fields under Apple's hyphenated names, for instance `transaction-id`,
  /// `original-transaction-id`, `product-id`, `purchase-date-ms`, `bid`, `expires-date`.
  public let fields: [String: String]
  /// What stands beside the signed part. Apple did not sign it: whoever had the receipt can have
  /// changed it. None means Production.
  public let environment: String?
}
