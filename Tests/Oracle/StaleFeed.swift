import DamageTestSupport

extension Ledger {
  /// The feeds that usually bring records and bring none any more.
  func staleFeeds() -> [Finding] {
    let ownFeeds = [
      ("receipts", evidenceAges), ("deliveries", configuredDeliveries.map(\.occurredAt)),
      ("client", claims.map(\.date) + reports.map(\.reportedAt.seconds)),
    ]
    let feeds = ownFeeds + catalogueAnswers.map { ($0.key, $0.value) }
    return feeds.filter { isStale($1) }.map { Finding("stale_feed", "error", nil, $0.0) }
  }

  private func isStale(_ times: [Int]) -> Bool {
    let day = 86_400
    let sorted = times.sorted()
    guard let newest = sorted.last else { return false }
    let firstDay = floorDivision(newest, day) - 27
    let recent = sorted.filter { floorDivision($0, day) >= firstDay }
    guard Set(recent.map { floorDivision($0, day) }).count >= 7 else { return false }
    // Two neighbours of different days are the last record of one day and the first of the next.
    let gaps = zip(recent, recent.dropFirst())
      .filter { floorDivision($0, day) != floorDivision($1, day) }.map { $1 - $0 }
    return asOf - newest > settings.staleAfterHours * 3600 && asOf - newest > 2 * (gaps.max() ?? 0)
  }
}

extension NightInput {
  /// Adds addresses of catalogues that answered on most days; some of them have fallen silent.
  ///
  /// Nothing listens there, so the night itself gets no answer.
  public mutating func drawCatalogueAnswers(seed: UInt64) {
    var random = Dice(seed)
    for number in 1...4 {
      let address = "http://127.0.0.1:1/catalogue-\(number).json"
      // Some answers come after as-of, as a later night may have got them.
      let newest = asOf - random.pick(-2, 0, 24, 36, 37, 49, 97, 101, 200) * 3600
      let answeredDays = (0..<random.pick(6, 9, 40)).filter { _ in random.chance(80) }
      catalogueAnswers[address] = answeredDays.flatMap { day in
        (0..<random.number(1...3)).map { _ in newest - day * 86_400 - random.number(0...40_000) }
      }
    }
  }
}
