/// Decides by the names of its members whether an object is an answer of Apple.
///
/// `{"status":0}` and `{"data":[]}` are answers without a transaction. An object that also has
/// members that Apple does not use is another server's, and those members may contain evidence.
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

  /// Members of the App Store Server API's answer about all subscriptions, and those of an
  /// envelope.
  private static let ofStatuses = beside.union(["data", "environment", "bundleId", "appAppleId"])

  private static let beside = spellings(BesideMember.allCases.map(\.rawValue))

  private static func spellings(_ names: [String]) -> Set<String> {
    Set(names + names.map(camelCase))
  }

  /// Whether the members of an object with a status are those of an answer of `verifyReceipt`.
  ///
  /// It has a member that can contain transactions, or no member that such an answer does not have.
  static func isAnswer(_ object: JSONValue) -> Bool {
    let names = object.memberNames()
    return names.contains { ofReceipt.contains($0) } || names.allSatisfy { ofAnswer.contains($0) }
  }

  /// Whether an object has no member that an answer about subscriptions does not have.
  static func isAnswerAboutSubscriptions(_ object: JSONValue) -> Bool {
    object.memberNames().allSatisfy { ofStatuses.contains($0) }
  }
}
