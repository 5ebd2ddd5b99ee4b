public import CopyFormat

/// Rows for the staging tables, and the counts that must agree with them.
public struct StagedRows: Sendable {
  /// One row for each receipt document that is usable or from the wrong environment.
  public var documents = CopyBuffer()
  /// One row for each different set of facts about a transaction in a document.
  ///
  /// There are two rows if the youngest evidence of the facts counts as well as the oldest.
  public var evidence = CopyBuffer()
  /// One row for each delivery record.
  public var deliveries = CopyBuffer()
  /// One row for each fact that a catalogue gives about an identifier.
  public var catalogue = CopyBuffer()
  /// One row for each entry of an app's payment queue.
  public var clientTransactions = CopyBuffer()
  /// One row for each report of an invalid identifier.
  public var clientInvalidProducts = CopyBuffer()
  /// One row for each acknowledgement of a finding.
  public var acknowledgements = CopyBuffer()
  /// One row for each row of a report of Apple.
  public var appleReports = CopyBuffer()
  /// One row for each rejection.
  public var rejections = CopyBuffer()
  /// The rejections for a person who checks files and loads nothing; nil if they are not wanted.
  package var noted: [NotedRejection]?
  /// The rejections of the block that is being parsed.
  var rejectedInBlock = BlockRejections()
  /// The counts of the block that is being parsed.
  var countsInBlock = FileCounts()
  /// The counts of each file, by the file's identifier.
  public var counts: [Int32: FileCounts] = [:]

  /// Makes an empty set of rows.
  public init() {}

  /// Empties everything and keeps the memory of the buffers.
  public mutating func removeAll() {
    documents.removeAll()
    evidence.removeAll()
    deliveries.removeAll()
    catalogue.removeAll()
    clientTransactions.removeAll()
    clientInvalidProducts.removeAll()
    acknowledgements.removeAll()
    appleReports.removeAll()
    rejections.removeAll()
    if noted != nil { noted = [] }
    counts.removeAll(keepingCapacity: true)
  }
}
