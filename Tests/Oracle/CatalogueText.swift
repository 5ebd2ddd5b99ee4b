extension CatalogueDocument {
  /// The whole file.
  public var text: String {
    switch form {
    case .propertyList: propertyList { "<string>\($0)</string>" }
    case .dictionaries:
      propertyList {
        "<dict><key>hosted</key><true/><key>productIdentifier</key><string>\($0)</string></dict>"
      }
    case .version1: JSONText.array(entries.map { .string($0.productID) }).text + "\n"
    case .ids:
      JSONText.object([
        ("products", .array(entries.map { .object([("id", .string($0.productID))]) }))
      ]).text
    case .version2:
      JSONText.object([("version", .bare("2")), ("products", .array(entries.map(\.json)))]).text
        + "\n"
    case .storeKit: storeKit.spread() + "\n"
    case .purchases, .subscriptions, .groups: answer.text
    case .package: package
    }
  }

  private func propertyList(_ item: (String) -> String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <array>

    """ + entries.map { "  " + item(escaped($0.productID)) + "\n" }.joined()
      + "</array>\n</plist>\n"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  private var storeKit: JSONText {
    func products(_ types: [String?]) -> JSONText {
      .array(
        entries.filter { types.contains($0.type) }.map { entry in
          let words = [
            "consumable": "Consumable", "non_consumable": "NonConsumable",
            "non_renewing": "NonRenewingSubscription", "auto_renewable": "RecurringSubscription",
          ]
          var members: [(name: String, value: JSONText)] = []
          if let price = entry.prices.first {
            members.append(("displayPrice", .string(price.price)))
          }
          members.append(("productID", .string(entry.productID)))
          if let word = entry.type.flatMap({ words[$0] }) {
            members.append(("type", .string(word)))
          }
          return .object(members)
        })
    }
    let group = JSONText.object([
      ("id", .string("1")), ("subscriptions", products(["auto_renewable"])),
    ])
    var settings: [(name: String, value: JSONText)] = []
    if isSynchronized { settings.append(("_lastSynchronizedDate", .bare("743722291.470198"))) }
    if let storefront { settings.append(("_storefront", .string(storefront))) }
    return .object([
      ("nonRenewingSubscriptions", products(["non_renewing"])),
      ("products", products(["consumable", "non_consumable", nil])),
      ("settings", .object(settings)),
      ("subscriptionGroups", .array([group])),
      ("version", .object([("major", .bare("3")), ("minor", .bare("0"))])),
    ])
  }

  private var answer: JSONText {
    let resource = form == .purchases ? "inAppPurchases" : "subscriptions"
    let products = entries.map { entry in
      var attributes: [(name: String, value: JSONText)] = [("productId", .string(entry.productID))]
      if form == .purchases, let type = entry.type {
        let word = type == "non_renewing" ? "NON_RENEWING_SUBSCRIPTION" : type.uppercased()
        attributes.append(("inAppPurchaseType", .string(word)))
      }
      if let isSold = entry.isSold {
        attributes.append(("state", .string(isSold ? "APPROVED" : "DEVELOPER_REMOVED_FROM_SALE")))
      }
      return JSONText.object([
        ("type", .string(resource)), ("id", .string("1")), ("attributes", .object(attributes)),
      ])
    }
    let path = [
      .purchases: "apps/1/inAppPurchasesV2", .subscriptions: "subscriptionGroups/1/subscriptions",
      .groups: "apps/1/subscriptionGroups",
    ][form, default: ""]
    let address = "https://api.appstoreconnect.apple.com/v1/" + path
    var links: [(name: String, value: JSONText)] = [("self", .string(address))]
    if isPart { links.append(("next", .string(address + "?cursor=Ag"))) }
    guard form == .groups else {
      return .object([("data", .array(products)), ("links", .object(links))])
    }
    let named = entries.map { _ in
      JSONText.object([("type", .string("subscriptions")), ("id", .string("1"))])
    }
    let group = JSONText.object([
      ("type", .string("subscriptionGroups")), ("id", .string("1")),
      (
        "relationships",
        .object([("subscriptions", .object([("data", .array(named))]))])
      ),
    ])
    return .object([
      ("data", .array([group])), ("included", .array(products)), ("links", .object(links)),
    ])
  }

  private var package: String {
    let purchases = entries.map { entry in
      let words = [
        "consumable": "consumable", "non_consumable": "non-consumable",
        "non_renewing": "subscription", "auto_renewable": "auto-renewable",
      ]
      let type = entry.type.flatMap { words[$0] }.map { "<type>\($0)</type>" } ?? ""
      let sold = entry.isSold.map { "<cleared_for_sale>\($0)</cleared_for_sale>" } ?? ""
      let start = entry.validFrom.map { "<start_date>\(day($0))</start_date>" } ?? ""
      let end = entry.validTo.map { "<end_date>\(day($0))</end_date>" } ?? ""
      return
        "<in_app_purchase><product_id>\(escaped(entry.productID))</product_id>\(type)<products>"
        + "<product>\(sold)<intervals><interval>\(start)\(end)</interval></intervals></product>"
        + "</products></in_app_purchase>\n"
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package "
      + "xmlns=\"http://apple.com/itunes/importer\" version=\"software5.11\"><software>"
      + "<software_metadata><in_app_purchases>\n\(purchases.joined())</in_app_purchases>"
      + "</software_metadata></software></package>\n"
  }

  private func day(_ instant: Instant) -> String {
    String(instant.rfc3339.prefix(10))
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
