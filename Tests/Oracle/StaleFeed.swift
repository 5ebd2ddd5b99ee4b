extension Ledger {
  /// The feeds that usually bring records and bring none any more.
  func staleFeeds() -> [Finding] {
    let feeds = [
      ("receipts", evidenceAges), ("deliveries", configuredDeliveries.map(\.occurredAt)),
      ("client", claims.map(\.date) + reports.map(\.reportedAt.seconds)),
    ]
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
