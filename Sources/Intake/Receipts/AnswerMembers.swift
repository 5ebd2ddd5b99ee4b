/// The members that tell an answer of Apple without any transaction from an object of the company's own.
///
/// `{"status":0}` and `{"data":[]}` are answers. The same members beside others are what any server writes, and
/// those others may contain evidence.
enum AnswerMembers {
  /// Members of an answer of `verifyReceipt` that contain transactions.
  ///
  /// Other objects do not have these names.
  private static let ofReceipt = spellings([
    "receipt", "latest_receipt", "latest_expired_receipt", "latest_receipt_info",
    "latest_expired_receipt_info",
  ])

  /// Members of an answer of `verifyReceipt` that give no transaction, and those of an envelope.
  private static let ofAnswer = beside.union(
    spellings([
      "status", "environment", "is-retryable", "is_retryable", "exception", "pending_renewal_info",
    ]))

  /// Members of the App Store Server API's answer about all subscriptions, and those of an envelope.
  private static let ofStatuses = beside.union(["data", "environment", "bundleId", "appAppleId"])

  private static let beside = spellings(BesideMember.allCases.map(\.rawValue))

  private static func spellings(_ names: [String]) -> Set<String> {
    Set(names + names.map(camelCase))
  }

  /// Whether the members of an object with a status are those of an answer of `verifyReceipt`: one that contains
  /// transactions, or only others of an answer.
  static func isAnswer(_ object: JSONValue) -> Bool {
    let names = object.memberNames()
    return names.contains { ofReceipt.contains($0) } || names.allSatisfy { ofAnswer.contains($0) }
  }

  /// Whether an object has no member that an answer about subscriptions does not have.
  static func isAnswerAboutSubscriptions(_ object: JSONValue) -> Bool {
    object.memberNames().allSatisfy { ofStatuses.contains($0) }
  }
}
