import DamageTestSupport

extension NightBuilder {
  private enum Course: CaseIterable {
    case delivered, neverAttempted, failed, pending, retried, wrongProduct, late, duplicate
    case byOriginal, byOriginalAlone, byLineItem, future, failedLater
  }

  /// Draws the records of the content server about the transactions of one story.
  mutating func drawDeliveries(of story: [Fact], to customer: Customer) {
    for fact in story where random.chance(80) {
      drawDelivery(of: fact, to: customer)
      if let refund = fact.entry.cancellationDate, random.chance(40) {
        let beside = refund.seconds + random.pick(0, -1, 1, 3600)
        add(attempt(at: fact, .delivered, beside, to: customer))
      }
    }
  }

  private mutating func drawDelivery(of fact: Fact, to customer: Customer) {
    let begin = fact.entry.purchaseDate.seconds
    let grace = (fact.product.graceHours ?? settings.graceHours) * 3600
    let soon = begin + random.pick(0, 30, random.number(0...max(1, grace)))
    let course = random.weighted(
      [
        (40, .delivered), (12, .neverAttempted), (6, .failed), (5, .pending), (8, .retried),
        (5, .wrongProduct), (5, .late), (6, .duplicate), (4, .byOriginal), (4, .byOriginalAlone),
        (5, .byLineItem), (3, .future), (6, .failedLater),
      ], else: Course.delivered)
    let other = random.pick(from: stock, else: fact.product).id
    var record = attempt(at: fact, .delivered, soon, to: customer)
    switch course {
    case .neverAttempted:
      drawPossibleMatches(of: fact, at: soon, to: customer)
      return
    case .delivered: break
    case .failed: record.status = .failed
    case .pending: record.status = .pending
    case .retried:
      for _ in 0..<random.number(1...3) {
        let before = soon - random.pick(0, 1, 600)
        add(attempt(at: fact, random.pick(.failed, .pending), before, to: customer))
      }
    case .wrongProduct: record.productID = other
    case .late: record.occurredAt = Instant(seconds: begin + grace + random.pick(0, 1, 86400))
    case .duplicate: add(attempt(at: fact, .delivered, soon + random.pick(0, 5), to: customer))
    case .byOriginal:
      record.transactionID = newID()
      record.originalTransactionID = fact.entry.originalTransactionID
    case .byOriginalAlone:
      record.transactionID = fact.entry.originalTransactionID ?? record.transactionID
    case .byLineItem:
      record.transactionID = newID()
      record.webOrderLineItemID = fact.entry.webOrderLineItemID
    case .future: record.occurredAt = Instant(seconds: asOf + random.pick(0, 1, 3600))
    case .failedLater:
      add(attempt(at: fact, random.pick(.failed, .pending), moment(after: soon), to: customer))
    }
    if random.chance(3) { record.productID = other }
    add(record)
  }

  /// Draws possible matches of a purchase without an attempt: deliveries that differ from it in one
  /// thing.
  ///
  /// They use their own random numbers, so that everything else in the night is the same with and
  /// without them.
  private mutating func drawPossibleMatches(of fact: Fact, at moment: Int, to customer: Customer) {
    let others = random
    defer { random = others }
    random = Dice(UInt64(deliveries.count) &* 7919 &+ 11)
    guard random.chance(60) else { return }
    let id = fact.entry.transactionID
    for _ in 0..<random.number(1...3) {
      var record = attempt(at: fact, .delivered, moment + random.pick(0, 60, 90_000), to: customer)
      switch random.number(0...3) {
      case 0:
        record.transactionID = random.pick("0" + id, "'" + id, id + ".0", "00" + id)
      case 1:
        record.environment = random.pick("Sandbox", "Production", "Xcode")
      default:
        record.transactionID = random.pick("9" + id, String(id.dropLast()) + random.pick("3", "47"))
      }
      add(record)
    }
  }

  private mutating func attempt(
    at fact: Fact, _ status: DeliveryRecord.Status, _ moment: Int, to customer: Customer
  ) -> DeliveryRecord {
    let prefix = random.chance(96) ? "v-" : random.pick("=v", "v ", "V\u{E9}")
    var record = DeliveryRecord(
      deliveryID: prefix + "\(deliveries.count)-\(random.number(0...999))",
      transactionID: fact.entry.transactionID, productID: fact.entry.productID, status: status,
      occurredAt: instant(moment))
    // Some deliveries do not name their environment, so that the program must find it.
    if random.chance(45) { record.environment = fact.environment }
    if random.chance(70) { record.accountID = customer.account }
    if random.chance(65) { record.deviceID = customer.devices.randomElement(using: &random) }
    if random.chance(10) { record.originalTransactionID = fact.entry.originalTransactionID }
    if random.chance(10) { record.webOrderLineItemID = fact.entry.webOrderLineItemID }
    if status != .delivered && random.chance(80) {
      record.error = random.pick(
        "timed out", "=cmd()", "said \"no\", twice", "first line\nsecond line", "-1", "\u{FC}ber")
    }
    if random.chance(30) { record.server = servers.randomElement(using: &random) }
    if random.chance(20) { record.region = random.pick("eu", "us") }
    if random.chance(20) { record.appVersion = random.pick("1.0", "2.10") }
    if random.chance(30) { record.bytes = random.number(0...5_000_000) }
    if random.chance(10) { record.offsetHours = random.pick(-7, 2, 9) }
    return record
  }

  /// Adds the record, and sometimes another record of the same attempt.
  mutating func add(_ record: DeliveryRecord) {
    deliveries.append(record)
    guard random.chance(7) else { return }
    var again = record
    // The correction of a record, or a repeated record that must not count.
    if random.chance(40) { again.revision = random.pick(0, 1, 1, 2) }
    if random.chance(20) { deliveries[deliveries.count - 1].revision = random.pick(0, 1) }
    switch random.number(0...6) {
    case 0: again.occurredAt = Instant(seconds: record.occurredAt.seconds + random.pick(1, 60))
    case 1: again.status = random.pick(.delivered, .failed, .pending)
    case 2: again.transactionID = newID()
    case 3: again.deviceID = random.pick(nil, "d-other")
    case 4: again.accountID = random.pick(nil, "a-other", "Z")
    case 5:
      again.productID =
        random.pick(from: stock, else: StockProduct(id: "other", type: "consumable")).id
    default: again.occurredAt = Instant(seconds: asOf + random.pick(0, 1))
    }
    deliveries.append(again)
  }

  /// Draws deliveries without a purchase, some of them of products that the server should not
  /// deliver.
  mutating func drawOrphans(of facts: [Fact], to customer: Customer) {
    for _ in 0..<random.number(1...2) {
      guard let fact = facts.randomElement(using: &random) else { return }
      var record = attempt(at: fact, .delivered, moment(), to: customer)
      record.transactionID = newID()
      if random.chance(30) { record.productID = random.pick(from: stock, else: fact.product).id }
      if random.chance(10) { record.status = .failed }
      if random.chance(70) {
        record.originalTransactionID = nil
        record.webOrderLineItemID = nil
      }
      add(record)
    }
  }
}
