import DamageTestSupport

/// A random night with a shop of steady sales, for planting a known fault.
struct PlantedShop {
  var random: Dice
  var input: NightInput
  private var sales: [TransactionEntry] = []

  init(seed: UInt64) {
    random = Dice(seed &* 104_729)
    input = RandomNight(seed: seed &+ 900, accounts: 20).input
    input.settings.environments = ["Production"]
    input.settings.booksBegin = nil
  }

  /// Adds products to a catalogue, with a grace period of 24 hours.
  mutating func list(_ products: [(id: String, type: String)]) {
    let entries = products.map { product in
      var entry = CatalogueEntry(productID: product.id)
      entry.type = product.type
      entry.graceHours = 24
      return entry
    }
    input.catalogues.append(CatalogueDocument(form: .version2, entries: entries))
  }

  /// Adds a sale, and returns a record of its delivery.
  ///
  /// The caller completes the record.
  mutating func sell(_ product: String, at purchase: Int, delivering delivery: Int)
    -> DeliveryRecord
  {
    let id = "98\(1_000_000_000_000 + sales.count)"
    var entry = TransactionEntry(
      transactionID: id, productID: product, purchaseDate: Instant(seconds: purchase))
    entry.originalTransactionID = id
    entry.originalPurchaseDate = Instant(seconds: purchase)
    sales.append(entry)
    return DeliveryRecord(
      deliveryID: "planted-\(sales.count)", transactionID: id, productID: product,
      status: .delivered, occurredAt: Instant(seconds: delivery))
  }

  /// The night, with a receipt for every 25 sales.
  func finished() -> NightInput {
    var finished = input
    for first in stride(from: 0, to: sales.count, by: 25) {
      let few = sales[first..<min(first + 25, sales.count)]
      var document = ReceiptDocument(body: .lists(inApp: Array(few), latest: []))
      document.environment = "Production"
      finished.receipts.append(document)
    }
    return finished
  }
}

/// A night in which one of three servers, each with its own product, is silent for an hour.
public struct PlantedSilence: Sendable {
  /// The night with all deliveries.
  public let whole: NightInput
  /// The night without the deliveries of the silent server in its hour.
  public let silenced: NightInput
  /// The silent server.
  public let source: String
  /// The beginning of its silent hour.
  public let begin: Instant
  /// The transactions of the purchases that it delivered in that hour.
  public let transactions: Set<String>

  /// Makes a random one.
  public init(seed: UInt64) {
    var shop = PlantedShop(seed: seed)
    let servers = ["eu-1", "us-1", "ap-1"]
    shop.list(servers.map { ("planted.\($0)", "non_consumable") })
    // Long enough ago that all deliveries are due.
    let hour = floorDivision(shop.input.asOf, 3600) - 26 - shop.random.number(0...72)
    let silent = shop.random.pick(from: servers, else: "eu-1")
    var withheld: [DeliveryRecord] = []
    for server in servers {
      for day in -15...4 {
        for _ in 0..<shop.random.number(10...14) {
          let moment = (hour + day * 24) * 3600 + shop.random.number(0...3599)
          let purchase = moment - shop.random.number(0...7200)
          guard moment <= shop.input.asOf else { continue }
          var record = shop.sell("planted.\(server)", at: purchase, delivering: moment)
          record.server = server
          if server == silent, day == 0 {
            withheld.append(record)
          } else {
            shop.input.deliveries.append(record)
          }
        }
      }
    }
    silenced = shop.finished()
    var whole = silenced
    whole.deliveries += withheld
    self.whole = whole
    source = silent
    begin = Instant(seconds: hour * 3600)
    transactions = Set(withheld.map(\.transactionID))
  }
}

/// A night in which most deliveries with a certain property, or pair of properties, fail.
public struct PlantedCause: Sendable {
  /// The night.
  public let input: NightInput
  /// The columns of `causes.csv` that name the cause: a dimension and its value, twice.
  public let names: [String]

