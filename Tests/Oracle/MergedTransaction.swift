/// The values that identify a transaction.
struct TransactionKey: Hashable {
  let environment: ByteText
  let id: StoreID
}

/// The disposition of a transaction: the first case that fits.
enum Disposition: String, CaseIterable {
  case otherEnvironment = "other_environment"
  case familyShared = "family_shared"
  case restored
  case free
  case renewal
  case purchase
}

/// The evidence of refunds that count.
///
/// A refund does not count if a transaction that Apple signed later, by as-of, does not contain it.
/// Later is after the refund and after its evidence. A transaction that says that it was upgraded
/// may leave out its refund, so it takes none back.
private func standingRefunds(_ evidence: [Evidence], asOf: Int) -> [Evidence] {
  let refunds = evidence.filter { ($0.entry.cancellationDate?.seconds ?? .max) <= asOf }
  let takenBack = evidence.filter {
    $0.signed != nil && $0.entry.cancellationDate == nil && $0.entry.isUpgraded != true
      && $0.age <= asOf
  }.map(\.age).max()
  guard let takenBack else { return refunds }
  return refunds.filter { refund in
    // Evidence can be older than the refund in it: without a date, it has the age of the purchase.
    let latest = max(refund.age, refund.entry.cancellationDate?.seconds ?? .min)
    // Of repeated evidence, the youngest piece is compared. A signed refund of the same instant is
    // the transaction in the notification of its reversal.
    return latest > takenBack || latest == takenBack && refund.signed == nil
  }
}

/// Whether unsigned evidence has a value that signed evidence does not have, although signed
/// evidence has one.
private func isContradicted<Value: Hashable>(
  _ evidence: [Evidence], _ value: (Evidence) -> Value?
) -> Bool {
  let signed = evidence.filter { $0.signed != nil }.distinct(value)
  return !signed.isEmpty && !evidence.distinct(value).isSubset(of: signed)
}

/// The merge of all evidence of one transaction.
final class MergedTransaction {
  let key: TransactionKey
  let original: StoreID
  let product: ByteText
  let quantity: Int
  let type: String
  let purchaseDate: Int
  let originalPurchaseDate: Int?
  let lineItem: StoreID?
  /// When it expires.
  let expiryDate: Int?
  /// The instants of the refunds that stand.
  let refundDates: Set<Int>
  let isUpgraded: Bool
  private(set) var isTrial: Bool
  private(set) var isOffer: Bool
  let isFamilyShared: Bool
  private(set) var ownAmount: OwnAmount?
  let accounts: Set<ByteText>
  let devices: Set<ByteText>
  private(set) var storefronts: Set<ByteText>
  let isConflicting: Bool
  /// The values of appAccountToken.
  let tokens: Set<ByteText>
  /// The largest part that evidence of each refund that stands states, in thousandths of a per
  /// cent, by the instant of the refund.
  let refundParts: [Int: Int]
  /// The instants of the refunds that Apple has taken back.
  let reversedRefunds: Set<Int>
  /// The reason why unsigned evidence of it looks forged.
  let suspicion: String?
  /// Whether only apps report it.
  let isClaimed: Bool

  /// Makes a restore that only apps report: it has no price and no refund.
  init(
    _ key: TransactionKey, restoring original: MergedTransaction, at date: Int,
    accounts: Set<ByteText>, devices: Set<ByteText>
  ) {
    self.key = key
    self.original = original.key.id
    product = original.product
    quantity = 1
    type = original.type
    purchaseDate = date
    originalPurchaseDate = min(
      original.purchaseDate, original.originalPurchaseDate ?? original.purchaseDate)
    lineItem = nil
    expiryDate = nil
    refundDates = []
    isUpgraded = false
    isTrial = false
    isOffer = false
    isFamilyShared = original.isFamilyShared
    ownAmount = nil
    self.accounts = accounts
    self.devices = devices
    storefronts = []
    isConflicting = false
    tokens = []
    refundParts = [:]
    reversedRefunds = []
    suspicion = nil
    isClaimed = true
  }

