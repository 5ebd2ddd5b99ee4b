import ExactText
import Rules

extension Explanation.Thing {
  /// The sentence about a thing: its most important finding, its cause, and how many other findings
  /// it has.
  ///
  /// - Parameters:
  ///   - cause: The sentence about the cause.
  ///   - product: The product of a purchase; nil for a thing that is no purchase.
  ///   - resolved: The sentence about a finding that was asked for and is resolved; nil if there is
  ///     none.
  ///   - withdrawn: The sentence about withdrawn files that still count; nil if there are none.
  ///   - names: The requested names.
  static func sentence(
    _ cause: String?, _ verdicts: [Explanation.Verdict], kind: String, product: String?,
    resolved: String?, withdrawn: String?, asked names: [String]
  ) -> String {
    // The cause of a finding that is a thing of its own says that it is resolved.
    let isResolved =
      resolved != nil && kind != "finding" && !verdicts.contains { isAsked($0, by: names) }
    let lead: (words: String, said: [Explanation.Verdict])? =
      isResolved
      ? resolved.map { (words: $0, said: []) }
      : product.flatMap { Self.lead(verdicts, of: $0, asked: names) }
    let said = (lead?.said ?? []) + saidByCause(verdicts, product)
    let others = Explanation.FindingCount.counts(
      of: verdicts.filter { verdict in
        !said.contains { $0.rule == verdict.rule && $0.subject.isExactly(verdict.subject) }
      })
    // A finding that was asked for is a thing of its own, and its cause is about this finding.
    let more = kind == "finding" ? nil : words(of: others, isMore: isResolved || !said.isEmpty)
    return [lead?.words, cause, more, withdrawn].compactMap { $0 }.joined(separator: " ")
  }

  /// How many findings there are, or how many more than the sentence is about; nil if none.
  private static func words(of counts: [Explanation.FindingCount], isMore: Bool) -> String? {
    let total = counts.map(\.findings).reduce(0, +)
    guard total > 0 else { return nil }
    let findings = (isMore ? "more " : "") + (total == 1 ? "finding" : "findings")
    return "\(total) \(findings): \(Explanation.FindingCount.words(counts))."
  }

  /// The findings that the sentence about the cause is about.
  private static func saidByCause(
    _ verdicts: [Explanation.Verdict], _ product: String?
  ) -> [Explanation.Verdict] {
    let ofCauses: Set = [
      "missing_delivery", "delivery_without_purchase", "purchase_without_receipt",
    ]
    return verdicts.filter { verdict in
      guard verdict.verdict == "found" else { return false }
      guard let product else { return ofCauses.contains(verdict.rule) }
      return verdict.rule == "missing_delivery" || isUnlisted(verdict, product)
    }
  }

  /// Whether a finding says that the catalogue does not list the product of the purchase.
  ///
  /// The cause itself says so. A delivery may name another product.
  private static func isUnlisted(_ verdict: Explanation.Verdict, _ product: String) -> Bool {
    verdict.rule == "invalid_product_id" && verdict.productId?.isExactly(product) == true
      && verdict.reason == "unknown"
  }

  /// The sentence about a finding that comes before the cause of a purchase, and the findings that
  /// it is about; nil if there is none.
  ///
  /// The finding is the one that was asked for, or else the first error, or else the first warning.
  /// If the purchase is a missing delivery, only a finding that was asked for has a sentence,
  /// because the cause itself is about the missing delivery.
  ///
  /// - Parameter product: The product of the purchase.
  private static func lead(
    _ verdicts: [Explanation.Verdict], of product: String, asked names: [String]
  ) -> (words: String, said: [Explanation.Verdict])? {
    let found = verdicts.filter { $0.verdict == "found" }
    let asked = found.first { isAsked($0, by: names) }
    guard asked != nil || !found.contains(where: { $0.rule == "missing_delivery" }) else {
      return nil
    }
    let others = found.filter {
      !isUnlisted($0, product) && Rule.named($0.rule)?.isOnlySaidIfAsked == false
    }
    func first(_ level: String) -> Explanation.Verdict? {
      others.first { $0.level == level && Rule.named($0.rule)?.sentence != nil && !isOfApps($0) }
    }
    guard
      let verdict = asked ?? first("error") ?? first("warning") ?? others.first(where: isOfApps),
      let sentence = Rule.named(verdict.rule)?.sentence
    else { return nil }
    if verdict.rule == "unfinished_delivery" {
      let unfinished = asked.map { [$0] } ?? found.filter { $0.rule == "unfinished_delivery" }
      return (notFinished(unfinished), unfinished)
    }
    return (words(of: verdict, sentence, product), [verdict])
  }

  /// Whether one of the requested names is the beginning of the name of a finding.
  private static func isAsked(_ verdict: Explanation.Verdict, by names: [String]) -> Bool {
    names.contains { name in
      name.count >= 6 && verdict.finding?.lowercased().hasPrefix(name.lowercased()) == true
    }
  }

  /// Whether a finding is a report of an app about the product.
  ///
  /// It comes after all other findings, because it is not about this purchase.
  private static func isOfApps(_ verdict: Explanation.Verdict) -> Bool {
    verdict.rule == "invalid_product_id" && verdict.reason == "reported_by_app"
  }

  /// The words about one finding.
  private static func words(
    of verdict: Explanation.Verdict, _ sentence: String, _ product: String
  ) -> String {
    if verdict.rule == "delivery_without_purchase", verdict.reason == "refunded",
      let refund = verdict.refundedAt
    {
      let end =
        switch verdict.refundVerb {
        case "no longer shared": "when it was no longer shared (since \(refund))"
        case "cancelled": "after it was cancelled on \(refund)"
        default: "after the refund of \(refund)"
        }
      return "Delivered \(end): \(verdict.words) (delivery \(verdict.subject))."
    }
    if isOfApps(verdict) {
      return "An app reported its product identifier as invalid: \(verdict.words)."
    }
    guard verdict.rule == "invalid_product_id" else { return "\(sentence): \(verdict.words)." }
    // Its subject is the identifier and what is wrong with it.
    return verdict.productId?.isExactly(product) == true
      ? "\(sentence): \(verdict.subject)."
      : "A delivery for it names a product identifier that is not valid: \(verdict.subject)."
  }

  /// Names the devices, with the error of each.
  private static func notFinished(_ verdicts: [Explanation.Verdict]) -> String {
    let most = 5
    let devices = Set(verdicts.map(\.deviceId)).count
    var words = verdicts.prefix(most).map { verdict in
      let attempt = [verdict.words, verdict.error.map { cut($0) }].compactMap { $0 }.joined(
        separator: ": ")
      return "\(verdict.deviceId ?? "a device without a name") (\(attempt))"
    }
    if verdicts.count > most { words.append("and \(verdicts.count - most) more") }
    let count = devices == 1 ? "one device" : "\(devices) devices"
    return "Not finished on \(count): \(words.joined(separator: "; "))."
  }

  /// The maximum number of characters of an error in a sentence.
  static let errorLength = 200

  /// The beginning of an error; the events have the whole error.
  private static func cut(_ error: String) -> String {
    error.count > errorLength ? error.prefix(errorLength) + "…" : error
  }
}
