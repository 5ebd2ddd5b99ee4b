import CopyFormat

/// The facts that one catalogue entry gives about a product identifier.
struct CatalogueEntry {
  /// One fact.
  struct Fact {
    let member: Member
    let value: String
    var currency = ""
    var storefront = ""
    /// The instant from which a price is valid; nil if it is always valid.
    var priceFrom: Int64?
  }

  /// The kinds of fact.
  enum Member: String {
    case listed, type, delivery, price
    case deliveryPer = "delivery_per"
    case graceHours = "grace_hours"
    case validFrom = "valid_from"
    case validTo = "valid_to"
    /// A list of the products that the app offers contains the identifier.
    case offeredByApp = "offered_by_app"
    /// A list of the products in the App Store contains the identifier.
    case knownToStore = "known_to_store"
    /// Whether the App Store sells the product according to such a list: `true` or `false`.
    case forSale = "for_sale"
    /// A list of the products in the App Store contains every product of a kind; has no product.
    case storeListCovers = "store_list_covers"
  }

  let productID: String
  /// All facts; the first fact is that the identifier is listed.
  private(set) var facts = [Fact(member: .listed, value: "")]

  /// An entry of a plain list.
  init(productID: Bytes) throws(RecordProblem) {
    guard !productID.isEmpty else { throw .missing("product_id") }
    guard FieldText.isProductIdentifier(productID) else { throw .badName("product_id") }
    self.productID = productID.string
  }

  /// Adds one fact.
  mutating func add(_ fact: Fact) {
    facts.append(fact)
  }

  /// Adds one fact.
  mutating func add(_ member: Member, _ value: String) {
    add(Fact(member: member, value: value))
  }

  /// Adds the fact that the App Store sells the product or does not sell it.
  mutating func add(isForSale: Bool) {
    add(.forSale, isForSale ? "true" : "false")
  }

  /// Writes one row for each fact.
  func append(fileID: Int32, ordinal: Int64, to rows: inout CopyBuffer) {
    for fact in facts {
      Self.append(fact, of: productID, fileID: fileID, ordinal: ordinal, to: &rows)
    }
  }

  /// Writes a row without a product: a list of the App Store contains every product of a kind.
  static func append(covered kind: ProductType, fileID: Int32, to rows: inout CopyBuffer) {
    let fact = Fact(member: .storeListCovers, value: kind.rawValue)
    append(fact, of: "", fileID: fileID, ordinal: 0, to: &rows)
  }

  private static func append(
    _ fact: Fact, of productID: String, fileID: Int32, ordinal: Int64,
    to rows: inout CopyBuffer
  ) {
    rows.beginRow(columns: 8)
    rows.integer(fileID)
    rows.bigint(ordinal)
    rows.text(productID)
    rows.text(fact.member.rawValue)
    rows.text(fact.currency)
    rows.text(fact.storefront)
    if let from = fact.priceFrom {
      rows.timestamp(from)
    } else {
      rows.timestampBeforeAllOthers()
    }
    rows.text(fact.value)
  }
}

extension StagedRows {
  /// The columns of `staging_catalogue`, in the order in which a row's values are written.
  package static let catalogueColumns = [
    "file_id", "line", "product_id", "member", "currency", "storefront", "price_from", "value",
  ]
}
