extension CatalogueEntry {
  private static let types = Set(ProductType.allCases.map(\.rawValue))
  private static let deliveries: Set<String> = ["server", "on_demand", "apple_hosted", "built_in"]
  private static let deliveriesPer: Set<String> = ["purchase", "period"]
  private static let members = [
    "product_id", "type", "delivery", "delivery_per", "grace_hours", "valid_from", "valid_to",
    "prices",
  ]
  private static let membersOfPrice = ["currency", "price", "storefront", "valid_from"]
  /// Ten years.
  private static let longestGraceHours: Int64 = 87_600

  /// An entry of version 2.
  init(version2 value: JSONValue, _ arena: TextArena) throws(RecordProblem) {
    guard value.isObject else {
      throw RecordProblem(
        .missingField, "An entry of products is not an object; give it a product_id.")
    }
    try OtherSpelling.require(Self.members, in: value)
    arena.begin()
    guard
      let productID = try JSONField.text(
        value.present("product_id"), "product_id", or: .badIdentifier, arena)
    else { throw .missing("product_id") }
    try self.init(productID: productID)
    try add(.type, value.present("type"), among: Self.types)
    try add(.delivery, value.present("delivery"), among: Self.deliveries)
    try add(.deliveryPer, value.present("delivery_per"), among: Self.deliveriesPer)
    if let hours = try JSONField.text(
      value.present("grace_hours"), "grace_hours", or: .badNumber, arena)
    {
      guard let number = FieldText.wholeNumber(hours), number >= 0, number <= Self.longestGraceHours
      else {
        throw RecordProblem(
          .badNumber,
          "grace_hours is not a whole number from 0 to \(Self.longestGraceHours); correct it.")
      }
      add(.graceHours, String(number))
    }
    try add(.validFrom, instant: value.present("valid_from"))
    try add(.validTo, instant: value.present("valid_to"))
    try addPrices(value.present("prices"), arena)
  }

  private mutating func add(
    _ member: Member, _ value: JSONValue?, among known: Set<String>
  ) throws(RecordProblem) {
    guard let value, value.string?.isEmpty != true else { return }
    guard let text = value.string?.string, known.contains(text) else {
      throw RecordProblem(
        .unknownValue,
        "\(member.rawValue) is not one of \(known.sorted().joined(separator: ", ")); write one of them."
      )
    }
    add(member, text)
  }

  private mutating func add(_ member: Member, instant value: JSONValue?) throws(RecordProblem) {
    guard let instant = try Self.instant(value, member.rawValue) else { return }
    add(member, Instant.text(instant))
  }

  private mutating func addPrices(_ value: JSONValue?, _ arena: TextArena) throws(RecordProblem) {
    guard let value else { return }
    guard value.isArray else {
      throw RecordProblem(.badAmount, "prices is not an array; write one even for a single price.")
    }
    try value.forEachElement { element throws(RecordProblem) in
      add(try Self.price(element, arena))
    }
  }

  private static func price(
    _ value: JSONValue, _ arena: TextArena
  ) throws(RecordProblem) -> Fact {
    guard value.isObject else {
      throw RecordProblem(.badAmount, "A price is not an object; give it currency and price.")
    }
    try OtherSpelling.require(Self.membersOfPrice, in: value)
    arena.begin()
    guard let currency = value.present("currency") else { throw .missing("currency of a price") }
    guard let code = currency.string, FieldText.isCurrency(code) else {
      throw .badCurrency("currency of a price")
    }
    guard let price = value.present("price"), price.string?.isEmpty != true else {
      throw .missing("price of a price")
    }
    let amount = try JSONField.amount(price, "price", arena)
    return Fact(
      member: .price, value: amount.string, currency: code.string,
      storefront: try storefront(value.present("storefront")),
      priceFrom: try instant(value.present("valid_from"), "valid_from of a price"))
  }

  /// The storefront of a price; empty if it is missing.
  ///
  /// Apple writes a storefront with three letters, so the price would count for no purchase of it.
  private static func storefront(_ value: JSONValue?) throws(RecordProblem) -> String {
    guard let value, value.string?.isEmpty != true else { return "" }
    guard let code = value.string, FieldText.isStorefront(code) else {
      throw RecordProblem(
        .unknownValue,
        "storefront of a price is not three capital letters as in ISO 3166-1 alpha-3; write it "
          + "like USA.")
    }
    return code.string
  }

  private static func instant(
    _ value: JSONValue?, _ name: @autoclosure () -> String
  ) throws(RecordProblem) -> Int64? {
    guard let value, value.string?.isEmpty != true else { return nil }
    guard let text = value.string, let instant = Instant.parseDayOrInstant(text) else {
      throw .badDate(name())
    }
    return instant
  }
}
