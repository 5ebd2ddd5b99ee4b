extension Explanation.Thing {
  /// The sentence that a finding about a purchase adds in front of its cause.
  ///
  /// The finding is the one that was asked for, or else the first error or warning. A missing
  /// delivery needs none, because the cause itself is about it.
  static func lead(
    _ verdicts: [Explanation.Verdict], of members: [Explanation.Member], asked name: String
  ) -> String? {
    let found = verdicts.filter { $0.verdict == "found" }
    let asked = found.first { verdict in
      name.count >= 6 && verdict.finding?.lowercased().hasPrefix(name.lowercased()) == true
    }
    guard asked != nil || !found.contains(where: { $0.rule == "missing_delivery" }) else {
      return nil
    }
    // The cause itself says that a log is silent, and that the catalogue does not list the product.
    // An unknown price, a feed that stopped and Apple's reports say nothing about this purchase.
    let others = found.filter {
      !["silent_source", "unpriced_product", "stale_feed", "unexplained_difference"]
        .contains($0.rule)
        && !($0.rule == "invalid_product_id" && $0.reason == "unknown")
    }
    guard
      let verdict = asked ?? others.first(where: { $0.level == "error" })
        ?? others.first(where: { $0.level == "warning" }), verdict.rule != "missing_delivery"
    else { return nil }
    if verdict.rule == "delivery_without_purchase", verdict.reason == "refunded",
      let refund = members.compactMap(\.refundedAt).min()
    {
      return """
        Delivered after the refund of \(refund): \(verdict.words) (delivery \(verdict.subject)).
        """
    }
    return "\(words[verdict.rule] ?? "Found by \(verdict.rule)"): \(verdict.words)."
  }

  private static let words = [
    "unfinished_delivery": "Not finished on one device",
    "duplicate_restore": "Restored more often than allowed",
    "missing_original": "Restored, and no receipt contains its purchase",
    "unrestorable_restore": "Restored, although its type cannot be restored",
    "delivery_without_purchase": "Delivered without a purchase",
    "duplicate_delivery": "Delivered more than once",
    "shared_purchase": "Used by several accounts",
    "conflicting_transaction": "Its evidence contradicts itself",
    "invalid_product_id": "Its product identifier is not valid",
    "conflicting_catalogue": "The catalogues contradict each other about its product",
    "catalogue_disagreement": "The app and the App Store disagree about its product",
    "purchase_without_receipt": "Only an app reports it",
    "automatic_restore": "The app restores by itself",
    "suspicious_receipt": "A receipt of it looks forged",
    "conflicting_delivery": "The records of its delivery contradict each other",
    "unpriced_product": "Its product has no price",
    "unexplained_difference": "Apple reports other sales of its product",
  ]
}
