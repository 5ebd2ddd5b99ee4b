public import CopyFormat

/// Rows for the staging tables, and the counts that they must agree with.
public struct StagedRows: Sendable {
  /// One row for each receipt document that is usable or asked the wrong environment.
  public var documents = CopyBuffer()
  /// One row for each different statement about a transaction in a document.
  ///
  /// There are two where the youngest evidence of it counts as well as the oldest.
  public var evidence = CopyBuffer()
  /// One row for each delivery record.
  public var deliveries = CopyBuffer()
  /// One row for each thing that a catalogue says of an identifier.
  public var catalogue = CopyBuffer()
  /// One row for each entry of an app's payment queue.
  public var clientTransactions = CopyBuffer()
  /// One row for each report of an invalid identifier.
  public var clientInvalidProducts = CopyBuffer()
  /// One row for each acknowledgement of a finding.
  public var acknowledgements = CopyBuffer()
  /// One row for each rejection.
  public var rejections = CopyBuffer()
  /// What was rejected, for a person who loads nothing; nil: nobody asks.
  public var noted: [NotedRejection]?
  /// How many rejections the block under way has had.
  var rejectedInBlock = BlockRejections()
  /// What was read, by file.
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
    rejections.removeAll()
    if noted != nil { noted = [] }
    counts.removeAll(keepingCapacity: true)
  }
}
