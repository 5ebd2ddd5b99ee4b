/// The answer about all subscriptions of a customer: groups, each with its last transactions.
enum SubscriptionGroups {
  /// Whether a value is the `data` of such an answer: all its elements are groups, or one of them
  /// contains a signed text.
  static func isThere(_ value: JSONValue?) -> Bool {
    guard let value, value.isArray else { return false }
    var areGroups = true
    var isAnySigned = false
    value.forEachElement { group in
      if let list = transactions(of: group) {
        list.forEachElement { isAnySigned = isAnySigned || isSigned($0) }
      } else {
        areGroups = false
      }
    }
    return areGroups || isAnySigned
  }

  /// The list of the transactions of a group; nil if the value is not a group.
  static func transactions(of group: JSONValue) -> JSONValue? {
    group.member("lastTransactions").flatMap { $0.isArray ? $0 : nil }
  }

  private static func isSigned(_ entry: JSONValue) -> Bool {
    entry.member("signedTransactionInfo")?.string.map { EvidenceShape.isSigned($0.trimmed) }
      ?? false
  }
}
