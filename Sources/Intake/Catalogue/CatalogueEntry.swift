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
    /// A list of what the app offers names it.
    case offeredByApp = "offered_by_app"
    /// A list of what the App Store knows names it.
    case knownToStore = "known_to_store"
    /// Whether the App Store sells it, as such a list says: `true` or `false`.
    case forSale = "for_sale"
    /// A list of what the App Store knows names every product of a kind; said of no product.
    case storeListCovers = "store_list_covers"
  }

  let productID: String
  /// Everything that is said; the first thing is that the identifier is listed.
  private(set) var statements = [Statement(member: .listed, value: "")]

  /// An entry of a plain list.
  init(productID: Bytes) throws(RecordProblem) {
    guard !productID.isEmpty else { throw .missing("product_id") }
    guard FieldText.isProductIdentifier(productID) else { throw .badName("product_id") }
    self.productID = productID.string
  }

  /// Says one more thing.
  mutating func add(_ statement: Statement) {
    statements.append(statement)
  }

  /// Says one more thing.
  mutating func add(_ member: Member, _ value: String) {
    add(Statement(member: member, value: value))
  }

  /// Says whether the App Store sells it.
  mutating func add(isForSale: Bool) {
    add(.forSale, isForSale ? "true" : "false")
  }

  /// Writes one row for each thing that is said.
  func append(fileID: Int32, ordinal: Int64, to rows: inout CopyBuffer) {
    for statement in statements {
      Self.append(statement, of: productID, fileID: fileID, ordinal: ordinal, to: &rows)
    }
  }

  /// Writes that a list of the store names every product of a kind: a row about no product.
  static func append(covered kind: ProductType, fileID: Int32, to rows: inout CopyBuffer) {
    let statement = Statement(member: .storeListCovers, value: kind.rawValue)
    append(statement, of: "", fileID: fileID, ordinal: 0, to: &rows)
  }

  private static func append(
    _ statement: Statement, of productID: String, fileID: Int32, ordinal: Int64,
    to rows: inout CopyBuffer
  ) {
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

extension StagedRows {
  /// The columns of `staging_catalogue`, in the order in which a row's values are written.
  public static let catalogueColumns = [
    "file_id", "line", "product_id", "member", "currency", "storefront", "price_from", "value",
  ]
}
