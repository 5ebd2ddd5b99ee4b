/// What becomes of an obligation, or why a family or chain was not compared.
enum ObligationClass: String, CaseIterable {
  case delivered, missing, uncertain
  case beforeBooks = "before_books"
  case notDue = "not_due"
  case refunded
  case notListed = "not_listed"
  case otherDelivery = "other_delivery"
  case onDemand = "on_demand"
}

extension Ledger {
  /// The section `obligation` of `control_totals.csv`: each measure with its number.
  func obligationsText() -> String {
    var counts: [ObligationClass: Int] = [:]
    for group in servedTogether() where group.contains(where: { $0.completed != nil }) {
      counts[classOf(group), default: 0] += 1
    }
    let due = [ObligationClass.delivered, .missing, .uncertain].reduce(0) {
      $0 + counts[$1, default: 0]
    }
    let lines =
      ["due,\(due)"] + ObligationClass.allCases.map { "\($0.rawValue),\(counts[$0] ?? 0)" }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private func classOf(_ families: [Family]) -> ObligationClass {
    guard let purchase = Self.representative(of: families),
      let booksBegin, purchase.purchaseDate >= booksBegin
    else { return .beforeBooks }
    guard let product = catalogue.products[purchase.product] else { return .notListed }
    guard ["server", "on_demand"].contains(product.delivery) else { return .otherDelivery }
    let obligation = Obligation(
      purchase: purchase, families: families, isChain: families.count > 1)
    if obligation.isRefunded { return .refunded }
    if purchase.purchaseDate + grace(of: purchase.product) > asOf { return .notDue }
    let attempts = families.flatMap(\.deliveries)
    if attempts.contains(where: { $0.status == .delivered && $0.product == purchase.product }) {
      return .delivered
    }
    if product.delivery == "on_demand", attempts.isEmpty { return .onDemand }
    return missingDelivery(obligation)?.reason == "no_records" ? .uncertain : .missing
  }
}
