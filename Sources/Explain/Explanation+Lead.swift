import Rules

extension Explanation.Thing {
  /// The sentence about a finding that comes before the cause of a purchase; nil if there is none.
  ///
  /// The finding is the one that was asked for, or else the first error, or else the first warning.
  /// If the purchase is a missing delivery, only a finding that was asked for has a sentence,
  /// because the cause itself is about the missing delivery.
  ///
  /// - Parameter product: The product of the purchase.
  static func lead(
    _ verdicts: [Explanation.Verdict], of product: String, asked names: [String]
  ) -> String? {
    let found = verdicts.filter { $0.verdict == "found" }
    let asked = found.first { verdict in
      names.contains { name in
        name.count >= 6 && verdict.finding?.lowercased().hasPrefix(name.lowercased()) == true
      }
    }
    guard asked != nil || !found.contains(where: { $0.rule == "missing_delivery" }) else {
      return nil
    }
    // The cause itself says that the catalogue does not list the product. A delivery may name another.
    let others = found.filter {
      !($0.rule == "invalid_product_id" && $0.subject == "\(product) unknown")
        && rules[$0.rule]?.isOnlySaidIfAsked == false
    }
    // What some app reports about the product says less about this purchase than any other finding.
    func isOfApps(_ verdict: Explanation.Verdict) -> Bool {
      verdict.rule == "invalid_product_id" && verdict.reason == "reported_by_app"
    }
    func first(_ level: String) -> Explanation.Verdict? {
      others.first { $0.level == level && rules[$0.rule]?.sentence != nil && !isOfApps($0) }
    }
    guard
      let verdict = asked ?? first("error") ?? first("warning") ?? others.first(where: isOfApps),
      let sentence = rules[verdict.rule]?.sentence
    else { return nil }
    if verdict.rule == "delivery_without_purchase", verdict.reason == "refunded",
      let refund = verdict.refundedAt
    {
      return """
        Delivered after the refund of \(refund): \(verdict.words) (delivery \(verdict.subject)).
        """
    }
    let unfinished = found.filter { $0.rule == "unfinished_delivery" }
    if asked == nil, verdict.rule == "unfinished_delivery", !unfinished.isEmpty {
      return notFinished(unfinished)
    }
    if isOfApps(verdict) {
      return "An app reported its product identifier as invalid: \(verdict.words)."
    }
    guard verdict.rule == "invalid_product_id" else { return "\(sentence): \(verdict.words)." }
    // Its subject is the identifier and what is wrong with it.
    return verdict.subject.hasPrefix("\(product) ")
      ? "\(sentence): \(verdict.subject)."
      : "A delivery for it names a product identifier that is not valid: \(verdict.subject)."
  }

  /// Names the devices, with the error of each.
  private static func notFinished(_ verdicts: [Explanation.Verdict]) -> String {
    let most = 5
    let devices = Set(verdicts.map(\.deviceId)).count
    var words = verdicts.prefix(most).map { verdict in
      let attempt = [verdict.words, verdict.error].compactMap { $0 }.joined(separator: ": ")
      return "\(verdict.deviceId ?? "a device without a name") (\(attempt))"
    }
    if verdicts.count > most { words.append("and \(verdicts.count - most) more") }
    let count = devices == 1 ? "one device" : "\(devices) devices"
    return "Not finished on \(count): \(words.joined(separator: "; "))."
  }

  private static let rules = Dictionary(uniqueKeysWithValues: Rule.all.map { ($0.name, $0) })
}
