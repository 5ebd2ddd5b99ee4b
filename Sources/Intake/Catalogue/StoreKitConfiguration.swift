/// A `.storekit` file, in which Xcode keeps the products for its simulation of the App Store.
///
/// A file that Xcode synchronized with App Store Connect names the products in the App Store. A
/// file that a developer wrote by hand names the products that the app offers; its prices are not
/// used.
///
/// Prices are numbers without a currency. The currency is that of the storefront in the file's
/// settings (StoreKitTest's reference says this about `SKTestSession.storefront`). If the file
/// names no storefront, or one whose currency is not known for certain, there is no price. Every
/// product in a synchronized file is for sale.
struct StoreKitConfiguration {
  private let root: JSONValue
  private let storefront: String?
  private let currency: String?

  /// Whether an object is such a configuration.
  static func isOne(_ root: JSONValue) -> Bool {
    root.member("subscriptionGroups")?.isArray == true
      || root.member("nonRenewingSubscriptions")?.isArray == true
      || root.member("products").map { isSection($0, of: root) } == true
  }

  /// Whether the products of an object are a section of such a configuration.
  ///
  /// The version or an entry shows that.
  private static func isSection(_ products: JSONValue, of root: JSONValue) -> Bool {
    guard products.isArray else { return false }
    if let version = root.present("version") { return version.isObject }
    var hasProductID = false
    // An app's own list has an id.
    var hasID = false
    products.forEachElement { product in
      hasProductID = hasProductID || product.member("productID") != nil
      hasID = hasID || product.member("id") != nil
    }
    return hasProductID && !hasID
  }

  /// Whether Xcode took the products from App Store Connect.
  ///
  /// The settings of such a file contain the time, in seconds since 2001. Files that were written
  /// by hand copy the setting with 0 or with a text.
  private let isSynchronized: Bool

  init(_ root: JSONValue) {
    self.root = root
    let synchronizedAt = root.member("settings")?.member("_lastSynchronizedDate")
    isSynchronized =
      (synchronizedAt?.double ?? synchronizedAt?.integer.map { Double($0) } ?? 0) > 0
    storefront = root.member("settings")?.member("_storefront")?.string?.string
    currency = storefront.flatMap(StorefrontCurrency.code)
  }

  func contents(_ texts: TextArena) throws(RecordProblem) -> CatalogueContents {
    var contents = CatalogueContents(isSynchronized ? .store : .app)
    if isSynchronized { coverSections(in: &contents) }
    try add("products", of: root, to: &contents, texts)
    try add("nonRenewingSubscriptions", of: root, to: &contents, texts)
    for group in try contents.elements("subscriptionGroups", of: root) ?? [] {
      if group.isObject {
        try add("subscriptions", of: group, to: &contents, texts)
      } else {
        try contents.add(raw: JSONText(group).bytes) { () throws(RecordProblem) in
          throw .groupWithoutMembers
        }
      }
    }
    return contents
  }

  /// Adds the products of a section.
  private func add(
    _ section: StaticString, of value: JSONValue, to contents: inout CatalogueContents,
    _ texts: TextArena
  ) throws(RecordProblem) {
    for product in try contents.elements(section, of: value) ?? [] {
      try contents.add(raw: JSONText(product).bytes) { () throws(RecordProblem) in
        try entry(product, texts)
      }
    }
  }

  /// Covers the kinds whose section exists; a missing section says nothing about its kind.
  private func coverSections(in contents: inout CatalogueContents) {
    if root.member("products")?.isArray == true {
      contents.cover([.consumable, .nonConsumable])
    }
    if root.member("nonRenewingSubscriptions")?.isArray == true { contents.cover([.nonRenewing]) }
    if root.member("subscriptionGroups")?.isArray == true { contents.cover([.autoRenewable]) }
  }

  private func entry(
    _ product: JSONValue, _ texts: TextArena
  ) throws(RecordProblem) -> CatalogueEntry {
    var entry = try CatalogueEntry(
      value: product.present("productID"), named: "productID", texts)
    if let type = try ProductType.read(product.present("type")) { entry.add(.type, type.rawValue) }
    guard isSynchronized else { return entry }
    entry.add(isForSale: true)
    if let storefront, let currency, let price = product.present("displayPrice"),
      price.string?.isEmpty != true
    {
      let amount = try JSONField.amount(price, "displayPrice", texts)
      entry.add(
        CatalogueEntry.Fact(
          member: .price, value: amount.string, currency: currency, storefront: storefront))
    }
    return entry
  }
}

extension RecordProblem {
  fileprivate static let groupWithoutMembers = RecordProblem(
    .missingField, "An entry of subscriptionGroups is not an object; give it its subscriptions.")
}
