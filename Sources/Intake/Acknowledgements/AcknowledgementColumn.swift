/// The columns of an acknowledgement, by the names that the documentation gives them.
enum AcknowledgementColumn: String, CaseIterable {
  /// The finding's name, or a beginning of it that no other finding's name has.
  case finding
  /// The last day of the acknowledgement; if it is missing, the acknowledgement ends when the
  /// finding resolves.
  case until
  /// The reason why the finding does not have to alert.
  case because
  /// The person who acknowledged the finding.
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
