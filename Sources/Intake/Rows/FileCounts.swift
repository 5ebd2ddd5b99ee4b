/// The numbers of records that were read from one file, used and rejected.
///
/// For each kind of record: read = rows + repeats + rejected.
public struct FileCounts: Sendable, Equatable {
  /// The number of records that were read, and the number of them that were rejected.
  public struct Tally: Sendable, Equatable {
    /// All records that were found.
    public var read: Int64 = 0
    /// The records that could not be used.
    public var rejected: Int64 = 0

    /// Makes a tally of zeros.
    package init() {}

    static func += (tally: inout Tally, other: Tally) {
      tally.read += other.read
      tally.rejected += other.rejected
    }
  }

  /// Receipt documents.
  public var documents = Tally()
  /// Entries of usable documents.
  public var transactions = Tally()
  /// Delivery records.
  public var deliveries = Tally()
  /// Entries of catalogues.
  public var catalogueEntries = Tally()
  /// Records that apps reported.
  public var clientRecords = Tally()
  /// Acknowledgements of findings.
  public var acknowledgements = Tally()
  /// Rows of Apple's reports.
  public var appleRows = Tally()
  /// Transaction entries that were dropped because their document already contained the same facts.
  public var repeats: Int64 = 0
  /// Whether the file as a whole, or its rest, could not be used.
  public var fileRejected = false

  /// The kinds of records, by their names in `control_totals.csv`.
  package static let kinds: [(name: String, tally: any WritableKeyPath<Self, Tally> & Sendable)] = [
    ("documents", \FileCounts.documents),
    ("transactions", \FileCounts.transactions),
    ("deliveries", \FileCounts.deliveries),
    ("catalogue_entries", \FileCounts.catalogueEntries),
    ("client_records", \FileCounts.clientRecords),
    ("acknowledgements", \FileCounts.acknowledgements),
    ("apple_rows", \FileCounts.appleRows),
  ]

  /// The number of records in the file; of receipts, the number of documents.
  package var records: Int64 { all.read - transactions.read }

  /// The number of these records that were not rejected.
  package var used: Int64 { records - (all.rejected - transactions.rejected) }

  private var all: Tally {
    Self.kinds.reduce(into: Tally()) { $0 += self[keyPath: $1.tally] }
  }

  /// The line of the last record, if it has no line end and was used anyway; not for receipts.
  package var openLine: Int64?

  /// Whether `trust: signed` left out facts in answers beside the receipts that they enclose.
  package var leavesOutUnsigned = false

  /// Makes counts of zeros.
  public init() {}

  /// Adds the counts of another part of the same file.
  package static func += (counts: inout FileCounts, other: FileCounts) {
    for (_, tally) in kinds { counts[keyPath: tally] += other[keyPath: tally] }
    counts.repeats += other.repeats
    counts.fileRejected = counts.fileRejected || other.fileRejected
    counts.openLine = counts.openLine ?? other.openLine
    counts.leavesOutUnsigned = counts.leavesOutUnsigned || other.leavesOutUnsigned
  }
}
