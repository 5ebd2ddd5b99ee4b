/// The columns of what somebody acknowledges, by the names that the documentation gives them.
enum AcknowledgementColumn: String, CaseIterable {
  /// The finding's name, or as much of its beginning as no other has.
  case finding
  /// The last day on which it holds; none: until the finding resolves.
  case until
  /// Why it need not ring.
  case because
  /// Who says so.
  case by
}

extension AcknowledgementColumn: RecordColumn {
  static let names = NameTable(allCases.map { ($0.rawValue, $0.place) })

  static var hint: String { "Add them; only until may be left out." }

  static func names(in file: FileContext) -> NameTable { names }

  var isRequired: Bool { self != .until }

  @inline(__always)
  var place: Int {
    switch self {
    case .finding: return 0
    case .until: return 1
    case .because: return 2
    case .by: return 3
    }
  }
}
