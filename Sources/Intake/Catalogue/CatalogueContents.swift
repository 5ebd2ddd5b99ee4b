/// What one catalogue file holds.
struct CatalogueContents {
  /// The most entries of one catalogue; the App Store allows an app ten thousand products.
  static let entryLimit = 100_000

  /// Who knows what the file says.
  enum Source {
    /// The company itself: what is for sale, and how it is delivered.
    case company
    /// The app: the identifiers that it asks the App Store for.
    case app
    /// The App Store: the products that were set up there.
    case store
  }

  /// One entry, or why it cannot be used.
  enum Item {
    case entry(CatalogueEntry)
    case rejected(RecordProblem, raw: [UInt8])
  }

  let source: Source
  /// The entries in their order.
  private(set) var items: [Item] = []
  /// The kinds of product of which a list of the store names every one.
  private var covered: [ProductType] = []
  private var isWhole = true

  init(_ source: Source) {
    self.source = source
  }

  /// Says that the file lists all products of some kinds.
  mutating func cover(_ kinds: [ProductType]) {
    covered += kinds
  }

  /// The kinds of product among the entries.
  var types: [ProductType] {
    let named = Set(
      items.flatMap { item -> [String] in
        guard case .entry(let entry) = item else { return [] }
        return entry.statements.filter { $0.member == .type }.map(\.value)
      })
    return ProductType.allCases.filter { named.contains($0.rawValue) }
  }

  /// The kinds of which this names every product: none if an entry could not be used.
  var kinds: [ProductType] {
    isWhole ? ProductType.allCases.filter(covered.contains) : []
  }

  /// Takes the next entry, or its rejection; `raw` gives at most what may be kept of it.
  mutating func add(
    raw: @autoclosure () -> [UInt8], _ entry: () throws(RecordProblem) -> CatalogueEntry
  ) throws(RecordProblem) {
    guard items.count < Self.entryLimit else {
      throw RecordProblem(
        .tooLarge, "The catalogue has more than \(Self.entryLimit) entries; split it.")
    }
    do throws(RecordProblem) {
      var entry = try entry()
      switch source {
      case .company: break
      case .app: entry.add(.offeredByApp, "")
      case .store: entry.add(.knownToStore, "")
      }
      items.append(.entry(entry))
    } catch {
      isWhole = false
      items.append(.rejected(error, raw: raw()))
    }
  }
}
