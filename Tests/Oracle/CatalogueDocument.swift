/// What a catalogue says of one product.
public struct CatalogueEntry: Sendable {
  /// One price, and where and from when it holds.
  public struct Price: Sendable {
    /// The currency.
    public var currency: String
    /// Where it holds; everywhere else if missing.
    public var storefront: String?
    /// The amount as it is written.
    public var price: String
    /// From when it holds; always if missing.
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
  /// How long a delivery may take.
  public var graceHours: Int?
  /// From when it is for sale.
  public var validFrom: Instant?
  /// Until when it is for sale.
  public var validTo: Instant?
  /// What it costs.
  public var prices: [Price] = []
  /// Whether the App Store sells it, where a list of the store says so.
  public var isSold: Bool?

  /// Makes an entry that only lists the identifier.
  public init(productID: String) {
    self.productID = productID
  }
}

/// One catalogue file.
public struct CatalogueDocument: Sendable {
  /// The forms that a catalogue takes.
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
    /// A StoreKit configuration of Xcode's.
    case storeKit
    /// The answer of the App Store Connect API about all but auto-renewables.
    case purchases
    /// Its answer about the subscriptions of a group.
    case subscriptions
    /// Its answer about groups, with their subscriptions.
    case groups
    /// A package of the App Store.
    case package
  }

  /// The form; it limits what is said.
  public var form: Form
  /// The products.
  public var entries: [CatalogueEntry]
  /// Of an answer: whether more pages follow.
  public var isPart = false
  /// Of a StoreKit configuration: the storefront in its settings.
  public var storefront: String?
  /// Of a StoreKit configuration: whether Xcode took it from App Store Connect.
  public var isSynchronized = true

  /// Makes a catalogue.
  public init(form: Form, entries: [CatalogueEntry]) {
    self.form = form
    self.entries = entries
  }
}
