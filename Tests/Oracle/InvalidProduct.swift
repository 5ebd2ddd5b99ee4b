/// An identifier that was sold, delivered or asked for and is not for sale, with the reason.
struct InvalidProduct {
  let product: ByteText
  let reason: String
  var closest: ByteText?
  var transactions: [MergedTransaction] = []
  var deliveries: [Delivery] = []
  var reports: [InvalidReport] = []

  var accounts: Set<ByteText> {
    let told = deliveries.compactMap(\.account) + reports.compactMap { ByteText($0.accountID) }
    return transactions.reduce(Set(told)) { $0.union($1.accounts) }
  }

  var moments: [Int] {
    transactions.map(\.purchaseDate) + deliveries.map(\.occurredAt)
      + reports.map(\.reportedAt.seconds)
  }

  var sample: StoreID? {
    transactions.map(\.key.id).min() ?? deliveries.map(\.transaction).min()
  }

  var finding: Finding {
    Finding(
      "invalid_product_id", "error", nil, product.text + " " + reason, reason: reason)
  }
}

extension Ledger {
  func invalidProducts() -> [InvalidProduct] {
    guard !catalogue.products.isEmpty else { return [] }
    struct Key: Hashable {
      let product: ByteText
      let reason: String
    }
    var found: [Key: InvalidProduct] = [:]
    func note(_ key: Key, _ change: (inout InvalidProduct) -> Void) {
      let unseen = InvalidProduct(
        product: key.product, reason: key.reason)
      change(&found[key, default: unseen])
    }
    for transaction in configuredTransactions {
      let state = catalogue.productState(of: transaction)
      guard state != "valid" else { continue }
      let key = Key(
        product: transaction.product, reason: state)
      note(key) { $0.transactions.append(transaction) }
    }
    for delivery in configuredDeliveries where catalogue.products[delivery.product] == nil {
      let key = Key(
        product: delivery.product, reason: "unknown")
      note(key) { $0.deliveries.append(delivery) }
    }
    let seen = Set(found.keys.map(\.product))
    for report in reports where !seen.contains(ByteText(report.productID)) {
      let key = Key(product: ByteText(report.productID), reason: "reported_by_app")
      note(key) { $0.reports.append(report) }
    }
    for key in found.keys where catalogue.products[key.product] == nil {
      found[key]?.closest = catalogue.closest(to: key.product)
    }
    return Array(found.values)
  }
}
