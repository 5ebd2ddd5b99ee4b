extension Ledger {
  func deliveriesWithoutPurchase() -> [Finding] {
    configuredDeliveries.compactMap { delivery in
      // A delivery before the books begin is never a delivery without purchase, for any reason.
      guard delivery.status == .delivered, catalogue.products[delivery.product] != nil,
        hasGraceRunOut(delivery), let booksBegin, delivery.occurredAt >= booksBegin,
        let reason = reasonWithoutPurchase(delivery)
      else { return nil }
      return Finding(
        "delivery_without_purchase", reason == "other_environment" ? "warning" : "error",
        delivery.environment, delivery.id.text, reason: reason, about: delivery.family)
    }
  }

  private func reasonWithoutPurchase(_ delivery: Delivery) -> String? {
    if let family = delivery.family {
      guard let refund = family.refundDate, refund < delivery.occurredAt else { return nil }
      return family.isRefundUpgrade || servesOther(delivery, of: family) ? nil : "refunded"
    }
    // If the transaction is known in the environment of the delivery, the delivery has a family. So
    // it is known in another environment.
    if !knownEnvironments(of: delivery.transaction).isEmpty { return "other_environment" }
    return originals.contains(delivery.transaction) ? nil : "unknown_transaction"
  }

  /// Whether a delivery for a refunded purchase also serves one of the chain that was not refunded
  /// before.
  private func servesOther(_ delivery: Delivery, of family: Family) -> Bool {
    guard !isOwedAlone(family), delivery.product == family.product else { return false }
    return servedByChain[family.chainKey, default: []].contains { other in
      guard let purchase = other.completed else { return false }
      return purchase.purchaseDate <= delivery.occurredAt
        && other.refundDate.map { $0 >= delivery.occurredAt } ?? true
    }
  }

  func duplicateDeliveries() -> [Finding] {
    struct Handover: Hashable {
      let transaction: TransactionKey
      let product: ByteText
      let device: ByteText?
    }
    let delivered = configuredDeliveries.filter { $0.status == .delivered }
    let handovers = Dictionary(grouping: delivered) { delivery in
      Handover(
        transaction: TransactionKey(environment: delivery.environment, id: delivery.transaction),
        product: delivery.product, device: delivery.device)
    }
    // Two products or devices with repeated deliveries are one finding about one transaction.
    let repeated = Dictionary(grouping: handovers.filter { $1.count > 1 }, by: \.key.transaction)
    return repeated.map { transaction, handovers in
      let families = handovers.flatMap(\.value).compactMap(\.family)
      let isOne = families.allSatisfy { $0 === families.first }
      return Finding(
        "duplicate_delivery", "info", transaction.environment, transaction.id.text,
        about: isOne ? families.first : nil)
    }
  }

  func sharedPurchases() -> [Finding] {
    sharedPurchases(by: \.accounts, prefix: "")
      + sharedPurchases(by: \.tokens, prefix: "appAccountToken ")
  }

  private func sharedPurchases(
    by names: (Family) -> Set<ByteText>, prefix: String
  ) -> [Finding] {
    Set(configuredFamilies.map(names).filter { $0.count > settings.accountsAllowed })
      .map { names in
        let subject = prefix + names.sorted().map(\.text).joined(separator: " ")
        return Finding("shared_purchase", names.count >= 5 ? "warning" : "info", nil, subject)
      }
  }

  func suspiciousReceipts() -> [Finding] {
    configuredTransactions.compactMap { transaction in
      transaction.suspicion.map {
        Finding(
          "suspicious_receipt", "warning", transaction.key.environment, transaction.key.id.text,
          reason: $0, about: familyOf[transaction.key])
      }
    }
  }

  func conflictingTransactions() -> [Finding] {
    configuredTransactions.filter(\.isConflicting).map {
      Finding(
        "conflicting_transaction", "error", $0.key.environment, $0.key.id.text,
        about: familyOf[$0.key])
    }
  }

  /// The deliveries of which two records that could both count differ in what matters.
  func conflictingDeliveries() -> [Finding] {
    configuredDeliveries.filter { delivery in
      let records = recordsByDelivery[delivery.id, default: []]
      let revision = records.map { $0.revision ?? 0 }.max()
      let rivals = records.filter { ($0.revision ?? 0) == revision }
      return rivals.contains { one in
        rivals.contains { $0.occurredAt.seconds == one.occurredAt.seconds && $0.differs(from: one) }
      }
    }.map { Finding("conflicting_delivery", "warning", $0.environment, $0.id.text) }
  }

  func conflictingProducts() -> [Finding] {
    catalogue.products.filter(\.value.isConflicting).map {
      Finding("conflicting_catalogue", "warning", nil, $0.key.text)
    }
  }
}
