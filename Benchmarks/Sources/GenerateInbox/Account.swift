/// A customer with all purchases.
///
/// They depend only on the seed and the customer's number.
struct Account {
  let number: Int
  let storefront: Int
  let devices: Int
  private(set) var purchases: [Purchase] = []
  /// The index of the first purchase that is new, that is, in no earlier receipt.
  private(set) var firstOfTonight: Int
  private var random: RandomNumbers
  private let seed: UInt64

  /// The number of ids that are reserved for each account.
  ///
  /// An account's ids are consecutive.
  private static let slots = 32
  private static let idBase = 570_000_000_000_000

  /// The number of an account's transactions in the history.
  static func count(of number: Int, seed: UInt64) -> Int {
    var random = RandomNumbers(seed: seed, subject: number, purpose: 1)
    return 1 + random.below(20)
  }

  /// Creates an account with its first purchases between `from` and `to`.
  ///
  /// All of them are new.
  init(number: Int, seed: UInt64, from: Int, to: Int) {
    self.number = number
    self.seed = seed
    random = RandomNumbers(seed: seed, subject: number, purpose: 2)
    storefront = random.below(10) < 6 ? 0 : random.below(Product.storefronts.count)
    devices = random.perMille(750) ? 1 : 2 + random.below(2)
    firstOfTonight = 0
    let count = Self.count(of: number, seed: seed)
    while purchases.count < count { buy(from: from, to: to, room: count - purchases.count) }
  }

  /// Adds about `count` purchases.
  ///
  /// Only these are new afterwards.
  mutating func buyTonight(_ count: Int, from: Int, to: Int) {
    random = RandomNumbers(seed: seed, subject: number, purpose: 3)
    firstOfTonight = purchases.count
    let room = min(count, Self.slots - purchases.count)
    while purchases.count < firstOfTonight + room {
      buy(from: from, to: to, room: firstOfTonight + room - purchases.count)
    }
  }

  /// Removes restored transactions, which only receipts contain.
  mutating func leaveOutRestored() {
    firstOfTonight = purchases[..<firstOfTonight].count { !$0.isRestored }
    purchases.removeAll(where: \.isRestored)
  }

  private var nextID: Int { Self.idBase + number * Self.slots + purchases.count }

  private mutating func buy(from: Int, to: Int, room: Int) {
    let moment = from + random.below(to - from)
    switch random.below(100) {
    case ..<6 where !purchases.isEmpty: restore(at: moment, notAfter: to)
    case ..<42: subscribe(at: moment, notAfter: to, room: room)
    default: buyOnce(at: moment, notAfter: to)
    }
  }

  private mutating func buyOnce(at moment: Int, notAfter end: Int) {
    let id = nextID
    // Some products sell much better than others.
    let place = min(random.below(160), random.below(160))
    var purchase = Purchase(
      transactionID: id, originalTransactionID: id, product: place < 150 ? place : place + 40,
      purchasedAt: moment, originalPurchasedAt: moment)
    if random.perMille(1) {
      purchase.product = Product.listed.count + random.below(Product.misspelt.count)
    }
    if random.perMille(10) { purchase.cancelledAt = min(end, moment + random.below(10) * 86_400) }
    if random.perMille(10) { purchase.isFamilyShared = true }
    purchases.append(purchase)
  }

  private mutating func subscribe(at moment: Int, notAfter end: Int, room: Int) {
    let first = nextID
    let product = 150 + random.below(40)
    let length = 30 * 86_400
    let isTrial = random.perMille(200)
    for period in 0..<min(room, 1 + random.below(6)) {
      let begins = moment + period * length
      guard begins <= end else { break }
      var purchase = Purchase(
        transactionID: nextID, originalTransactionID: first, product: product,
        purchasedAt: begins, originalPurchasedAt: moment, expiresAt: begins + length,
        lineItem: nextID + 1_000_000_000_000)
      purchase.isTrial = isTrial && period == 0
      if random.perMille(8) { purchase.cancelledAt = min(end, begins + 86_400) }
      purchases.append(purchase)
    }
  }

  /// Adds a restored transaction: an earlier purchase with another id and, except for
  /// subscriptions, another date.
  private mutating func restore(at moment: Int, notAfter end: Int) {
    var copy = purchases[random.below(purchases.count)]
    copy.transactionID = nextID
    copy.isRestored = true
    // A restored subscription keeps its dates. Other products get a new date.
    if copy.lineItem == nil { copy.purchasedAt = max(moment, min(end, copy.purchasedAt + 3600)) }
    purchases.append(copy)
  }
}
