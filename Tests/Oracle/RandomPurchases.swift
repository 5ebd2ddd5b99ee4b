/// A true transaction; receipts contain all or a part of it.
struct Fact: Sendable {
  var entry: TransactionEntry
  var environment: String
  let product: StockProduct
}

/// A customer: the account, the devices and the storefront.
struct Customer: Sendable {
  let account: String
  let devices: [String]
  let storefront: String
}

extension NightBuilder {
  /// Adds an account with its purchases, receipts and deliveries.
  mutating func addAccount(_ number: Int) {
    let customer = drawCustomer("\(number)")
    var facts: [Fact] = []
    for _ in 0..<random.number(1...3) {
      let story = drawStory()
      facts += story
      if random.chance(92) { drawDeliveries(of: story, to: customer) }
    }
    told += facts.map { ($0, customer) }
    drawReceipts(of: facts, for: customer)
    drawSigned(of: facts, for: customer)
    if random.chance(8) { drawOrphans(of: facts, to: customer) }
    if random.chance(10) {
      // The same purchases also belong to other accounts.
      for other in 0..<random.number(1...5) {
        let shared = facts.filter { _ in random.chance(70) }
        drawReceipts(of: shared, for: drawCustomer("\(number)-\(other)"))
      }
    }
  }

  private mutating func drawCustomer(_ name: String) -> Customer {
    let prefix = random.weighted([(92, "a-"), (3, "=a-"), (3, "a,\u{E9}-"), (2, "A-")], else: "a-")
    let devices = (0..<random.weighted([(60, 1), (25, 2), (15, 3)], else: 1)).map {
      random.chance(4) ? "d \"\(name)\", \($0)" : "d-\(name)-\($0)"
    }
    return Customer(
      account: prefix + name, devices: devices,
      storefront: random.pick("USA", "USA", "JPN", "DEU", "KWT", "FRA"))
  }

  private mutating func drawStory() -> [Fact] {
    let fallback = StockProduct(id: "x", type: "consumable")
    let sound = random.pick(from: stock.filter { !$0.isUnlisted }, else: fallback)
    let product = random.chance(88) ? sound : random.pick(from: stock, else: fallback)
    var facts = product.isSubscription ? drawChain(of: product) : drawPurchase(of: product)
    if random.chance(5) {
      for index in facts.indices {
        facts[index].environment = random.pick("Sandbox", "Xcode")
        // One id of a line item states a trial that the others do not.
        if random.chance(30) { facts[index].entry.isTrialPeriod = true }
      }
    }
    // Twins: a transaction in another environment has the same id, sometimes with another date.
    for fact in facts where random.chance(6) {
      var twin = fact
      twin.environment = fact.environment == "Production" ? "Sandbox" : "Production"
      if random.chance(50) { twin.entry.purchaseDate = instant(moment()) }
      facts.append(twin)
    }
    return facts
  }

  /// A purchase that is not a subscription, and its restores.
  private mutating func drawPurchase(of product: StockProduct) -> [Fact] {
    let begin = moment()
    var entry = TransactionEntry(
      transactionID: newID(), productID: product.id, purchaseDate: instant(begin))
    entry.originalTransactionID = entry.transactionID
    entry.originalPurchaseDate = Instant(seconds: begin)
    entry.quantity = product.type == "consumable" ? random.number(1...3) : 1
    decorate(&entry, at: begin)
    var facts = [Fact(entry: entry, environment: "Production", product: product)]
    let mostRestores = product.type == "consumable" ? 1 : 5
    let restores = random.chance(60) ? 0 : random.number(1...mostRestores)
    for _ in 0..<restores {
      var restored = entry
      restored.transactionID = newID()
      drawRefund(of: &restored, at: begin)
      restored.purchaseDate = random.chance(80) ? instant(moment(after: begin)) : instant(begin)
      if random.chance(10) { restored.productID = random.pick(from: stock, else: product).id }
      if random.chance(5) { decorate(&restored, at: begin) }
      facts.append(Fact(entry: restored, environment: "Production", product: product))
    }
    if restores > 0 && random.chance(25) { facts.removeFirst() }
    return facts
  }

