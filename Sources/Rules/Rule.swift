package import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  package let name: String
  /// The query that returns level, environment, subject, reason and detail of each finding.
  package let query: SQLFile
  /// Whether the rule looks only at single purchases and the records that belong to them.
  ///
  /// Such a rule only has to look at the records that a night reaches. The other rules read what
  /// nights carry forward, and the catalogue.
  package let isOfPurchases: Bool

  /// Every rule, in the order in which they are applied.
  package static let all = SQLFile.rules.map {
    Rule(name: $0.subject, query: $0, isOfPurchases: !overall.contains($0.subject))
  }

  /// Whether each finding is about one purchase.
  ///
  /// The query of such a rule also returns `family_key`, the family of that purchase, if the
  /// purchase is known.
  package var isAboutOnePurchase: Bool { Self.ofOnePurchase.contains(name) }

  private static let overall: Set = [
    "invalid_product_id", "shared_purchase", "automatic_restore", "conflicting_catalogue",
    "catalogue_disagreement", "silent_source", "unpriced_product", "stale_feed",
    "certificate_withdrawn", "unexplained_difference",
  ]

  private static let ofOnePurchase: Set = [
    "missing_delivery", "unfinished_delivery", "duplicate_restore", "unrestorable_restore",
    "delivery_without_purchase", "duplicate_delivery", "conflicting_transaction",
    "suspicious_receipt",
  ]

  /// The rule's name, which is how tests and logs show it.
  package var description: String { name }
}
