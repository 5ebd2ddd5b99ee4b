import Foundation

/// A property, or a pair of properties, that missing deliveries have in common.
struct Cause {
  let properties: [Property]
  let missing: Int
  let owed: Int
  let weight: Double
  let isNarrow: Bool

  struct Property: Hashable {
    let dimension: String
    let value: ByteText

    static let dimensions = [
      "server", "region", "app_version", "product_id", "product_type", "attempt_hour",
      "purchase_hour", "day", "error",
    ]
  }
}

extension Ledger {
  /// A delivery that fell due in the last 14 days, with its known properties.
  private struct Owed {
    let properties: [Cause.Property]
    let isMissing: Bool
  }

  func causesReport() -> String {
    let owed = owedLately()
    let all = (missing: owed.filter(\.isMissing).count, owed: owed.count)
    let rows = strongest(causes(of: owed, all)).map { cause -> [ReportField] in
      let second = cause.properties.count > 1 ? cause.properties[1] : nil
      return [
        .plain(cause.properties[0].dimension), .text(cause.properties[0].value),
        .plain(second?.dimension ?? ""), .text(second?.value), .number(cause.missing),
        .number(cause.owed), .plain(rounded(cause.missing, by: all.missing, digits: 4)),
        .plain(rounded(cause.owed, by: all.owed, digits: 4)),
        .plain(rounded(cause.missing * all.owed, by: cause.owed * all.missing, digits: 2)),
      ]
    }
    return reportText(
      "dimension,value,second_dimension,second_value,missing,owed,missing_share,owed_share,lift",
      rows)
  }

