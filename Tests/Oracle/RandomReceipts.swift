extension NightBuilder {
  /// Draws several refreshes of a customer's receipt, each with a part of the true transactions.
  mutating func drawReceipts(of facts: [Fact], for customer: Customer) {
    // Only three instants, so that documents often have the same age.
    let moments = [moment(), moment(), asOf - random.number(0...86400)]
    var untold = facts
    for refresh in 0...random.number(0...3) {
      let asked = random.pick(from: moments, else: asOf)
      for environment in ["Production", "Sandbox", "Xcode"] {
        let known = facts.filter { fact in
          fact.environment == environment
            && (refresh == 0 || fact.entry.purchaseDate.seconds <= asked || random.chance(10))
        }
        let told = known.filter { _ in random.chance(85) }
        guard !told.isEmpty || (environment == "Production" && random.chance(10)) else { continue }
        drawDocument(of: told, in: environment, asked: asked, for: customer)
        let ids = Set(told.map(\.entry.transactionID))
        untold.removeAll { $0.environment == environment && ids.contains($0.entry.transactionID) }
      }
    }
    // Each transaction must be in at least one document. Otherwise the night would not contain it.
    for fact in untold {
      drawDocument(of: [fact], in: fact.environment, asked: asOf, for: customer)
    }
  }

  private mutating func drawDocument(
    of facts: [Fact], in environment: String, asked: Int, for customer: Customer
  ) {
    if let first = facts.first, facts.count <= 3, random.chance(30) {
      let latest = facts.count > 1 ? told(facts[1], at: asked) : nil
      let expired = facts.count > 2 ? told(facts[2], at: asked) : nil
      let body = ReceiptDocument.Body.older(
        receipt: told(first, at: asked), latest: latest, latestExpired: expired)
      add(ReceiptDocument(body: body), in: environment, asked: asked, for: customer)
      return
    }
    var (inApp, latest): ([TransactionEntry], [TransactionEntry]) = ([], [])
    for fact in facts {
      let isLatest = fact.product.isSubscription ? random.chance(70) : random.chance(10)
      if isLatest { latest.append(told(fact, at: asked)) }
      if !isLatest || random.chance(40) { inApp.append(told(fact, at: asked)) }
    }
    inApp.shuffle(using: &random)
    let body = ReceiptDocument.Body.lists(inApp: inApp, latest: latest)
    add(ReceiptDocument(body: body), in: environment, asked: asked, for: customer)
  }

  private mutating func add(
    _ document: ReceiptDocument, in environment: String, asked: Int, for customer: Customer
  ) {
    var document = document
    if environment != "Production" || random.chance(60) { document.environment = environment }
    if random.chance(80) { document.requestDate = instant(asked) }
    if random.chance(80) {
      document.receiptCreationDate = instant(asked - random.pick(0, 0, 60, 86400))
    }
    document.hasEnvelope = random.chance(88)
    if random.chance(85) { document.receivedAt = instant(asked + random.pick(0, 1, 7200)) }
    if random.chance(90) { document.accountID = customer.account }
    if random.chance(70) { document.deviceID = customer.devices.randomElement(using: &random) }
    if random.chance(70) {
      document.storefront = random.chance(95) ? customer.storefront : random.pick("FRA", "AUS")
    }
    document.style.dates = random.pick(.both, .both, .text, .milliseconds)
    document.style.hasBareNumbers = random.chance(30)
    document.style.hasBareBooleans = random.chance(30)
    if random.chance(15) { document.style.offsetHours = random.pick(-5, 1, 9) }
    if random.chance(5) { document.status = 21006 }
    receipts.append(document)
    if random.chance(5) { receipts.append(document) }
    if random.chance(2) {
      // The wrong environment was asked. With such a status, the rest of the document is not used.
      document.status = random.pick(21007, 21008)
      receipts.append(document)
    }
  }

  /// The transaction as one document contains it: old, with another date, incomplete or
  /// contradictory.
  mutating func told(_ fact: Fact, at asked: Int) -> TransactionEntry {
    var entry = fact.entry
    let purchased = entry.purchaseDate.seconds
    if let refund = entry.cancellationDate {
      if (refund.seconds > asked && random.chance(85)) || random.chance(15) {
        entry.cancellationDate = nil
        entry.isUpgraded = nil
      } else if random.chance(10) {
        entry.cancellationDate = instant(refund.seconds + random.pick(1, 3600, 86400))
      }
    }
    let isRedated = random.chance(fact.product.isSubscription ? 2 : 10)
    if isRedated { entry.purchaseDate = instant(moment(after: purchased)) }
    if random.chance(5) { entry.originalTransactionID = nil }
    if random.chance(10) { entry.quantity = nil }
    if random.chance(10) { entry.originalPurchaseDate = nil }
    if random.chance(2) { entry.originalPurchaseDate = instant(purchased - 86400) }
    if random.chance(6) { entry.webOrderLineItemID = random.pick(nil, "0", "") }
    if random.chance(10) {
      entry.isTrialPeriod = entry.isTrialPeriod == true ? nil : false
      entry.isInIntroOfferPeriod = entry.isInIntroOfferPeriod == true ? nil : false
    }
    if let price = entry.price {
      if random.chance(10) { entry.price = longer(price) }
      if random.chance(6) { entry.price = drawAmount(in: entry.currency ?? "USD") }
      if random.chance(4) { entry.currency = random.pick(nil, "USD") }
    }
    // Values of a forged receipt.
    if random.chance(1) { entry.isMisdated = true }
    if fact.product.isSubscription && random.chance(1) {
      entry.expiresDate = Instant(seconds: random.pick(3_818_447_999, 3_818_448_000, 4_070_908_800))
    }
    // Changes values that cannot change.
    if random.chance(1) { entry.quantity = random.number(1...12) }
    if random.chance(1) { entry.productID = random.pick(from: stock, else: fact.product).id }
    if random.chance(1) { entry.originalTransactionID = newID() }
    // Only for subscriptions: without a type in the catalogue, a line item makes a product a
    // subscription, and restores would become renewals.
    if fact.product.isSubscription && random.chance(2) { entry.webOrderLineItemID = newID() }
    return entry
  }
}
