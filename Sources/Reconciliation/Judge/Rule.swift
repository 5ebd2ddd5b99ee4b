public import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
public struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  public let name: String
  /// The query that returns level, environment, subject, reason and detail of each finding.
  public let query: SQLFile
  /// Whether the rule looks only at single purchases and the records that belong to them.
  ///
  /// Such a rule only has to look at the records that a night reaches. The other rules read what
  /// nights carry forward, and the catalogue.
  let isOfPurchases: Bool

  /// Every rule, in the order in which they are applied.
  public static let all = SQLFile.rules.map {
    Rule(name: $0.subject, query: $0, isOfPurchases: !overall.contains($0.subject))
  }

  private static let overall: Set = [
    "invalid_product_id", "shared_purchase", "automatic_restore", "conflicting_catalogue",
    "catalogue_disagreement", "silent_source",
  ]

  /// The rule's name, which is how tests and logs show it.
  public var description: String { name }
}