  init?(_ key: TransactionKey, _ evidence: [Evidence], catalogue: Catalogue, asOf: Int) {
    guard let product = evidence.oldest({ ByteText($0.entry.productID) }) else { return nil }
    self.key = key
    isClaimed = false
    self.product = product
    original = evidence.oldest { StoreID($0.entry.originalTransactionID) } ?? key.id
    quantity = evidence.oldest { $0.entry.quantity } ?? 1
    originalPurchaseDate = evidence.oldest { $0.entry.originalPurchaseDate?.seconds }
    lineItem = evidence.oldest { $0.lineItem }
    expiryDate = evidence.oldest { $0.entry.expiresDate?.seconds }

    let hasPeriod = lineItem != nil || evidence.contains { $0.entry.expiresDate != nil }
    type =
      catalogue.products[product]?.type ?? evidence.oldest { $0.signed?.type }
      ?? (hasPeriod ? "auto_renewable" : "non_consumable")

    // Evidence can give a restored purchase a later date under the same id. The earlier date
    // counts.
    var dates = evidence.map(\.entry.purchaseDate.seconds)
    if type != "auto_renewable" && key.id == original {
      dates += evidence.compactMap { $0.entry.originalPurchaseDate?.seconds }
    }
    purchaseDate = dates.min() ?? 0

    let refunds = standingRefunds(evidence, asOf: asOf)
    let standing = Set(refunds.compactMap { $0.entry.cancellationDate?.seconds })
    refundDates = standing
    var parts: [Int: Int] = [:]
    for refund in refunds {
      guard let date = refund.entry.cancellationDate?.seconds,
        let part = refund.signed?.revocationPercentage
      else { continue }
      parts[date] = max(part, parts[date] ?? 0)
    }
    refundParts = parts
    reversedRefunds = Set(evidence.compactMap { $0.entry.cancellationDate?.seconds })
      .filter { $0 <= asOf && !standing.contains($0) }
    tokens = evidence.distinct { ByteText($0.signed?.accountToken) }
    let suspicions = Set(evidence.compactMap(\.suspicion))
    suspicion = suspicions.min()
    isUpgraded = evidence.contains { $0.entry.isUpgraded == true }
    isTrial = evidence.contains { $0.entry.isTrialPeriod == true }
    isOffer = evidence.contains { $0.isOffer }
    isFamilyShared = evidence.contains { $0.entry.inAppOwnershipType == "FAMILY_SHARED" }
    ownAmount = evidence.oldest { $0.ownAmount }
    accounts = evidence.distinct { $0.account }
    devices = evidence.distinct { $0.device }
    storefronts = evidence.distinct { $0.storefront }

    // A missing value never conflicts: a conflict needs two values.
    isConflicting =
      evidence.distinct { ByteText($0.entry.productID) }.count > 1
      || evidence.distinct { StoreID($0.entry.originalTransactionID) }.count > 1
      || evidence.distinct { $0.entry.quantity }.count > 1
      || isContradicted(evidence, { $0.lineItem })
      || isContradicted(evidence, { $0.ownAmount?.valueInCurrency })
  }

  var isSubscription: Bool {
    type == "auto_renewable"
  }

  /// Takes what other transactions of the same line item and product state about the purchase.
  func complete(from members: [MergedTransaction]) {
    guard let lineItem else { return }
    let same = members.filter { $0.lineItem == lineItem && $0.product == product }
    isTrial = same.contains { $0.isTrial }
    isOffer = same.contains { $0.isOffer }
    if storefronts.isEmpty {
      storefronts = same.reduce(Set()) { $0.union($1.storefronts) }
    }
    ownAmount =
      ownAmount ?? same.filter { $0.ownAmount != nil }.min(by: Self.isEarlier)?.ownAmount
  }

  /// Compares by purchase date, then by id.
  static func isEarlier(_ left: MergedTransaction, _ right: MergedTransaction) -> Bool {
    left.purchaseDate == right.purchaseDate
      ? left.key.id < right.key.id : left.purchaseDate < right.purchaseDate
  }
}
