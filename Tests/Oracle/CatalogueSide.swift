/// The origin of a catalogue, and the content that its format can have.
extension CatalogueDocument {
  enum Side {
    case app, store, company
  }

  var side: Side {
    switch form {
    case .propertyList, .dictionaries, .version1, .ids: .app
    case .version2: .company
    case .storeKit: isSynchronized ? .store : .app
    case .purchases, .subscriptions, .groups, .package: .store
    }
  }

  /// The types for which this document names every product.
  var coveredTypes: Set<String> {
    if isPart { return [] }
    switch form {
    case .propertyList, .dictionaries, .version1, .ids, .version2: return []
    case .storeKit:
      return isSynchronized
        ? ["consumable", "non_consumable", "non_renewing", "auto_renewable"] : []
    case .package: return Set(entries.compactMap(\.type))
    case .purchases: return ["consumable", "non_consumable", "non_renewing"]
    case .subscriptions, .groups: return ["auto_renewable"]
    }
  }

  /// The entries, reduced to the content that the format can have.
  var saidEntries: [CatalogueEntry] {
    entries.map { entry in
      if form == .version2 {
        var said = entry
        said.isSold = nil
        return said
      }
      var said = CatalogueEntry(productID: entry.productID)
      if form == .storeKit { said.type = entry.type }
      guard side == .store else { return said }
      said.isSold = form == .storeKit ? true : entry.isSold
      said.type = form == .subscriptions || form == .groups ? "auto_renewable" : entry.type
      if form == .package {
        said.validFrom = entry.validFrom
        said.validTo = entry.validTo
      }
      if form == .storeKit, let storefront, var price = entry.prices.first {
        price.storefront = storefront
        price.currency = ["USA": "USD", "DEU": "EUR", "JPN": "JPY"][storefront, default: ""]
        price.validFrom = nil
        said.prices = price.currency.isEmpty ? [] : [price]
      }
      return said
    }
  }
}

extension Ledger {
  func catalogueDisagreements() -> [Finding] {
    func finding(_ level: String, _ product: ByteText, _ reason: String) -> Finding {
      Finding("catalogue_disagreement", level, nil, product.text + " " + reason, reason: reason)
    }
    let unknown = catalogue.offeredByApp.subtracting(catalogue.knownToStore).filter { product in
      guard let type = catalogue.products[product]?.type else {
        return catalogue.coveredTypes.count == 4
      }
      return catalogue.coveredTypes.contains(type)
    }
    let missing = catalogue.products.filter { product, said in
      said.isSold && !catalogue.offeredByApp.isEmpty && !catalogue.offeredByApp.contains(product)
        && (said.validFrom ?? .min) <= asOf && (said.validTo ?? .max) > asOf
    }
    return unknown.map { finding("warning", $0, "unknown_to_store") }
      + missing.keys.map { finding("info", $0, "not_offered_by_app") }
  }
}
