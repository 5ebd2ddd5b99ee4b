/// A possible match: a delivery that differs in one thing from a missing delivery.
struct PossibleMatch {
  /// The field that differs, the best first.
  ///
  /// With `otherPurchase`, the transaction also differs, but evidence contains it.
  enum Difference: Int {
    case product, environment, spelling, transaction, otherPurchase

    var word: String {
      switch self {
      case .product: "product_id"
      case .environment: "environment"
      case .spelling, .transaction: "transaction_id"
      case .otherPurchase: "other_purchase"
      }
    }
  }

  let delivery: Delivery
  let difference: Difference
  let distance: Int
  let seconds: Int
  /// Whether it was delivered before the purchase.
  let isEarly: Bool

  /// What is compared in turn.
  ///
  /// A delivery of another purchase that was made before this one is hardly meant for it.
  private var order: [Int] {
    [difference.rawValue, difference == .otherPurchase && isEarly ? 1 : 0, distance, seconds]
  }

  static func isBetter(_ left: PossibleMatch, _ right: PossibleMatch) -> Bool {
    let (one, other) = (left.order, right.order)
    return one == other
      ? left.delivery.id < right.delivery.id : one.lexicographicallyPrecedes(other)
  }
}

extension Ledger {
  /// The best possible match; it compares every delivery.
  func possibleMatch(of missing: MissingDelivery) -> PossibleMatch? {
    deliveries.compactMap { possibleMatch(of: missing, $0) }.min(by: PossibleMatch.isBetter)
  }

  private func possibleMatch(of missing: MissingDelivery, _ delivery: Delivery) -> PossibleMatch? {
    guard delivery.status == .delivered else { return nil }
    let purchase = missing.purchase
    let isRightProduct = delivery.product == purchase.product
    // Most deliveries are about another product and transaction. The environment costs a lookup.
    guard isRightProduct || delivery.transaction == purchase.key.id else { return nil }
    let isRightEnvironment = evidencedEnvironment(of: delivery) == purchase.key.environment
    let seconds = abs(delivery.occurredAt - purchase.purchaseDate)
    let difference: PossibleMatch.Difference
    if delivery.transaction == purchase.key.id {
      guard isRightProduct != isRightEnvironment else { return nil }
      difference = isRightEnvironment ? .product : .environment
    } else {
      guard isRightProduct, isRightEnvironment else { return nil }
      if otherSpellings(purchase.key.id.text).contains(delivery.transaction.text) {
        difference = .spelling
      } else {
        guard let account = delivery.account, account == missing.account, seconds <= 86400 else {
          return nil
        }
        let key = TransactionKey(
          environment: purchase.key.environment, id: delivery.transaction)
        difference =
          transactions[key].map { !$0.isClaimed } ?? false ? .otherPurchase : .transaction
      }
    }
    return PossibleMatch(
      delivery: delivery, difference: difference,
      distance: levenshtein(scalars(delivery.transaction), scalars(purchase.key.id)),
      seconds: seconds, isEarly: delivery.occurredAt < purchase.purchaseDate)
  }

  /// The environment of a delivery.
  ///
  /// If the log names none, it depends on the transaction in evidence, without claims of apps.
  private func evidencedEnvironment(of delivery: Delivery) -> ByteText {
    if let told = delivery.toldEnvironment { return told }
    let known = knownEnvironments(of: delivery.transaction).filter { environment in
      let key = TransactionKey(environment: environment, id: delivery.transaction)
      return transactions[key].map { !$0.isClaimed } ?? false
    }
    return ByteText(known == [ByteText("Sandbox")] ? "Sandbox" : "Production")
  }

  private func scalars(_ id: StoreID) -> [UInt32] {
    id.text.unicodeScalars.map(\.value)
  }
}

/// The ways in which a spreadsheet, a program or a person writes an id.
///
/// The set is empty if the id itself is not one of them.
private func otherSpellings(_ id: String) -> Set<String> {
  var plain = Substring(id)
  while plain.first == "'" { plain.removeFirst() }
  while plain.first == "0" { plain.removeFirst() }
  if plain.hasSuffix(".0") { plain.removeLast(2) }
  let capitals = plain.unicodeScalars.map { ("a"..."z").contains($0) ? capital($0, -32) : $0 }
  let small = plain.unicodeScalars.map { ("A"..."Z").contains($0) ? capital($0, 32) : $0 }
  let base = text(small)
  let padded = (1...5).map { String(repeating: "0", count: $0) + base }
  let all = Set([base, "'" + base, base + ".0", text(capitals)] + padded)
  return all.contains(id) ? all : []
}

private func capital(_ scalar: Unicode.Scalar, _ step: Int) -> Unicode.Scalar {
  Unicode.Scalar(UInt8(Int(scalar.value) + step))
}

private func text(_ scalars: [Unicode.Scalar]) -> String {
  var text = ""
  for scalar in scalars { text.unicodeScalars.append(scalar) }
  return text
}
