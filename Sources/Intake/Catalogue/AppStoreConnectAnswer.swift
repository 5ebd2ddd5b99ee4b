import ExactText

/// An answer of the App Store Connect API that lists products: the in-app purchases of an app
/// (`inAppPurchasesV2`), the subscriptions of a group, or the groups with their subscriptions
/// included.
///
/// In this API, in-app purchases are all products except auto-renewable subscriptions. An answer
/// with a next page, an answer to a request with a filter, and an answer about a single product
/// give facts about the products that they name only. The last page counts as a complete answer.
struct AppStoreConnectAnswer {
  /// The kind of resource that the answer lists, as the API calls it.
  private enum Resource: String {
    case inAppPurchases, subscriptions, subscriptionGroups
  }

  private let root: JSONValue
  private let resource: Resource
  /// The member `data`: an array of resources, or one resource.
  private let data: JSONValue

  /// Nil if the object is not such an answer.
  init?(_ root: JSONValue) {
    guard let data = root.member("data"), data.isArray || data.isObject else { return nil }
    self.root = root
    self.data = data
    // An array of anything can have millions of elements, so they are not collected.
    var resources: Set<Resource?> = []
    func note(_ value: JSONValue) {
      resources.insert(Resource(rawValue: value.member("type")?.string?.string ?? ""))
    }
    if data.isArray { data.forEachElement(note) } else { note(data) }
    if resources.isEmpty, let asked = Self.resource(asked: Self.address(root)) {
      resource = asked
    } else if resources.count == 1, let resource = resources.first.flatMap({ $0 }) {
      self.resource = resource
    } else {
      return nil
    }
  }

  func contents(_ texts: TextArena) throws(RecordProblem) -> CatalogueContents {
    var contents = CatalogueContents(.store)
    let products = try products(&contents)
    if isWhole(products) {
      contents.cover(resource == .inAppPurchases ? ProductType.oneTime : [.autoRenewable])
    }
    for product in products {
      try contents.add(raw: JSONText(product).bytes) { () throws(RecordProblem) in
        try entry(product, texts)
      }
    }
    return contents
  }

  private func products(
    _ contents: inout CatalogueContents
  ) throws(RecordProblem) -> [JSONValue] {
    if resource == .subscriptionGroups { return try includedSubscriptions(&contents) }
    guard data.isArray else { return [data] }
    return try contents.elements("data", of: root) ?? []
  }

  private func entry(
    _ product: JSONValue, _ texts: TextArena
  ) throws(RecordProblem) -> CatalogueEntry {
    let attributes = product.member("attributes")
    var entry = try CatalogueEntry(
      value: attributes?.present("productId"), named: "productId", texts)
    if resource != .inAppPurchases {
      entry.add(.type, ProductType.autoRenewable.rawValue)
    } else if let type = try ProductType.read(attributes?.present("inAppPurchaseType")) {
      entry.add(.type, type.rawValue)
    }
    // Apple can add states, so only `APPROVED` means that a product can be bought.
    if let state = attributes?.present("state") {
      entry.add(isForSale: state.string?.equals("APPROVED") == true)
    }
    return entry
  }

  /// The subscriptions among the included resources; a value that is no resource is rejected like
  /// a subscription without members.
  private func includedSubscriptions(
    _ contents: inout CatalogueContents
  ) throws(RecordProblem) -> [JSONValue] {
    let included = try contents.elements("included", of: root) ?? []
    return included.filter {
      !$0.isObject || $0.member("type")?.string?.equals("subscriptions") == true
    }
  }

  /// Whether the answer names every product of its kinds.
  private func isWhole(_ products: [JSONValue]) -> Bool {
    guard data.isArray, !hasNext, !hasFilter else { return false }
    guard resource == .subscriptionGroups else { return true }
    // Subscriptions are missing if a group has no list or if its list was cut.
    var expected: Int? = 0
    data.forEachElement { group in
      guard let before = expected,
        let list = group.member("relationships")?.member("subscriptions"),
        let named = list.member("data"), named.isArray
      else {
        expected = nil
        return
      }
      let total = list.member("meta")?.member("paging")?.member("total")?.integer ?? 0
      let (sum, overflows) = before.addingReportingOverflow(
        max(Int(clamping: total), named.elementCount))
      expected = overflows ? nil : sum
    }
    return expected == products.count
  }

  private var hasNext: Bool {
    root.member("links")?.member("next")?.string?.isEmpty == false
  }

  private var hasFilter: Bool {
    let address = Self.address(root).lowercased()
    return address.contains("filter[") || address.contains("filter%5b")
  }

  /// The address of the request, or an empty text if the answer does not contain it.
  private static func address(_ root: JSONValue) -> String {
    root.member("links")?.member("self")?.string?.string ?? ""
  }

  private static func resource(asked address: String) -> Resource? {
    let path = address.prefix { $0 != "?" }
    let name = path.parts(between: "/").last ?? ""
    return name == "inAppPurchasesV2" ? .inAppPurchases : Resource(rawValue: name)
  }
}