  private func owedLately() -> [Owed] {
    let end = floorDivision(asOf, 3600) * 3600
    let begin = end - 14 * 86_400
    let lost = missingDeliveries().filter { $0.reason != "no_records" }
      .filter { begin <= $0.due && $0.due < end }
      .map {
        Owed(
          properties: properties(of: $0.purchase, by: $0.latest, error: $0.latest?.error),
          isMissing: true)
      }
    let served = obligations().compactMap { obligation -> Owed? in
      let purchase = obligation.purchase
      let due = purchase.purchaseDate + grace(of: purchase.product)
      guard let booksBegin, purchase.purchaseDate >= booksBegin, begin <= due, due < end,
        !obligation.isRefunded
      else { return nil }
      let serving = obligation.families.flatMap(\.deliveries)
        .filter { $0.status == .delivered && $0.product == purchase.product }
        .min { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
      // The attempts that failed before, or beside it.
      let error = obligation.families.flatMap(\.deliveries)
        .filter { $0.status != .delivered && $0.error != nil }
        .min(by: Delivery.isLater)?.error
      return serving.map {
        Owed(properties: properties(of: purchase, by: $0, error: error), isMissing: false)
      }
    }
    return lost + served
  }

  private func properties(
    of purchase: MergedTransaction, by delivery: Delivery?, error: ByteText?
  ) -> [Cause.Property] {
    let moment = delivery?.occurredAt ?? purchase.purchaseDate
    let values = [
      delivery?.server, delivery?.region, delivery?.appVersion, purchase.product,
      ByteText(purchase.type), delivery.flatMap { hourOfDay($0.occurredAt) },
      hourOfDay(purchase.purchaseDate), ByteText(CivilTime(secondsSince1970: moment).day),
      error.flatMap { ByteText(errorKind($0.text)) },
    ]
    return zip(Cause.Property.dimensions, values).compactMap { dimension, value in
      value.map { Cause.Property(dimension: dimension, value: $0) }
    }
  }

  private func hourOfDay(_ seconds: Int) -> ByteText? {
    let hour = floorDivision(seconds, 3600)
    return ByteText(padded(hour - floorDivision(hour, 24) * 24, 2) + ":00")
  }

  /// The error without the words that contain a digit, except the status after `status`.
  private func errorKind(_ error: String) -> String {
    var kinds: [String] = []
    for word in error.split(whereSeparator: \.isWhitespace) {
      let isStatus = kinds.last == "status" && word.count == 3 && Int(word) != nil
      kinds.append(isStatus || !word.contains(where: \.isNumber) ? String(word) : "#")
    }
    return kinds.joined(separator: " ")
  }

  private func causes(of owed: [Owed], _ all: (missing: Int, owed: Int)) -> [Cause] {
    var counts: [[Cause.Property]: (missing: Int, owed: Int)] = [:]
    for one in owed {
      for (place, first) in one.properties.enumerated() {
        // The hours of purchase and attempt are mostly the same.
        let pairs = one.properties[(place + 1)...].map { [first, $0] }
          .filter { $0.map(\.dimension) != ["attempt_hour", "purchase_hour"] }
        for properties in [[first]] + pairs {
          counts[properties, default: (0, 0)].owed += 1
          if one.isMissing { counts[properties, default: (0, 0)].missing += 1 }
        }
      }
    }
    return counts.compactMap { properties, count in
      let shares = (
        missing: Double(count.missing) / Double(all.missing),
        owed: Double(count.owed) / Double(all.owed)
      )
      // A cause needs a larger share of the missing deliveries than of all owed deliveries.
      guard count.missing >= 10, shares.missing > shares.owed else { return nil }
      // A pair with an error: how the missing deliveries with that error are spread.
      let isOfError = properties.count == 2 && properties[1].dimension == "error"
      let compared = isOfError ? counts[[properties[1]], default: all].missing : all.missing
      let expected = isOfError ? counts[[properties[0]], default: all].owed : count.owed
      let found = Double(count.missing) / Double(compared)
      let share = Double(expected) / Double(all.owed)
      var weight = Double(count.missing) * log(found / share)
      if count.missing < compared {
        weight += Double(compared - count.missing) * log((1 - found) / (1 - share))
      }
      return Cause(
        properties: properties, missing: count.missing, owed: count.owed, weight: weight,
        // A lift of at least 1.5, computed in whole numbers.
        isNarrow: 2 * count.missing * all.owed >= 3 * count.owed * all.missing
          && 2 * count.missing * all.owed >= 3 * expected * compared)
    }
  }

  /// The causes that chance would hardly produce, the strongest first.
  ///
  /// A pair is kept only if its weight is larger than the weight of each half.
  private func strongest(_ causes: [Cause]) -> [Cause] {
    let halves = Dictionary(
      causes.filter { $0.properties.count == 1 && $0.properties[0].dimension != "error" }
        .map { ($0.properties[0], $0.weight) }
    ) { first, _ in first }
    let sorted = causes.filter { cause in
      guard cause.weight >= 10, cause.isNarrow else { return false }
      guard cause.properties.count == 2 else { return true }
      return cause.properties.allSatisfy { (halves[$0] ?? 0) < cause.weight }
    }.sorted { left, right in
      // An error alone says what happened, not where: it comes last.
      let areErrors = [left, right].map { $0.properties[0].dimension == "error" }
      if areErrors[0] != areErrors[1] { return areErrors[1] }
      if left.weight != right.weight { return left.weight > right.weight }
      if left.properties.count != right.properties.count {
        return left.properties.count < right.properties.count
      }
      let places = [left, right].map { cause in
        cause.properties.compactMap { Cause.Property.dimensions.firstIndex(of: $0.dimension) }
      }
      if places[0] != places[1] { return places[0].lexicographicallyPrecedes(places[1]) }
      return left.properties.map(\.value).lexicographicallyPrecedes(right.properties.map(\.value))
    }
    return Array(sorted.prefix(20))
  }

  /// A quotient with `digits` digits after the point, rounded half up.
  private func rounded(_ dividend: Int, by divisor: Int, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let number = (2 * dividend * scale + divisor) / (2 * divisor)
    return "\(number / scale)." + padded(number % scale, digits)
  }
}
