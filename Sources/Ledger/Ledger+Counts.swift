extension Ledger {
  /// The counts of the files' records by section and measure, for the control totals.
  package struct Counts: Sendable, Equatable {
    var values: [Section: [Measure: Int64]] = [:]

    /// Creates counts that are all 0.
    package init() {}

    /// The count of a measure in a section; 0 if it was never set.
    package subscript(section: Section, measure: Measure) -> Int64 {
      get { values[section]?[measure] ?? 0 }
      set { values[section, default: [:]][measure] = newValue }
    }

    /// The number of records of all kinds that could not be used.
    package var rejected: Int64 { Section.allCases.reduce(0) { $0 + self[$1, .rejected] } }
    /// The number of records of all kinds.
    package var read: Int64 { Section.allCases.reduce(0) { $0 + self[$1, .read] } }
  }

  /// The kinds of record, by the names of their sections in `control_totals.csv`.
  package enum Section: String, CaseIterable, Sendable {
    case files, documents, transactions, deliveries
    case catalogueEntries = "catalogue_entries"
    case clientRecords = "client_records"
    case appleRows = "apple_rows"

    /// The kind of its rejections in the tables; nil if a rejection is always a whole file.
    var rejectionKind: String? {
      switch self {
      case .files: "file"
      case .documents: "receipt"
      case .transactions: "transaction"
      case .deliveries: "delivery"
      case .catalogueEntries: "catalogue"
      case .clientRecords: "client"
      case .appleRows: nil
      }
    }
  }

  /// What is counted of each kind of record: read = new + already known + rejected.
  package enum Measure: String, CaseIterable, Sendable {
    case read, new
    case alreadyKnown = "already_known"
    case rejected
  }
}