  /// A subscription: some of its periods are restored, and the product sometimes changes.
  private mutating func drawChain(of first: StockProduct) -> [Fact] {
    var product = first
    let original = newID()
    let length = random.pick(7, 30, 30, 365) * 86400
    let begin = moment()
    var facts: [Fact] = []
    for period in 0..<random.weighted([(40, 1), (20, 2), (20, 3), (20, 6)], else: 1) {
      let date = begin + period * length
      // Renewals are issued early, but at most three days after as-of.
      guard period == 0 || date < asOf + 3 * 86400 else { break }
      var entry = TransactionEntry(
        transactionID: period == 0 ? original : newID(), productID: product.id,
        purchaseDate: instant(date))
      entry.originalTransactionID = original
      entry.originalPurchaseDate = instant(random.chance(95) ? begin : date + 2)
      entry.expiresDate = Instant(seconds: date + length)
      entry.webOrderLineItemID = random.chance(88) ? newID() : random.pick(nil, "0", "")
      entry.quantity = 1
      if random.chance(8) {
        // An archive that was rewritten can lack what shows that this is a subscription.
        entry.expiresDate = nil
        entry.webOrderLineItemID = random.pick(nil, "0", "")
      }
      if period == 0 && random.chance(15) { entry.isTrialPeriod = true }
      decorate(&entry, at: date)
      facts.append(Fact(entry: entry, environment: "Production", product: product))
      while random.chance(20) {
        facts.append(restoredPeriod(entry, at: date, of: product))
      }
      if random.chance(6) {
        product = random.pick(from: stock.filter(\.isSubscription), else: product)
      }
    }
    if facts.count > 1 && random.chance(8) { facts.removeFirst() }
    return facts
  }

  private mutating func restoredPeriod(
    _ entry: TransactionEntry, at date: Int, of product: StockProduct
  ) -> Fact {
    var restored = entry
    restored.transactionID = newID()
    restored.purchaseDate = instant(date + random.weighted([(88, 0), (12, 1)], else: 0))
    drawRefund(of: &restored, at: date)
    // The line item is usually repeated, sometimes missing, and seldom another one.
    restored.webOrderLineItemID = random.weighted(
      [(60, entry.webOrderLineItemID), (34, nil), (6, newID())], else: nil)
    return Fact(entry: restored, environment: "Production", product: product)
  }

  /// Draws offers, prices, sharing and refunds.
  private mutating func decorate(_ entry: inout TransactionEntry, at begin: Int) {
    if random.chance(4) { entry.isTrialPeriod = true }
    if random.chance(5) { entry.isInIntroOfferPeriod = true }
    if random.chance(3) { entry.promotionalOfferID = "winback" }
    if random.chance(3) { entry.offerCodeRefName = "spring" }
    if random.chance(6) { entry.inAppOwnershipType = random.pick("FAMILY_SHARED", "PURCHASED") }
    if random.chance(25) {
      let currency = random.pick("USD", "EUR", "JPY", "KWD", "VND", "GBP")
      entry.currency = currency
      entry.price = drawAmount(in: currency)
    }
    drawRefund(of: &entry, at: begin)
  }

  /// Draws a refund of one transaction.
  ///
  /// Members of a family can be refunded at different times or not at all.
  private mutating func drawRefund(of entry: inout TransactionEntry, at begin: Int) {
    entry.cancellationDate = random.chance(13) ? instant(moment(after: begin)) : nil
    let isUpgrade = random.chance(entry.cancellationDate == nil ? 2 : 35)
    entry.isUpgraded = isUpgrade ? true : random.pick(nil, nil, false)
  }
}
