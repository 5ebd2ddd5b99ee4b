/// The contents of one catalogue file.
struct CatalogueContents {
  /// The maximum number of entries of one catalogue; the App Store allows an app ten thousand
  /// products.
  static let entryLimit = 100_000

  /// The maximum number of bytes of the facts of one catalogue; each repeats the identifier of its
  /// product.
  static let factLimit = 128 << 20

  /// The system that the facts in the file come from.
  enum Source {
    /// The company itself: what is for sale, and how it is delivered.
    case company
    /// The app: the identifiers that it asks the App Store for.
    case app
    /// The App Store: the products that were set up there.
    case store
  }

  /// One entry, or the reason why it cannot be used.
  enum Item {
    case entry(CatalogueEntry)
    case rejected(RecordProblem, raw: [UInt8])
  }

  let source: Source
  /// The entries in the order of the file.
  private(set) var items: [Item] = []
  /// The kinds of product for which the file lists every product.
  private var covered: [ProductType] = []
  private var isWhole = true
  private var factBytes = 0

  init(_ source: Source) {
    self.source = source
  }

  /// Notes that the file lists all products of some kinds.
  mutating func cover(_ kinds: [ProductType]) {
    covered += kinds
  }

  /// The kinds of product among the entries.
  var types: [ProductType] {
    let named = Set(
      items.flatMap { item -> [String] in
        guard case .entry(let entry) = item else { return [] }
        return entry.facts.filter { $0.member == .type }.map(\.value)
      })
    return ProductType.allCases.filter { named.contains($0.rawValue) }
  }

  /// The kinds for which the file lists every product; none if an entry could not be used.
  var kinds: [ProductType] {
    isWhole ? ProductType.allCases.filter(covered.contains) : []
  }

  /// The elements of a member; none if the member is missing or null.
  ///
  /// A member that is not an array becomes a rejection, and the result is nil. An array with more
  /// elements than a catalogue may have entries is an error before it takes memory.
  mutating func elements(
    _ name: StaticString, of value: JSONValue
  ) throws(RecordProblem) -> [JSONValue]? {
    guard let list = value.present(name) else { return [] }
    if list.isArray {
      guard list.elementCount <= Self.entryLimit else { throw .tooManyEntries }
      return list.elements
    }
    try add(raw: JSONText(list).bytes) { () throws(RecordProblem) in throw .notAnArray(name) }
    return nil
  }

  /// Adds the next entry, or its rejection; `raw` gives the bytes that the rejection may keep.
  mutating func add(
    raw: @autoclosure () -> [UInt8], _ entry: () throws(RecordProblem) -> CatalogueEntry
  ) throws(RecordProblem) {
    guard items.count < Self.entryLimit else { throw .tooManyEntries }
    do throws(RecordProblem) {
      var entry = try entry()
      switch source {
      case .company: break
      case .app: entry.add(.offeredByApp, "")
      case .store: entry.add(.knownToStore, "")
      }
      factBytes += entry.facts.count * (entry.productID.utf8.count + 64)
      if factBytes <= Self.factLimit { items.append(.entry(entry)) }
    } catch {
      isWhole = false
      items.append(.rejected(error, raw: raw()))
    }
    guard factBytes <= Self.factLimit else {
      throw RecordProblem(
        .tooLarge,
        "The prices and other facts of the catalogue take more than \(Self.factLimit >> 20) MB, because each has "
          + "the identifier of its product; split it.")
    }
  }
}

extension RecordProblem {
  fileprivate static let tooManyEntries = RecordProblem(
    .tooLarge, "The catalogue has more than \(CatalogueContents.entryLimit) entries; split it.")

  fileprivate static func notAnArray(_ name: StaticString) -> RecordProblem {
    RecordProblem(.unknownValue, "\(name) is not an array; write one even for a single value.")
  }
}
