/// A delivery that is owed to a family, or to a whole chain.
struct Obligation {
  let purchase: MergedTransaction
  /// The families whose deliveries serve it.
  let families: [Family]
  let isChain: Bool

  var isRefunded: Bool {
    families.allSatisfy { $0.completed == nil || $0.refundDate != nil }
  }
}

/// A delivery that is owed and due, and was not made.
struct MissingDelivery {
  let purchase: MergedTransaction
  let families: [Family]
  let isChain: Bool
  let due: Int
  let reason: String
  let attempts: [Delivery]

  var latest: Delivery? {
    attempts.min(by: Delivery.isLater)
  }

  var account: ByteText? {
    families.reduce(Set<ByteText>()) { $0.union($1.accounts) }.min()
  }

  var finding: Finding {
    let chain = purchase.original.text + " " + purchase.product.text
    let subject = isChain ? chain : families.first?.subject ?? chain
    return Finding(
      "missing_delivery", reason == "no_records" ? "warning" : "error", purchase.key.environment,
      subject, reason: reason, about: families.first { $0.completed === purchase })
  }
}

extension Ledger {
  func missingDeliveries() -> [MissingDelivery] {
    obligations().compactMap(missingDelivery)
  }

  /// All deliveries that are owed, made or not.
  func obligations() -> [Obligation] {
    servedTogether().compactMap { families in
      guard let purchase = Self.representative(of: families), owesDelivery(purchase) else {
        return nil
      }
      return Obligation(
        purchase: purchase, families: families,
        isChain: families.allSatisfy { !isOwedAlone($0) })
    }
  }

  /// The families of the configured environments, those that one delivery serves together.
  func servedTogether() -> [[Family]] {
    configuredFamilies.filter(isOwedAlone).map { [$0] } + servedByChain.values
  }

  /// Whether the family is a period that owes its own delivery.
  func isOwedAlone(_ family: Family) -> Bool {
    family.isSubscription && catalogue.products[family.product]?.deliveryPer == "period"
  }

  /// The purchase that represents a chain: the first that was not refunded; if all were, the last.
  static func representative(of families: [Family]) -> MergedTransaction? {
    let kept = families.filter { $0.refundDate == nil }.compactMap(\.completed)
    if !kept.isEmpty { return kept.min(by: MergedTransaction.isEarlier) }
    let all = families.compactMap(\.completed)
    let last = all.map(\.purchaseDate).max()
    return all.filter { $0.purchaseDate == last }.min(by: MergedTransaction.isEarlier)
  }

  private func owesDelivery(_ purchase: MergedTransaction) -> Bool {
    guard let product = catalogue.products[purchase.product] else { return false }
    return ["server", "on_demand"].contains(product.delivery)
      && ![.otherEnvironment, .restored].contains(disposition(of: purchase))
  }

  func missingDelivery(_ obligation: Obligation) -> MissingDelivery? {
    let (purchase, families) = (obligation.purchase, obligation.families)
    let due = purchase.purchaseDate + grace(of: purchase.product)
    // If the books never begin, nothing is owed.
    guard let booksBegin, purchase.purchaseDate >= booksBegin, due <= asOf else { return nil }
    guard !obligation.isRefunded else { return nil }
    let attempts = families.flatMap(\.deliveries)
    let delivered = attempts.filter { $0.status == .delivered }
    guard !delivered.contains(where: { $0.product == purchase.product }) else { return nil }

    let reason: String
    if !delivered.isEmpty {
      reason = "wrong_product"
    } else if let latest = attempts.min(by: Delivery.isLater) {
      reason = latest.status.rawValue
    } else if catalogue.products[purchase.product]?.delivery == "on_demand" {
      // No device has asked for it yet.
      return nil
    } else {
      let log = configuredDeliveries.map(\.occurredAt)
      let hasRecords = log.contains { purchase.purchaseDate <= $0 && $0 <= due }
      let isUnknown =
        !hasRecords || isUnheard(purchase.product, from: purchase.purchaseDate, to: due)
      reason = isUnknown ? "no_records" : "never_attempted"
    }
    return MissingDelivery(
      purchase: purchase, families: families, isChain: obligation.isChain, due: due, reason: reason,
      attempts: attempts)
  }

  /// The findings about transactions and devices whose last attempt was not delivered.
  func unfinishedDeliveries(missing: [MissingDelivery]) -> [Finding] {
    let missingFamilies = Set(missing.flatMap(\.families).map { ObjectIdentifier($0) })
    struct Group: Hashable {
      let environment: ByteText
      let transaction: StoreID
      let device: ByteText?
    }
    let groups = Dictionary(grouping: configuredDeliveries) {
      Group(environment: $0.environment, transaction: $0.transaction, device: $0.device)
    }
    return groups.compactMap { group, attempts in
      // Uses the family of the last attempt. If the transaction is not a member, an earlier attempt
      // could belong to another family by its line item or original.
      guard let latest = attempts.min(by: Delivery.isLater), latest.status != .delivered,
        hasGraceRunOut(latest), let family = latest.family, family.refundDate == nil,
        !missingFamilies.contains(ObjectIdentifier(family))
      else { return nil }
      let subject = ([group.transaction.text] + [group.device?.text].compactMap { $0 })
      return Finding(
        "unfinished_delivery", "warning", group.environment, subject.joined(separator: " "),
        about: family)
    }
  }
}
