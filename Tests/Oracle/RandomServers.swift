import DamageTestSupport

extension NightBuilder {
  /// Draws the servers, and sometimes one or two that always send in an hour of the day.
  ///
  /// These become silent, or nearly silent, in that hour. This uses its own random numbers, so that
  /// everything else in the night stays the same.
  mutating func drawServers(seed: UInt64) {
    let others = random
    random = Dice(~seed)
    defer { random = others }
    servers = random.pick([], ["s1", "s2"], ["s1", "busy-1"])
    guard random.chance(60) else { return }
    let first = floorDivision(asOf, 3600) - random.pick(0, 1, random.number(0...40 * 24))
    let hours = Array(first..<first + random.pick(1, 1, 2))
    // For purchases before, in and after the silent hour.
    boundaries += [-7200, -1, 0, 1800, 3599, 3600].map { first * 3600 + $0 }
    let products = stock.shuffled(using: &random).prefix(random.number(1...stock.count))
    for server in ["busy-1", "busy-2"].prefix(random.number(1...2)) {
      for hour in hours {
        for day in 1...15 where random.chance(85) {
          // The boundary is a median of ten.
          for _ in 0..<random.pick(9, 10, 10, 11, 14) {
            drawAttempt(in: hour - day * 24, by: server, of: Array(products))
          }
        }
        if random.chance(20) { drawAttempt(in: hour, by: server, of: Array(products)) }
      }
      // Some servers send again later.
      if random.chance(50) {
        drawAttempt(in: floorDivision(asOf, 3600), by: server, of: Array(products))
      }
    }
  }

  /// Adds an attempt without a purchase, in the given hour since 1970.
  private mutating func drawAttempt(
    in hour: Int, by server: String, of products: [StockProduct]
  ) {
    guard let product = products.randomElement(using: &random) else { return }
    var record = DeliveryRecord(
      deliveryID: "b-\(deliveries.count)", transactionID: newID(), productID: product.id,
      status: .failed,
      occurredAt: instant(hour * 3600 + random.pick(0, 3599, random.number(0...3599))))
    record.server = server
    add(record)
  }
}
