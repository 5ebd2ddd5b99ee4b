/// Everything that all catalogue documents together say about one product.
struct CatalogueProduct {
  /// The values that two prices must have in common to contradict each other.
  struct PriceKey: Hashable {
    let currency: ByteText
    let storefront: ByteText?
    let validFrom: Int?
  }

  let type: String?
  let delivery: String
  let deliveryPer: String
  let graceHours: Int?
  let validFrom: Int?
  let validTo: Int?
  let prices: [PriceKey: Amount]
  let isConflicting: Bool
  /// Whether at least one list of the store says that it is sold, and none says that it is not.
  let isSold: Bool

  init(_ entries: [CatalogueEntry]) {
    let types = Set(entries.compactMap(\.type))
    let deliveries = Set(entries.compactMap(\.delivery))
    let periods = Set(entries.compactMap(\.deliveryPer))
    let graces = Set(entries.compactMap(\.graceHours))
    let begins = Set(entries.compactMap(\.validFrom?.seconds))
    let ends = Set(entries.compactMap(\.validTo?.seconds))
    type = types.min()
    delivery = deliveries.min() ?? "server"
    deliveryPer = periods.min() ?? "purchase"
    graceHours = graces.min()
    validFrom = begins.min()
    validTo = ends.min()

    var written: [PriceKey: Set<Amount>] = [:]
    for price in entries.flatMap(\.prices) {
      let key = PriceKey(
        currency: ByteText(price.currency), storefront: ByteText(price.storefront),
        validFrom: price.validFrom?.seconds)
      if let amount = Amount(price.price) { written[key, default: []].insert(amount) }
    }
    prices = written.compactMapValues { $0.min() }
    let hasTwoPrices = written.values.contains { amounts in
      amounts.contains { left in amounts.contains { !left.isSameValue(as: $0) } }
    }
    isSold = Set(entries.compactMap(\.isSold)) == [true]
    isConflicting =
      hasTwoPrices
      || [types, deliveries, periods].contains { $0.count > 1 }
      || [graces, begins, ends].contains { $0.count > 1 }
  }

  /// The price of one unit at an instant, if the prices in force are in exactly one currency.
  func price(at moment: Int, storefront: ByteText?) -> OwnAmount? {
    var inForce = storefront.map { pricesInForce(at: moment, storefront: $0) } ?? [:]
    if inForce.isEmpty { inForce = pricesInForce(at: moment, storefront: nil) }
    guard inForce.count == 1, let (currency, amount) = inForce.first else { return nil }
    return OwnAmount(amount: amount, currency: currency)
  }

  /// The price of each currency that began last.
  ///
  /// A price without a beginning began before all others.
  private func pricesInForce(at moment: Int, storefront: ByteText?) -> [ByteText: Amount] {
    var begun: [ByteText: (from: Int, amount: Amount)] = [:]
    for (key, amount) in prices where key.storefront == storefront {
      let from = key.validFrom ?? .min
      guard from <= moment else { continue }
      if let standing = begun[key.currency], standing.from > from { continue }
      begun[key.currency] = (from, amount)
    }
    return begun.mapValues(\.amount)
  }
}

/// All catalogue documents of the night, combined.
struct Catalogue {
  let products: [ByteText: CatalogueProduct]
  /// The listed identifiers, sorted.
  let identifiers: [ByteText]
  /// The identifiers in lists of products that the app offers.
  let offeredByApp: Set<ByteText>
  /// The identifiers in lists of products that the App Store knows.
  let knownToStore: Set<ByteText>
  /// The types for which a list of the App Store names every product.
  let coveredTypes: Set<String>

  init(_ documents: [CatalogueDocument]) {
    func named(by side: CatalogueDocument.Side) -> Set<ByteText> {
      Set(documents.filter { $0.side == side }.flatMap(\.entries).map { ByteText($0.productID) })
    }
    offeredByApp = named(by: .app)
    knownToStore = named(by: .store)
    coveredTypes = documents.reduce([]) { $0.union($1.coveredTypes) }
    let entries = documents.flatMap(\.saidEntries)
    products = Dictionary(grouping: entries) { ByteText($0.productID) }
      .mapValues { CatalogueProduct($0) }
    identifiers = products.keys.sorted()
  }

  func productState(of transaction: MergedTransaction) -> String {
    guard let product = products[transaction.product] else { return "unknown" }
    if let validFrom = product.validFrom, transaction.purchaseDate < validFrom {
      return "not_yet_valid"
    }
    let bought = min(
      transaction.purchaseDate, transaction.originalPurchaseDate ?? transaction.purchaseDate)
    if let validTo = product.validTo, bought >= validTo { return "expired" }
    return "valid"
  }

  /// The listed identifier that is closest to an unknown one, if one is close enough.
  func closest(to unknown: ByteText) -> ByteText? {
    let wanted = lowercasedScalars(unknown)
    var best: (distance: Int, identifier: ByteText)?
    for identifier in identifiers {
      let distance = levenshtein(wanted, lowercasedScalars(identifier))
      if best.map({ distance < $0.distance }) ?? true { best = (distance, identifier) }
    }
    guard let best, best.distance * 3 <= wanted.count else { return nil }
    return best.identifier
  }
}

/// The Unicode scalars of a text, with A to Z replaced by a to z.
private func lowercasedScalars(_ text: ByteText) -> [UInt32] {
  text.text.unicodeScalars.map { scalar in
    ("A"..."Z").contains(scalar) ? scalar.value + 32 : scalar.value
  }
}

/// The number of scalars to insert, delete or replace to change one text into the other.
func levenshtein(_ left: [UInt32], _ right: [UInt32]) -> Int {
  var above = Array(0...right.count)
  for (row, scalar) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      let change = above[column] + (scalar == other ? 0 : 1)
      current.append(min(change, above[column + 1] + 1, current[column] + 1))
    }
    above = current
  }
  return above[right.count]
}
