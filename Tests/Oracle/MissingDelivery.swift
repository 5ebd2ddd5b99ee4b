/// What is owed and was never delivered.
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
      subject, reason: reason)
  }
}

extension Ledger {
  func missingDeliveries() -> [MissingDelivery] {
    var owedTogether: [ChainKey: [Family]] = [:]
    var missing: [MissingDelivery] = []
    for family in configuredFamilies {
      guard let purchase = family.completed, owesDelivery(purchase) else { continue }
      if let chain = family.chain,
        catalogue.products[purchase.product]?.deliveryPer == "purchase"
      {
        owedTogether[chain] = chains[chain]
      } else if let found = missingDelivery(of: purchase, for: [family], isChain: false) {
        missing.append(found)
      }
    }
    for families in owedTogether.values {
      let purchases = families.compactMap(\.completed)
      guard let first = purchases.min(by: MergedTransaction.isEarlier) else { continue }
      if let found = missingDelivery(of: first, for: families, isChain: true) {
        missing.append(found)
      }
    }
    return missing
  }

  private func owesDelivery(_ purchase: MergedTransaction) -> Bool {
    guard let product = catalogue.products[purchase.product] else { return false }
    return ["server", "on_demand"].contains(product.delivery)
      && ![.otherEnvironment, .restored].contains(disposition(of: purchase))
  }

  private func missingDelivery(
    of purchase: MergedTransaction, for families: [Family], isChain: Bool
  ) -> MissingDelivery? {
    let due = purchase.purchaseDate + grace(of: purchase.product)
    // Without books nothing is owed: then there is no delivery at all to begin them.
    guard let booksBegin, purchase.purchaseDate >= booksBegin, due <= asOf else { return nil }
    guard families.contains(where: { $0.refundDate == nil }) else { return nil }
    let attempts = families.flatMap(\.deliveries)
    let delivered = attempts.filter { $0.status == .delivered }
    guard !delivered.contains(where: { $0.product == purchase.product }) else { return nil }

    let reason: String
    if !delivered.isEmpty {
      reason = "wrong_product"
    } else if let latest = attempts.min(by: Delivery.isLater) {
      reason = latest.status.rawValue
    } else if catalogue.products[purchase.product]?.delivery == "on_demand" {
      // Nobody has asked for it yet.
      return nil
    } else {
      let log = configuredDeliveries.map(\.occurredAt)
      let hasRecords = log.contains { purchase.purchaseDate <= $0 && $0 <= due }
      reason = hasRecords ? "never_attempted" : "no_records"
    }
    return MissingDelivery(
      purchase: purchase, families: families, isChain: isChain, due: due, reason: reason,
      attempts: attempts)
  }

  /// The last attempt of a transaction and device failed, though the family has its delivery.
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
      // The last of all attempts is asked for its family: where the transaction is no member,
      // an earlier attempt could name another family by its line item or original.
      guard let latest = attempts.min(by: Delivery.isLater), latest.status != .delivered,
        hasGraceRunOut(latest), let family = latest.family, family.refundDate == nil,
        !missingFamilies.contains(ObjectIdentifier(family))
      else { return nil }
      let subject = ([group.transaction.text] + [group.device?.text].compactMap { $0 })
      return Finding(
        "unfinished_delivery", "warning", group.environment, subject.joined(separator: " "))
    }
  }
}
