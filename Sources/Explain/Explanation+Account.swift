extension Explanation {
  /// What became of the purchases of an account or device, as numbers.
  ///
  /// If not everything is shown (``Shown``), the numbers are about what is shown.
  package struct Account: Encodable, Equatable, Sendable {
    /// The number of purchases; a subscription that one delivery serves is one purchase.
    package let purchases: Int
    /// The number of them that were delivered.
    package let delivered: Int
    /// The number of the delivered ones that were refunded.
    package let deliveredAndRefunded: Int
    /// The number of missing deliveries that are not uncertain.
    package let missing: Int
    /// The number of uncertain deliveries.
    package let uncertain: Int
    /// The number of purchases that were refunded and not delivered.
    package let refunded: Int
    /// The number of purchases whose delivery is not due yet.
    package let notDue: Int
    /// The number of other purchases; they owe no delivery.
    package let owingNothing: Int
    /// The findings about them, about deliveries without a purchase, and about what apps report.
    package let findings: [FindingCount]
  }
}

extension Explanation.Account {
  /// Counts the things with the name of an account or device; nil if the name is neither.
  init?(_ things: [Explanation.Thing]) {
    let its = things.filter { $0.hasRole(of: ["account", "device"]) }
    guard !its.isEmpty else { return nil }
    let purchases = its.filter { $0.kind == "purchase" }
    func count(_ causes: Set<String>, of things: [Explanation.Thing]) -> Int {
      things.count { causes.contains($0.cause) }
    }
    let missing: Set = ["wrong_product", "failed", "pending", "never_attempted"]
    let counted = missing.union(["delivered", "no_records", "refunded", "not_due"])
    self.init(
      purchases: purchases.count, delivered: count(["delivered"], of: purchases),
      deliveredAndRefunded: count(["delivered"], of: purchases.filter(\.isRefunded)),
      missing: count(missing, of: purchases), uncertain: count(["no_records"], of: purchases),
      refunded: count(["refunded"], of: purchases), notDue: count(["not_due"], of: purchases),
      owingNothing: purchases.count - count(counted, of: purchases),
      findings: Explanation.FindingCount.counts(of: its.flatMap(\.verdicts)))
  }

  /// The numbers in words.
  package var words: String {
    let refunded = deliveredAndRefunded == 0 ? "" : " (\(deliveredAndRefunded) of them refunded)"
    let parts = [
      (delivered, "delivered\(refunded)"), (missing, "missing"), (uncertain, "uncertain"),
      (self.refunded, "refunded and not delivered"), (notDue, "not due yet"),
      (owingNothing, owingNothing == 1 ? "that owes no delivery" : "that owe no delivery"),
    ]
    let numbers = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let total = findings.map(\.findings).reduce(0, +)
    let found = total == 0 ? "" : ": " + Explanation.FindingCount.words(findings)
    return "\(purchases) \(purchases == 1 ? "purchase" : "purchases")"
      + (numbers.isEmpty ? "" : ": \(numbers)") + "."
      + " \(total) \(total == 1 ? "finding" : "findings")\(found)."
  }
}
