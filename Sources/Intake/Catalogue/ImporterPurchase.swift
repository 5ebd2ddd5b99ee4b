/// One `in_app_purchase` of an App Store package.
///
/// The product is for sale from the earliest start to the latest end of the intervals of all its
/// territories. If one interval is open on a side, or a territory has no interval, that side has no
/// date. A date is the start of its day in UTC. An end date is the first day on which the product
/// is not for sale: Apple allows no gap between intervals, so an interval begins on the day on
/// which the interval before it ends.
struct ImporterPurchase {
  private struct Interval {
    var start: [UInt8]?
    var end: [UInt8]?
  }

  /// The data of one territory.
  private struct Territory {
    var clearedForSale: [UInt8]?
    var intervals: [Interval] = []
  }

  private var productID: [UInt8]?
  private var type: [UInt8]?
  private var territories: [Territory] = []

  private static let territory: [String] = ["products", "product"]
  private static let interval: [String] = territory + ["intervals", "interval"]

  mutating func begin(_ path: ArraySlice<String>) {
    if path.elementsEqual(Self.territory) {
      territories.append(Territory())
    } else if path.elementsEqual(Self.interval), !territories.isEmpty {
      territories[territories.count - 1].intervals.append(Interval())
    }
  }

  mutating func end(_ path: ArraySlice<String>, _ letters: [UInt8]) {
    let text = letters.withUnsafeBufferPointer { Array($0.trimmed) }
    guard !text.isEmpty, let name = path.last else { return }
    let parent = path.dropLast()
    let last = territories.count - 1
    if parent.isEmpty {
      if name == "product_id" { productID = text }
      if name == "type" { type = text }
    } else if parent.elementsEqual(Self.territory), name == "cleared_for_sale", last >= 0 {
      territories[last].clearedForSale = text
    } else if parent.elementsEqual(Self.interval), last >= 0 {
      let index = territories[last].intervals.count - 1
      guard index >= 0 else { return }
      if name == "start_date" { territories[last].intervals[index].start = text }
      if name == "end_date" { territories[last].intervals[index].end = text }
    }
  }

  /// The catalogue entry of the purchase.
  ///
  /// `generatedOn` is the day on which the App Store wrote the package.
  func entry(generatedOn: Int64?) throws(RecordProblem) -> CatalogueEntry {
    guard let productID else { throw .missing("product_id") }
    var entry = try productID.withBytes { bytes throws(RecordProblem) in
      try CatalogueEntry(productID: bytes)
    }
    if let type {
      let known = try type.withBytes { bytes throws(RecordProblem) in
        try ProductType.read(apple: bytes)
      }
      if let known { entry.add(.type, known.rawValue) }
    }
    if let isForSale = try isForSale() { entry.add(isForSale: isForSale) }
    // The App Store writes only present and future intervals. It replaces an earlier start by the
    // day on which it writes the package, so such a start is no real date.
    let start = try bound("start_date", \.start, min).flatMap { start in
      generatedOn.map { start > $0 } ?? true ? start : nil
    }
    if let start { entry.add(.validFrom, Instant.text(start)) }
    if let end = try bound("end_date", \.end, max) { entry.add(.validTo, Instant.text(end)) }
    return entry
  }

  /// Whether the product is cleared for sale in any territory; nil if no territory has the member.
  private func isForSale() throws(RecordProblem) -> Bool? {
    var isForSale: Bool?
    for territory in territories {
      guard let word = territory.clearedForSale else { continue }
      switch String(decoding: word, as: UTF8.self) {
      case "true": isForSale = true
      case "false": isForSale = isForSale ?? false
      default:
        throw RecordProblem(
          .unknownValue, "cleared_for_sale is neither true nor false; write one of them.")
      }
    }
    return isForSale
  }

  /// The earliest start or the latest end, or nil if that side is open.
  private func bound(
    _ name: String, _ side: KeyPath<Interval, [UInt8]?>, _ outermost: (Int64, Int64) -> Int64
  ) throws(RecordProblem) -> Int64? {
    var bound: Int64?
    var isOpen = territories.isEmpty
    for territory in territories {
      isOpen = isOpen || territory.intervals.isEmpty
      for interval in territory.intervals {
        guard let text = interval[keyPath: side] else {
          isOpen = true
          continue
        }
        guard let date = text.withUnsafeBufferPointer({ Instant.parseDayOrInstant($0) }) else {
          throw .badDate(name)
        }
        bound = bound.map { outermost($0, date) } ?? date
      }
    }
    return isOpen ? nil : bound
  }
}
