extension NightBuilder {
  /// Draws the records of the customers' apps about their payment queues, true or false.
  mutating func drawClientLog() {
    for (fact, customer) in told {
      if random.chance(22) { drawPurchaseEntry(of: fact, by: customer) }
      if random.chance(25) { drawRestoreEntries(of: fact, by: customer) }
      if random.chance(4) {
        add(entry(of: fact, random.pick(.failed, .deferred), moment(), nil, by: customer))
      }
    }
    for product in stock where random.chance(25) {
      for _ in 0..<random.number(1...3) { drawReport(of: product.id) }
    }
    if random.chance(50) { drawReport(of: "com.nobody.ever") }
  }

  private mutating func entry(
    of fact: Fact, _ state: QueueEntry.State, _ moment: Int, _ id: String?, by customer: Customer
  ) -> QueueEntry {
    var entry = QueueEntry(
      transactionID: id, productID: fact.entry.productID, state: state, date: instant(moment))
    if random.chance(5) { entry.productID = random.pick(from: stock, else: fact.product).id }
    if random.chance(55) {
      entry.environment = random.chance(94) ? fact.environment : random.pick("Sandbox", "PROD")
    }
    if random.chance(75) { entry.accountID = customer.account }
    if random.chance(85) { entry.deviceID = customer.devices.randomElement(using: &random) }
    entry.appVersion = random.pick("1.0", "2.10", "2.10", nil, "=3", "3 beta")
    if random.chance(10) { entry.offsetHours = random.pick(-7, 2, 9) }
    return entry
  }

  /// Adds an entry, sometimes twice, and sometimes another entry that differs from it.
  private mutating func add(_ entry: QueueEntry) {
    log.entries.append(entry)
    if random.chance(8) { log.entries.append(entry) }
    guard random.chance(10) else { return }
    var other = entry
    switch random.number(0...5) {
    case 0: other.date = instant(entry.date.seconds + random.pick(-1, 1, 86400))
    case 1: other.productID = random.pick(from: stock, else: nil)?.id ?? entry.productID
    case 2: other.originalTransactionID = random.pick(from: told, else: nil)?.0.entry.transactionID
    case 3: other.deviceID = random.pick(nil, "d-other")
    case 4: other.accountID = random.pick(nil, "a-other")
    default: other.environment = random.pick(nil, "Sandbox", "Production")
    }
    log.entries.append(other)
  }

  private mutating func drawPurchaseEntry(of fact: Fact, by customer: Customer) {
    let date = fact.entry.purchaseDate.seconds + random.pick(0, 0, 0, 1, -1)
    // The id in the receipt, another id of the device, or the id of a purchase without a receipt.
    let id = random.weighted(
      [
        (45, fact.entry.transactionID), (15, fact.entry.originalTransactionID), (40, newID()),
      ], else: nil)
    var entry = entry(of: fact, .purchased, date, id ?? newID(), by: customer)
    if random.chance(50) { entry.originalTransactionID = fact.entry.originalTransactionID }
    if random.chance(20) { entry.date = instant(moment()) }
    add(entry)
  }

  private mutating func drawRestoreEntries(of fact: Fact, by customer: Customer) {
    let begin = moment(after: fact.entry.purchaseDate.seconds)
    let original = random.weighted(
      [
        (70, fact.entry.transactionID), (18, fact.entry.originalTransactionID), (6, newID()),
        (6, nil),
      ], else: nil)
    let device = customer.devices.randomElement(using: &random)
    let isAutomatic = random.chance(30)
    for number in 0..<random.weighted([(50, 1), (20, 2), (20, 4), (10, 6)], else: 1) {
      let known = random.pick(from: told, else: (fact, customer)).0.entry.transactionID
      let id = random.weighted(
        [(84, newID()), (10, fact.entry.transactionID), (6, known)], else: "")
      let apart = random.pick(0, 1, 3600, 43_200, 86_400, 86_400)
      var entry = entry(of: fact, .restored, begin + number * apart, id, by: customer)
      entry.originalTransactionID = original
      if isAutomatic {
        entry.deviceID = device
        entry.appVersion = "2.10"
      }
      add(entry)
    }
  }

  private mutating func drawReport(of product: String) {
    var report = InvalidReport(productID: product, reportedAt: instant(moment()))
    report.appVersion = random.pick("1.0", "2.10", nil)
    if random.chance(60) { report.accountID = random.pick("a-1", "a-2", "=a") }
    if random.chance(60) { report.deviceID = random.pick("d-1", "d-2") }
    log.reports.append(report)
    if random.chance(10) { log.reports.append(report) }
  }
}
