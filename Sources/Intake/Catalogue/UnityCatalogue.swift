/// Unity's `IAPProductCatalog.json`, in which its editor keeps the products that the app offers.
///
/// `storeIDs` names a product in stores where its identifier is not `id`. The names are those of
/// Unity's `ProductCatalogItem`:
/// https://docs.unity3d.com/Packages/com.unity.purchasing@4.12/manual/
struct UnityCatalogue {
  private let products: JSONValue

  /// Nil if the object is not such a catalogue.
  init?(_ root: JSONValue) {
    guard let products = root.member("products"), products.isArray else { return nil }
    var isUnity =
      root.member("appleSKU") != nil || root.member("enableCodelessAutoInitialization") != nil
    products.forEachElement { isUnity = isUnity || $0.member("storeIDs")?.isArray == true }
    guard isUnity else { return nil }
    self.products = products
  }

  func contents(_ texts: TextArena) throws(RecordProblem) -> CatalogueContents {
    var contents = CatalogueContents(.app)
    try products.forEachElement { product throws(RecordProblem) in
      guard let stores = try contents.elements("storeIDs", of: product) else { return }
      for id in Self.identifiers(of: product, stores) {
        try contents.add(raw: JSONText(product).bytes) { () throws(RecordProblem) in
          try Self.entry(product, id, texts)
        }
      }
    }
    return contents
  }

  /// The identifiers that a product has in Apple's stores; none for the blank product with which
  /// Unity's editor begins.
  private static func identifiers(of product: JSONValue, _ stores: [JSONValue]) -> [JSONValue?] {
    guard let id = identifier(in: "AppleAppStore", of: stores) ?? product.present("id") else {
      return [nil]
    }
    var found = isBlank(id) ? [] : [id]
    // An app for the Mac may sell under identifiers of its own.
    if let other = identifier(in: "MacAppStore", of: stores), !same(id, other) {
      found.append(other)
    }
    return found
  }

  /// The identifier that a product has in one store instead of its `id`.
  private static func identifier(in store: StaticString, of stores: [JSONValue]) -> JSONValue? {
    let entry = stores.last { $0.member("store")?.string?.equals(store) == true }
    return entry?.present("id").flatMap { isBlank($0) ? nil : $0 }
  }

  private static func isBlank(_ value: JSONValue) -> Bool {
    value.string?.trimmed.isEmpty == true
  }

  private static func same(_ one: JSONValue, _ other: JSONValue) -> Bool {
    guard let one = one.string, let other = other.string else { return false }
    return one.elementsEqual(other)
  }

  private static func entry(
    _ product: JSONValue, _ id: JSONValue?, _ texts: TextArena
  ) throws(RecordProblem) -> CatalogueEntry {
    var entry = try CatalogueEntry(value: id, named: "id", texts)
    if let type = try productType(product.present("type")) { entry.add(.type, type.rawValue) }
    return entry
  }

  /// The type, which Unity writes as the number of its word in `ProductType`.
  ///
  /// The number 2 is any subscription; only its transactions show which of Apple's two kinds it is.
  private static func productType(_ value: JSONValue?) throws(RecordProblem) -> ProductType? {
    guard let value else { return nil }
    switch value.integer {
    case 0: return .consumable
    case 1: return .nonConsumable
    case 2: return nil
    default:
      if let word = value.string, word.equals("Subscription") { return nil }
      return try ProductType.read(value)
    }
  }
}
