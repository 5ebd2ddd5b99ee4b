package import ReconciliationSQL

/// One thing that can be wrong between the App Store's records and ours.
package struct Rule: Hashable, Sendable, CustomStringConvertible {
  /// The name that findings and reports carry.
  package let name: String
  /// The query that returns level, environment, reason and detail of each finding, and what it is
  /// about: columns with the names of fields of `finding_key`.
  ///
  /// If a finding is about one purchase, the query also returns `family_key`, the family of that
  /// purchase, if the purchase is known.
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

  private static let overall: Set = [
    "invalid_product_id", "shared_purchase", "automatic_restore", "conflicting_catalogue",
    "catalogue_disagreement", "silent_source", "unpriced_product", "stale_feed",
    "certificate_withdrawn", "unexplained_difference",
  ]

  /// The rule's name, which is how tests and logs show it.
  package var description: String { name }
}
