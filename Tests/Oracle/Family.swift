/// The values that all members of one family have in common.
enum FamilyKey: Hashable {
  case oneTime(environment: ByteText, original: StoreID, product: ByteText)
  case lineItem(environment: ByteText, lineItem: StoreID)
  case dated(environment: ByteText, original: StoreID, product: ByteText, purchaseDate: Int)
}

/// The values that all families of one chain have in common.
struct ChainKey: Hashable {
  let environment: ByteText
  let original: StoreID
  let product: ByteText
}

/// A completed purchase with every transaction that replays it.
final class Family {
  let key: FamilyKey
  let environment: ByteText
  let members: [MergedTransaction]
  let completed: MergedTransaction?
  let original: StoreID
  let product: ByteText
  var deliveries: [Delivery] = []
  /// The devices on which apps report that they restored it.
  var claimedDevices: Set<ByteText> = []

  /// Makes a family of the members that evidence contains and of the restores that only apps
  /// report.
  init?(_ key: FamilyKey, _ members: [MergedTransaction], claimed: [MergedTransaction]) {
    guard let first = members.min(by: MergedTransaction.isEarlier) else { return nil }
    self.key = key
    self.members = members + claimed
    environment = first.key.environment
    let own = members.filter { $0.key.id == $0.original }.min(by: MergedTransaction.isEarlier)
    if case .oneTime = key { completed = own } else { completed = own ?? first }
    // Members of a line item can differ in both values: those of the completed purchase count.
    original = (completed ?? first).original
    product = (completed ?? first).product
    if isSubscription { completed?.complete(from: members) }
  }

  var isSubscription: Bool {
    if case .oneTime = key { false } else { true }
  }

  var lineItem: StoreID? {
    if case .lineItem(_, let lineItem) = key { lineItem } else { nil }
  }

  var chain: ChainKey? {
    isSubscription ? chainKey : nil
  }

  /// The key that its chain has if the family is a subscription.
  var chainKey: ChainKey {
    ChainKey(environment: environment, original: original, product: product)
  }

  var restored: [MergedTransaction] {
    members.filter { $0 !== completed }
  }

  var refundDate: Int? {
    members.flatMap(\.refundDates).filter { !reversedRefunds.contains($0) }.min()
  }

  /// Apple takes a refund back under one id, and a copy under another id can still have it.
  private var reversedRefunds: Set<Int> {
    Set(members.flatMap(\.reversedRefunds))
  }

  var isRefundUpgrade: Bool {
    guard let refundDate else { return false }
    return members.contains { $0.refundDates.contains(refundDate) && $0.isUpgraded }
  }

  /// The refunded part of the amount, in thousandths of a per cent.
  var refundPercentage: Int {
    members.flatMap(\.refundParts).filter { !reversedRefunds.contains($0.key) }
      .map(\.value).max() ?? 100_000
  }

  var tokens: Set<ByteText> {
    members.reduce([]) { $0.union($1.tokens) }
  }

  var accounts: Set<ByteText> {
    members.reduce(Set(deliveries.compactMap(\.account))) { $0.union($1.accounts) }
  }

  var devices: Set<ByteText> {
    members.reduce(claimedDevices.union(deliveries.compactMap(\.device))) {
      $0.union($1.devices)
    }
  }

  var subject: String {
    let pair = original.text + " " + product.text
    switch key {
    case .oneTime: return pair
    case .lineItem(_, let lineItem): return pair + " " + lineItem.text
    case .dated(_, _, _, let date): return pair + " " + Instant(seconds: date).rfc3339
    }
  }
}

/// Groups the transactions into families.
///
/// Each restore that only apps report comes with the transaction whose family it joins.
func groupedIntoFamilies(
  _ transactions: [MergedTransaction],
  joinedBy restores: [(original: TransactionKey, restore: MergedTransaction)]
) -> [Family] {
  let joining = Dictionary(grouping: restores, by: \.original)
  var lineItems: [FamilyKey: StoreID] = [:]
  for transaction in transactions where transaction.isSubscription {
    guard let lineItem = transaction.lineItem else { continue }
    let key = datedKey(of: transaction)
    // If a purchase has several line items, transactions without one belong to the lowest.
    lineItems[key] = min(lineItem, lineItems[key] ?? lineItem)
  }
  let grouped = Dictionary(grouping: transactions) { transaction in
    let environment = transaction.key.environment
    guard transaction.isSubscription else {
      return FamilyKey.oneTime(
        environment: environment, original: transaction.original, product: transaction.product)
    }
    let key = datedKey(of: transaction)
    guard let lineItem = transaction.lineItem ?? lineItems[key] else { return key }
    return FamilyKey.lineItem(environment: environment, lineItem: lineItem)
  }
  return grouped.compactMap { key, members in
    let claimed = members.flatMap { joining[$0.key] ?? [] }.map(\.restore)
    return Family(key, members, claimed: claimed)
  }
}

private func datedKey(of transaction: MergedTransaction) -> FamilyKey {
  .dated(
    environment: transaction.key.environment, original: transaction.original,
    product: transaction.product, purchaseDate: transaction.purchaseDate)
}
