import CopyFormat

/// What one entry of a catalogue says of a product identifier.
struct CatalogueEntry {
  /// One thing that is said.
  struct Statement {
    let member: Member
    let value: String
    var currency = ""
    var storefront = ""
    /// From when on a price holds; none: always.
    var priceFrom: Int64?
  }

  /// What can be said.
  enum Member: String {
    case listed, type, delivery, price
    case deliveryPer = "delivery_per"
    case graceHours = "grace_hours"
    case validFrom = "valid_from"
    case validTo = "valid_to"
  }

  let productID: String
  /// Everything that is said; the first thing is that the identifier is listed.
  private(set) var statements = [Statement(member: .listed, value: "")]

  /// An entry of a plain list.
  init(productID: Bytes) throws(RecordProblem) {
    guard FieldText.isProductIdentifier(productID) else { throw .badName("product_id") }
    self.productID = productID.string
  }

  /// Writes one row for each thing that is said.
  func append(fileID: Int32, ordinal: Int64, to rows: inout CopyBuffer) {
    for statement in statements {
      rows.beginRow(columns: 8)
      rows.integer(fileID)
      rows.bigint(ordinal)
      rows.text(productID)
      rows.text(statement.member.rawValue)
      rows.text(statement.currency)
      rows.text(statement.storefront)
      if let from = statement.priceFrom {
        rows.timestamp(from)
      } else {
        rows.timestampBeforeAllOthers()
      }
      rows.text(statement.value)
    }
  }
}

extension CatalogueEntry {
  private static let types: Set<String> = [
    "consumable", "non_consumable", "auto_renewable", "non_renewing",
  ]
  private static let deliveries: Set<String> = ["server", "on_demand", "apple_hosted", "built_in"]
  private static let deliveriesPer: Set<String> = ["purchase", "period"]
  /// Ten years.
  private static let longestGraceHours: Int64 = 87_600

  /// An entry of version 2.
  init(_ value: JSONValue, _ arena: TextArena) throws(RecordProblem) {
    guard value.isObject else {
      throw RecordProblem(.missingField, "An entry of products is no object; give it a product_id.")
    }
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
          "grace_hours is no whole number from 0 to \(Self.longestGraceHours); correct it.")
      }
      statements.append(Statement(member: .graceHours, value: String(number)))
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
        "\(member.rawValue) is none of \(known.sorted().joined(separator: ", ")); write one of them."
      )
    }
    statements.append(Statement(member: member, value: text))
  }

  private mutating func add(_ member: Member, instant value: JSONValue?) throws(RecordProblem) {
    guard let instant = try Self.instant(value, member.rawValue) else { return }
    statements.append(Statement(member: member, value: Instant.text(instant)))
  }

  private mutating func addPrices(_ value: JSONValue?, _ arena: TextArena) throws(RecordProblem) {
    guard let value else { return }
    guard value.isArray else {
      throw RecordProblem(.badAmount, "prices is no array; write one even for a single price.")
    }
    let range = value.contents
    var place = range.lowerBound
    while place < range.upperBound {
      let element = value.value(at: place)
      statements.append(try Self.price(element, arena))
      place = element.next
    }
  }

  private static func price(
    _ value: JSONValue, _ arena: TextArena
  ) throws(RecordProblem) -> Statement {
    guard value.isObject else {
      throw RecordProblem(.badAmount, "A price is no object; give it currency and price.")
    }
    arena.begin()
    guard let currency = value.present("currency") else { throw .missing("currency of a price") }
    guard let code = currency.string, FieldText.isCurrency(code) else {
      throw .badCurrency("currency of a price")
    }
    guard let price = value.present("price"), price.string?.isEmpty != true else {
      throw .missing("price of a price")
    }
    let amount = try JSONField.amount(price, "price", arena)
    let storefront = try JSONField.identifier(
      value.present("storefront"), "storefront of a price", arena)
    return Statement(
      member: .price, value: amount.string, currency: code.string,
      storefront: storefront?.string ?? "",
      priceFrom: try instant(value.present("valid_from"), "valid_from of a price"))
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

extension JSONValue {
  /// A member that is there and not null.
  fileprivate func present(_ name: StaticString) -> JSONValue? {
    member(name).flatMap { $0.isNull ? nil : $0 }
  }
}
