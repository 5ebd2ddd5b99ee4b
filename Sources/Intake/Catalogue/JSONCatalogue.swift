extension RecordParser {
  /// Reads a catalogue written as JSON; its members show its form.
  func jsonCatalogue(
    _ root: JSONValue, in file: FileContext
  ) throws(RecordProblem) -> CatalogueContents {
    if root.isArray {
      // A record among identifiers is a bad entry. A list without identifiers that begins with a
      // record is in the wrong folder.
      if !namesAny(root), root.elementCount > 0 {
        try requireNoRecord(root.value(at: root.index + 1), in: file)
      }
      return try appList(root)
    }
    try requireNoRecord(root, in: file)
    if StoreKitConfiguration.isOne(root) {
      return try StoreKitConfiguration(root).contents(entryTexts)
    }
    if let answer = AppStoreConnectAnswer(root) { return try answer.contents(entryTexts) }
    guard let products = root.member("products"), products.isArray else {
      throw RecordProblem(
        .unknownFormat,
        "This JSON is not a catalogue: neither an array of product identifiers, nor an object with "
          + "products, nor a StoreKit configuration, nor an answer of the App Store Connect API that "
          + "lists in-app purchases or subscriptions.")
    }
    if let catalogue = UnityCatalogue(root) { return try catalogue.contents(entryTexts) }
    let version = root.present("version")
    let isFirst = version?.integer == 1 && products.elementCount > 0
    if version == nil || isFirst, isListOfIDs(products) { return try appList(products) }
    guard version?.integer == 2 else {
      throw RecordProblem(
        .unknownVersion,
        "The catalogue has no \"version\": 2, the only known version with product_id; add it if that "
          + "is its form.")
    }
    return try versionTwo(products)
  }

  private func versionTwo(_ products: JSONValue) throws(RecordProblem) -> CatalogueContents {
    var contents = CatalogueContents(.company)
    try products.forEachElement { value throws(RecordProblem) in
      try contents.add(raw: JSONText(value).bytes) { () throws(RecordProblem) in
        try CatalogueEntry(version2: value, entryTexts)
      }
    }
    return contents
  }

  /// Reads a list of identifiers only, as texts or as objects with an `id`; an app fetches such
  /// lists from its server.
  private func appList(_ list: JSONValue) throws(RecordProblem) -> CatalogueContents {
    var contents = CatalogueContents(.app)
    try list.forEachElement { value throws(RecordProblem) in
      try contents.add(raw: JSONText(value).bytes) { () throws(RecordProblem) in
        if let text = value.string { return try CatalogueEntry(productID: text) }
        guard value.isObject, let id = value.present("id") else {
          throw RecordProblem(
            .badIdentifier,
            "An entry of the list is neither a text nor an object with an id; a plain list holds "
              + "product identifiers.")
        }
        return try CatalogueEntry(value: id, named: "id", entryTexts)
      }
    }
    return contents
  }

  /// Whether a list is empty or contains identifiers, but no entry of version 2 (`product_id`).
  ///
  /// Such a list needs no version.
  private func isListOfIDs(_ products: JSONValue) -> Bool {
    var hasID = products.elementCount == 0
    var hasProductID = false
    products.forEachElement { value in
      hasID = hasID || value.string != nil || value.member("id") != nil
      hasProductID = hasProductID || value.member("product_id") != nil
    }
    return hasID && !hasProductID
  }

  private func namesAny(_ list: JSONValue) -> Bool {
    var namesAny = false
    list.forEachElement { namesAny = namesAny || $0.string != nil || $0.member("id") != nil }
    return namesAny
  }

  private func requireNoRecord(_ value: JSONValue, in file: FileContext) throws(RecordProblem) {
    let probe = FormatProbe(file: file, parser: json)
    let kind = value.isObject ? probe.kind(of: value) : .unknown
    guard kind == .receipt || kind == .delivery else { return }
    if case .unusable(let problem) = probe.misplaced(kind) { throw problem }
  }
}

extension CatalogueEntry {
  /// Makes an entry from the member of a JSON object that contains the identifier.
  init(
    value: JSONValue?, named name: StaticString, _ texts: TextArena
  ) throws(RecordProblem) {
    texts.begin()
    guard
      let text = try JSONField.text(value, name.description, or: .badIdentifier, texts)
    else { throw .missing(name.description) }
    guard FieldText.isProductIdentifier(text) else { throw .badName(name.description) }
    try self.init(productID: text)
  }
}
