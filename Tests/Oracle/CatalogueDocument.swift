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

  /// Makes an entry that only lists the identifier.
  public init(productID: String) {
    self.productID = productID
  }
}

/// One catalogue file.
public struct CatalogueDocument: Sendable {
  /// The forms that a catalogue takes.
  public enum Form: Sendable {
    /// A property list: an array of identifiers.
    case propertyList
    /// JSON, version 1: an array of identifiers.
    case version1
    /// JSON, version 2: an object of products.
    case version2
  }

  /// The form; only version 2 says more than identifiers.
  public var form: Form
  /// The products.
  public var entries: [CatalogueEntry]

  /// Makes a catalogue.
  public init(form: Form, entries: [CatalogueEntry]) {
    self.form = form
    self.entries = entries
  }

  /// The whole file.
  public var text: String {
    switch form {
    case .propertyList: propertyList
    case .version1: JSONText.array(entries.map { .string($0.productID) }).text + "\n"
    case .version2:
      JSONText.object([("version", .bare("2")), ("products", .array(entries.map(\.json)))]).text
        + "\n"
    }
  }

  private var propertyList: String {
    let items = entries.map { entry in
      let escaped = entry.productID.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return "  <string>\(escaped)</string>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <array>

      """ + items.joined() + "</array>\n</plist>\n"
  }
}

extension CatalogueEntry {
  fileprivate var json: JSONText {
    let texts: [(String, String?)] = [
      ("product_id", productID), ("type", type), ("delivery", delivery),
      ("delivery_per", deliveryPer), ("valid_from", validFrom?.rfc3339),
      ("valid_to", validTo?.rfc3339),
    ]
    var members = texts.compactMap { name, value in
      value.map { (name: name, value: JSONText.string($0)) }
    }
    if let graceHours { members.append(("grace_hours", .bare(String(graceHours)))) }
    if !prices.isEmpty { members.append(("prices", .array(prices.map(\.json)))) }
    return .object(members)
  }
}

extension CatalogueEntry.Price {
  fileprivate var json: JSONText {
    let members: [(String, String?)] = [
      ("currency", currency), ("storefront", storefront), ("price", price),
      ("valid_from", validFrom?.rfc3339),
    ]
    return .object(
      members.compactMap { name, value in value.map { (name: name, value: .string($0)) } })
  }
}
