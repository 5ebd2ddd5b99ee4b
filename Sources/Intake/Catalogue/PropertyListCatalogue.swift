/// A property list that holds product identifiers: strings, or dictionaries with
/// `productIdentifier`.
///
/// Such a list ships with an app, or the app fetches it. It names the products that the app offers.
enum PropertyListCatalogue {
  /// The key of a dictionary's identifier.
  static let key = "productIdentifier"

  /// Reads the entries of a binary property list.
  static func contents(ofBinary bytes: Bytes) throws(RecordProblem) -> CatalogueContents {
    var list = try BinaryPropertyList(bytes)
    var contents = CatalogueContents(.app)
    for object in try list.topArray(atMost: CatalogueContents.entryLimit) {
      let text = try list.text(of: object, orIn: key)
      try contents.add(raw: text ?? []) { () throws(RecordProblem) in try entry(text) }
    }
    return contents
  }

  /// Makes an entry from its identifier; throws if there is none.
  static func entry(_ text: [UInt8]?) throws(RecordProblem) -> CatalogueEntry {
    guard let text else {
      throw RecordProblem(
        .badIdentifier,
        "An entry of the list is neither a string nor a dictionary with productIdentifier.")
    }
    return try text.withBytes { bytes throws(RecordProblem) in
      try CatalogueEntry(productID: bytes)
    }
  }
}

extension RecordProblem {
  /// A property list whose outermost value is a dictionary.
  static var propertyListIsDictionary: RecordProblem {
    RecordProblem(
      .unknownFormat,
      "The property list is a dictionary, and not an array of product identifiers; save the array in it, if there "
        + "is one, as a property list of its own.")
  }

  /// A property list that cannot be read as an array of product identifiers.
  static var noListOfIdentifiers: RecordProblem {
    RecordProblem(
      .malformedPropertyList,
      "The property list cannot be read as an array of product identifiers; check it with plutil.")
  }
}

extension [UInt8] {
  /// Passes the bytes, without a copy, to a closure that may throw.
  func withBytes<Result>(
    _ body: (Bytes) throws(RecordProblem) -> Result
  ) throws(RecordProblem) -> Result {
    let result = withUnsafeBufferPointer { bytes -> Swift.Result<Result, RecordProblem> in
      do throws(RecordProblem) {
        return .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
