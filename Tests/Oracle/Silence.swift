/// A stretch of silent hours of one source.
///
/// An hour is silent if the source sent nothing in it although it usually does.
struct Silence {
  let source: ByteText
  let begin: Int
  let end: Int
}

extension Ledger {
  private static let hour = 3600
  private static let day = 86_400

  /// The silent stretches of all sources.
  func silentStretches() -> [Silence] {
    var sent: [ByteText: [Int: Int]] = [:]
    for delivery in configuredDeliveries {
      guard let source = delivery.server else { continue }
      sent[source, default: [:]][floorDivision(delivery.occurredAt, Self.hour), default: 0] += 1
    }
    return sent.flatMap { source, counts -> [Silence] in
      guard let first = counts.keys.min() else { return [] }
      var stretches: [Silence] = []
      var hour = first
      // Only whole hours count.
      while (hour + 1) * Self.hour <= asOf {
        if isSilent(hour, counts) {
          let (begin, end) = (hour * Self.hour, (hour + 1) * Self.hour)
          if let last = stretches.last, last.end == begin {
            stretches.removeLast()
            stretches.append(Silence(source: source, begin: last.begin, end: end))
          } else {
            stretches.append(Silence(source: source, begin: begin, end: end))
          }
        }
        hour += 1
      }
      return stretches
    }
  }

  private func isSilent(_ hour: Int, _ counts: [Int: Int]) -> Bool {
    guard counts[hour] == nil else { return false }
    let earlier = (1...14).map { counts[hour - $0 * 24] ?? 0 }.sorted()
    // The median of fourteen values is between the two middle values.
    return earlier[6] + earlier[7] >= 2 * 10
  }

  func silentSources() -> [Finding] {
    silences.filter { silence in
      silence.end > asOf - 28 * Self.day
        || configuredDeliveries.contains {
          $0.server == silence.source && $0.occurredAt >= silence.end
        }
    }.map {
      Finding(
        "silent_source", "error", nil,
        $0.source.text + " " + Instant(seconds: $0.begin).rfc3339)
    }
  }

  /// Whether each source of the product was silent at some time between purchase and due date.
  ///
  /// The sources are those that served the product in the 14 days before the day of the purchase.
  func isUnheard(_ product: ByteText, from purchase: Int, to due: Int) -> Bool {
    let today = floorDivision(purchase, Self.day)
    let sources = Set(
      configuredDeliveries.filter {
        $0.product == product
          && (today - 14..<today).contains(floorDivision($0.occurredAt, Self.day))
      }.compactMap(\.server))
    return !sources.isEmpty
      && sources.allSatisfy { source in
        silences.contains { $0.source == source && $0.begin <= due && purchase < $0.end }
      }
  }
}