  /// Makes a random one.
  public init(seed: UInt64, sales: Int = 1200) {
    var shop = PlantedShop(seed: seed)
    let types = ["consumable", "non_consumable", "non_renewing"]
    let products = (0..<6).map { (id: "planted.\($0)", type: types[$0 % 3]) }
    shop.list(products)
    // The last day on which all is due, and the eleven days before it. The shop is open for eight
    // hours a day.
    let lastDay = floorDivision(shop.input.asOf, 86_400) - 2
    let choices = [
      ["eu-1", "us-1", "ap-1"], ["north", "south", "east", "west"], ["1.0", "1.1", "2.0"],
      products.map(\.id), types, (9..<16).map { padded($0, 2) + ":00" },
      (8..<16).map { padded($0, 2) + ":00" },
      (0..<12).map { CivilTime(secondsSince1970: (lastDay - $0) * 86_400).day },
    ]
    let planted = Self.draw(choices, &shop.random)
    for _ in 0..<sales {
      let product = products[shop.random.number(0...5)]
      let day = lastDay - shop.random.number(0...11)
      let purchase = day * 86_400 + 8 * 3600 + shop.random.number(0...8 * 3600 - 1)
      let moment = purchase + shop.random.number(0...3600)
      var record = shop.sell(product.id, at: purchase, delivering: moment)
      record.server = shop.random.pick(from: choices[0], else: "")
      record.region = shop.random.pick(from: choices[1], else: "")
      record.appVersion = shop.random.pick(from: choices[2], else: "")
      let hours = [moment, purchase].map { time in
        padded(CivilTime(secondsSince1970: time).secondOfDay / 3600, 2) + ":00"
      }
      let values = [
        record.server, record.region, record.appVersion, product.id, product.type, hours[0],
        hours[1], CivilTime(secondsSince1970: moment).day,
      ]
      let isPlanted = planted.allSatisfy { values[$0.dimension] == $0.value }
      if shop.random.chance(isPlanted ? 90 : 2) { record.status = .failed }
      shop.input.deliveries.append(record)
    }
    input = shop.finished()
    let named = planted.flatMap { [Cause.Property.dimensions[$0.dimension], $0.value] }
    names = named + Array(repeating: "", count: 4 - named.count)
  }

  private static func draw(
    _ choices: [[String]], _ random: inout Dice
  ) -> [(dimension: Int, value: String)] {
    let first = random.number(0...choices.count - 1)
    let second = random.number(0...choices.count - 1)
    // A product has one type, so the pair of both says no more than the product. Both hours are
    // mostly the same. A day has too few sales of one product or in one hour.
    let isOne =
      first == second
      || [[3, 4], [5, 6], [3, 7], [5, 7], [6, 7]].contains(Set([first, second]))
    let dimensions = isOne ? [first] : [first, second].sorted()
    return dimensions.map { ($0, random.pick(from: choices[$0], else: "")) }
  }
}

/// A night in which one of three servers fails for the same two hours of five days, with one error
/// text whose numbers differ.
public struct PlantedOutage: Sendable {
  /// The night.
  public let input: NightInput
  /// The server.
  public let server: String
  /// Its error in `causes.csv`.
  public let error = "storage pool # offline, request #"

  /// Makes a random one.
  ///
  /// - Parameter isOnlyError: Whether the few other failures have the same error.
  public init(seed: UInt64, isOnlyError: Bool) {
    var shop = PlantedShop(seed: seed)
    let products = (0..<4).map { (id: "planted.\($0)", type: "non_consumable") }
    shop.list(products)
    let servers = ["eu-1", "us-1", "ap-1"]
    let failing = shop.random.pick(from: servers, else: "eu-1")
    let firstHour = shop.random.number(8...14)
    let lastDay = floorDivision(shop.input.asOf, 86_400) - 2
    for _ in 0..<1200 {
      let product = products[shop.random.number(0...3)].id
      let daysAgo = shop.random.number(0...11)
      let hour = shop.random.number(8...15)
      let moment =
        (lastDay - daysAgo) * 86_400 + hour * 3600 + shop.random.number(0...3599)
      var record = shop.sell(product, at: moment - shop.random.number(0...60), delivering: moment)
      record.server = shop.random.pick(from: servers, else: "")
      let isOutage =
        record.server == failing && daysAgo < 10 && daysAgo % 2 == 0
        && (hour == firstHour || hour == firstHour + 1)
      if shop.random.chance(isOutage ? 95 : 2) {
        record.status = .failed
        let numbers = (shop.random.number(1...9), shop.random.number(1000...99_999))
        record.error =
          isOutage || isOnlyError
          ? "storage pool \(numbers.0) offline, request r-\(numbers.1)"
          : shop.random.pick("timeout after \(numbers.1) ms", "status 503", nil)
      }
      shop.input.deliveries.append(record)
    }
    input = shop.finished()
    server = failing
  }
}
