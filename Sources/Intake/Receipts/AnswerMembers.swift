/// The members that tell an answer of Apple without any transaction from an object of the company's own.
///
/// `{"status":0}` and `{"data":[]}` are answers. The same members beside others are what any server writes, and
/// those others may contain evidence.
enum AnswerMembers {
  /// Members of an answer of `verifyReceipt` that give no transaction, and those of an envelope.
  private static let ofAnswer: Set<String> = [
    "status", "environment", "is-retryable", "is_retryable", "isRetryable", "exception",
    "latest_receipt", "latestReceipt", "latest_expired_receipt", "latestExpiredReceipt",
    "pending_renewal_info", "pendingRenewalInfo", "received_at", "receivedAt", "account_id",
    "accountId",
    "device_id", "deviceId", "storefront",
  ]

  /// Members of the App Store Server API's answer about all subscriptions, and those of an envelope.
  private static let ofStatuses: Set<String> = [
    "data", "environment", "bundleId", "appAppleId", "received_at", "receivedAt", "account_id",
    "accountId",
    "device_id", "deviceId", "storefront",
  ]

  /// Whether an object has no member that an answer of `verifyReceipt` without a transaction does not have.
  static func isAnswer(_ object: JSONValue) -> Bool {
    object.memberNames().allSatisfy { ofAnswer.contains($0) }
  }

  /// Whether an object has no member that an answer about subscriptions does not have.
  static func isAnswerAboutSubscriptions(_ object: JSONValue) -> Bool {
    object.memberNames().allSatisfy { ofStatuses.contains($0) }
  }
}
