/// One customer and all purchases, drawn from the seed and the customer's number alone.
struct Account {
  let number: Int
  let storefront: Int
  let devices: Int
  private(set) var purchases: [Purchase] = []
  /// The place of the first purchase that no receipt told before.
  private(set) var firstOfTonight: Int
  private var random: RandomNumbers
  private let seed: UInt64

  /// Ids of one account lie together; so many fit.
  private static let slots = 32
  private static let idBase = 570_000_000_000_000

  /// How many transactions an account has in the history.
  static func count(of number: Int, seed: UInt64) -> Int {
    var random = RandomNumbers(seed: seed, subject: number, purpose: 1)
    return 1 + random.below(20)
  }

  /// The account with its first purchases, made between `from` and `to`; all of them count as new.
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

  /// Adds about `count` purchases; only they count as new then.
  mutating func buyTonight(_ count: Int, from: Int, to: Int) {
    random = RandomNumbers(seed: seed, subject: number, purpose: 3)
    firstOfTonight = purchases.count
    let room = min(count, Self.slots - purchases.count)
    while purchases.count < firstOfTonight + room {
      buy(from: from, to: to, room: firstOfTonight + room - purchases.count)
    }
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

  /// The same again under another id: a purchase of its own date, the original's everything else.
  private mutating func restore(at moment: Int, notAfter end: Int) {
    var copy = purchases[random.below(purchases.count)]
    copy.transactionID = nextID
    copy.isRestored = true
    // A restored subscription keeps its dates, anything else is dated anew.
    if copy.lineItem == nil { copy.purchasedAt = max(moment, min(end, copy.purchasedAt + 3600)) }
    purchases.append(copy)
  }
}
