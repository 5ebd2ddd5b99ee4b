/// A product that customers can buy, in a catalogue or not.
struct StockProduct: Sendable {
  let id: String
  let type: String
  /// The grace period in hours, if the catalogue gives one.
  var graceHours: Int?
  /// Whether no catalogue contains the identifier.
  var isUnlisted = false

  var isSubscription: Bool {
    type == "auto_renewable"
  }
}

extension NightBuilder {
  private static let plainNames = [
    "com.example.reader.plus", "com.example.reader.monthly", "com.example.reader.yearly",
    "com.example.reader.coins.100", "com.example.reader.coins.500", "com.example.reader.book.1",
    "com.example.reader.book.2", "com.example.reader.book.10", "com.example.reader.season",
    "com.example.reader.themes", "com.example.reader.Themes", "reader.archive", "reader.audio",
    "reader.audio.hd", "x",
  ]
  private static let oddNames = [
    "=SUM(A1)", "+plus", "-minus", "@home", "com.example.a,b", "com.example.\"quoted\"",
    "com.example.with space", "com.example.caf\u{E9}", "com.example.cafe\u{301}",
    "com.example.本", "com.example.\u{1F4DA}", "com.example.a&b<c", "com.example.semi;colon",
  ]

  mutating func drawStock() {
    var names = Self.plainNames.shuffled(using: &random).prefix(10)
    names += Self.oddNames.shuffled(using: &random).prefix(5)
    let listed = Array(names)
    for name in listed {
      let type = random.weighted(
        [(35, "auto_renewable"), (35, "non_consumable"), (20, "consumable"), (10, "non_renewing")],
        else: "non_consumable")
      stock.append(StockProduct(id: name, type: type))
    }
    for _ in 0..<6 {
      let model = random.pick(from: stock, else: StockProduct(id: "x", type: "consumable"))
      let wrong = mistyped(model.id)
      guard !listed.contains(wrong) else { continue }
      stock.append(StockProduct(id: wrong, type: model.type, isUnlisted: true))
    }
    stock.append(StockProduct(id: "zz.nobody.knows", type: "non_consumable", isUnlisted: true))
  }

  /// The identifier with typing errors.
  private mutating func mistyped(_ id: String) -> String {
    var scalars = Array(id.unicodeScalars)
    for _ in 0..<random.number(1...3) {
      let place = random.number(0...max(0, scalars.count - 1))
      switch random.number(0...4) {
      case 0: scalars.insert("q", at: place)
      case 1 where scalars.count > 1: scalars.remove(at: place)
      case 2: scalars[place] = "z"
      case 3: scalars = Array(String(String.UnicodeScalarView(scalars)).uppercased().unicodeScalars)
      default: scalars.swapAt(place, random.number(0...max(0, scalars.count - 1)))
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  mutating func drawCatalogues() {
    var rich: [CatalogueEntry] = []
    var poor: [CatalogueEntry] = []
    for index in stock.indices where !stock[index].isUnlisted {
      var entry = CatalogueEntry(productID: stock[index].id)
      if random.chance(15) {
        poor.append(entry)
        continue
      }
      if random.chance(88) { entry.type = stock[index].type }
      drawDelivery(of: &entry)
      stock[index].graceHours = entry.graceHours
      for _ in 0..<random.number(0...5) { entry.prices.append(drawPrice()) }
      rich.append(entry)
      if random.chance(20) { poor.append(entry) }
    }
    catalogues.append(CatalogueDocument(form: .version2, entries: rich))
    if random.chance(50) {
      // The app offers nearly everything.
      poor += rich.filter { _ in random.chance(80) }
    }
    catalogues.append(
      CatalogueDocument(
        form: random.pick(.version1, .propertyList, .dictionaries, .ids), entries: poor))
    if random.chance(60) { drawSecondOpinion(of: rich) }
    if random.chance(70) { drawStoreLists() }
    catalogues.shuffle(using: &random)
  }

  private mutating func drawDelivery(of entry: inout CatalogueEntry) {
    entry.delivery = random.weighted(
      [
        (35, nil), (30, "server"), (15, "on_demand"), (10, "apple_hosted"), (10, "built_in"),
      ], else: nil)
    entry.deliveryPer = random.pick(nil, "purchase", "period", "period")
    entry.graceHours = random.pick(nil, nil, nil, 0, 1, 48, 72)
    if random.chance(15) { entry.validFrom = boundary(asOf - random.number(0...60 * 86400)) }
    if random.chance(25) { entry.validTo = boundary(asOf - random.number(-5...60) * 86400) }
  }

  /// An instant at which something begins or ends to apply.
  ///
  /// It is kept, so that some purchases have exactly this date.
  private mutating func boundary(_ seconds: Int) -> Instant {
    boundaries.append(seconds)
    return Instant(seconds: seconds)
  }

  mutating func drawPrice() -> CatalogueEntry.Price {
    let (currency, storefront) = random.pick(
      ("USD", "USA"), ("USD", "USA"), ("EUR", "DEU"), ("JPY", "JPN"), ("KWD", "KWT"),
      ("USD", "JPN"))
    let begin = random.chance(40) ? boundary(asOf - random.number(0...80) * 86400) : nil
    return CatalogueEntry.Price(
      currency: currency, storefront: random.chance(65) ? storefront : nil,
      price: drawAmount(in: currency), validFrom: begin)
  }

  /// An amount, mostly with the currency's number of digits, sometimes with fewer or more.
  mutating func drawAmount(in currency: String) -> String {
    if random.chance(4) { return random.pick("0", "0.00", "0.000") }
    let whole = String(random.number(0...99))
    if random.chance(10) { return random.pick(whole + ".990", whole + ".5", whole) }
    switch Amount.minorDigits(of: currency) {
    case 0: return whole + "0"
    case 3: return whole + random.pick(".300", ".125")
    default: return whole + random.pick(".99", ".99", ".49", ".00")
    }
  }

  /// Adds a later file that repeats the first one, adds to it and contradicts it.
  private mutating func drawSecondOpinion(of entries: [CatalogueEntry]) {
    var second: [CatalogueEntry] = []
    for original in entries where random.chance(40) {
      var entry = CatalogueEntry(productID: original.productID)
      if random.chance(50) { entry = original }
      if random.chance(8) { entry.type = random.pick("consumable", "auto_renewable") }
      if random.chance(8) { entry.delivery = random.pick("server", "on_demand") }
      if random.chance(8) { entry.graceHours = random.pick(1, 2, 10, 24) }
      if random.chance(8) { entry.validTo = boundary(asOf - random.number(0...30) * 86400) }
      if random.chance(8) { entry.validFrom = boundary(asOf - random.number(0...50) * 86400) }
      if random.chance(20) { entry.prices.append(drawPrice()) }
      // Repeats a price. An equal value in another form is no contradiction; another value is one.
      if var again = original.prices.randomElement(using: &random) {
        again.price = random.pick(again.price, longer(again.price), drawAmount(in: again.currency))
        entry.prices.append(again)
      }
      second.append(entry)
    }
    catalogues.append(CatalogueDocument(form: .version2, entries: second))
  }

  /// The same amount with one more digit.
  func longer(_ amount: String) -> String {
    amount.utf8.contains(UInt8(ascii: ".")) ? amount + "0" : amount + ".0"
  }
}
