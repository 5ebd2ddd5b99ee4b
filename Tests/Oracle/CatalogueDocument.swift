/// An entry of a catalogue: the content of the catalogue about one product.
public struct CatalogueEntry: Sendable {
  /// One price, with its storefront and its beginning.
  public struct Price: Sendable {
    /// The currency.
    public var currency: String
    /// The storefront; if missing, the price applies in every storefront.
    public var storefront: String?
    /// The amount as text.
    public var price: String
    /// The beginning of the price; if missing, the price always applies.
    public var validFrom: Instant?

    /// Makes a price.
    public init(currency: String, storefront: String?, price: String, validFrom: Instant?) {
      self.currency = currency
      self.storefront = storefront
      self.price = price
      self.validFrom = validFrom
    }
  }

  /// The identifier.
  public var productID: String
  /// `consumable`, `non_consumable`, `auto_renewable` or `non_renewing`.
  public var type: String?
  /// `server`, `on_demand`, `apple_hosted` or `built_in`.
  public var delivery: String?
  /// `purchase` or `period`.
  public var deliveryPer: String?
  /// The grace period in hours.
  public var graceHours: Int?
  /// The instant from which it is for sale.
  public var validFrom: Instant?
  /// The instant until which it is for sale.
  public var validTo: Instant?
  /// The prices.
  public var prices: [Price] = []
  /// Whether the App Store sells it; missing if no list of the store says so.
  public var isSold: Bool?

  /// Makes an entry that only lists the identifier.
  public init(productID: String) {
    self.productID = productID
  }
}

/// One catalogue file.
public struct CatalogueDocument: Sendable {
  /// The file formats of a catalogue.
  public enum Form: Sendable, CaseIterable {
    /// A property list: an array of identifiers.
    case propertyList
    /// A property list: an array of dictionaries.
    case dictionaries
    /// JSON, version 1: an array of identifiers.
    case version1
    /// JSON: an object of products with ids.
    case ids
    /// JSON, version 2: an object of products.
    case version2
    /// A StoreKit configuration of Xcode.
    case storeKit
    /// The answer of the App Store Connect API with all products except auto-renewable
    /// subscriptions.
    case purchases
    /// The answer of the App Store Connect API with the subscriptions of a group.
    case subscriptions
    /// The answer of the App Store Connect API with groups and their subscriptions.
    case groups
    /// An App Store package.
    case package
  }

  /// The format, which limits what the file can contain.
  public var form: Form
  /// The products.
  public var entries: [CatalogueEntry]
  /// Whether more pages follow; only for an answer of the API.
  public var isPart = false
  /// The storefront in the settings; only for a StoreKit configuration.
  public var storefront: String?
  /// Whether Xcode synchronized it with App Store Connect; only for a StoreKit configuration.
  public var isSynchronized = true

  /// Makes a catalogue.
  public init(form: Form, entries: [CatalogueEntry]) {
    self.form = form
    self.entries = entries
  }
}
