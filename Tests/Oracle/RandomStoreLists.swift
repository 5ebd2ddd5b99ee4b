extension NightBuilder {
  /// Draws the lists of the App Store, which nearly agree with the other catalogues.
  mutating func drawStoreLists() {
    let isOnlyOneTime = random.chance(40)
    if random.chance(25) { catalogues.append(storeKit()) }
    if random.chance(25) { catalogues.append(package()) }
    if random.chance(75) {
      var list = storeList(.purchases) { $0.isSubscription ? nil : $0.type }
      list.isPart = random.chance(15)
      catalogues.append(list)
    }
    if !isOnlyOneTime {
      var list = storeList(random.pick(.subscriptions, .groups)) {
        $0.isSubscription ? $0.type : nil
      }
      list.isPart = random.chance(15)
      catalogues.append(list)
    }
  }

  private mutating func storeKit() -> CatalogueDocument {
    var list = storeList(.storeKit) { $0.type }
    list.isSynchronized = random.chance(70)
    list.storefront = random.pick(nil, "USA", "USA", "DEU", "JPN", "BMU")
    let currency = ["USA": "USD", "DEU": "EUR"][list.storefront ?? "", default: "JPY"]
    for index in list.entries.indices where random.chance(30) {
      list.entries[index].prices = [
        CatalogueEntry.Price(
          currency: currency, storefront: list.storefront, price: drawAmount(in: currency),
          validFrom: nil)
      ]
    }
    return list
  }

  private mutating func package() -> CatalogueDocument {
    var list = storeList(.package) { $0.type }
    let midnight = asOf - asOf % 86400
    for index in list.entries.indices {
      if random.chance(10) {
        list.entries[index].validFrom = day(midnight - random.number(-2...60) * 86400)
      }
      if random.chance(10) {
        list.entries[index].validTo = day(midnight - random.number(-5...60) * 86400)
      }
    }
    return list
  }

  private mutating func day(_ seconds: Int) -> Instant {
    boundaries.append(seconds)
    return Instant(seconds: seconds)
  }

  /// A list of most products for which `type` gives a type, and sometimes of an identifier that no
  /// other list contains.
  private mutating func storeList(
    _ form: CatalogueDocument.Form, _ type: (StockProduct) -> String?
  ) -> CatalogueDocument {
    var entries: [CatalogueEntry] = []
    for product in stock where !product.isUnlisted {
      guard let type = type(product), random.chance(88) else { continue }
      entries.append(entry(product.id, type))
    }
    let kind = type(StockProduct(id: "", type: "auto_renewable")) ?? "consumable"
    if random.chance(40) { entries.append(entry(random.pick("store.only", "store.\u{E9}"), kind)) }
    return CatalogueDocument(form: form, entries: entries.shuffled(using: &random))
  }

  private mutating func entry(_ id: String, _ type: String) -> CatalogueEntry {
    var entry = CatalogueEntry(productID: id)
    let isOneTime = type != "auto_renewable"
    entry.type =
      random.chance(90) ? type : isOneTime ? random.pick(nil, "consumable", "non_consumable") : type
    entry.isSold = random.weighted([(75, true), (15, false), (10, nil)], else: nil)
    return entry
  }
}
