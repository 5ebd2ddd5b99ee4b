package import FileSystem

/// Finds the raw receipts of one file of `receipts/`, front to back, on one thread.
///
/// These are the receipts that a night accepts as signed evidence. The night's own reader and
/// parser find them, so a receipt that the night rejects is not returned. The rows that the parser
/// makes are thrown away after each block.
public final class RawReceiptReader {
  private let reader: FileReader
  private let parser = RecordParser(seekingRawReceipts: true)
  private var rows = StagedRows()

  /// Prepares to read a file; nothing is opened yet.
  ///
  /// - Parameter settings: The settings of the night; limits, apps and roots decide which receipts
  ///   are accepted.
  package init(
    _ place: FilePlace, refusal: FileRefusal? = nil, settings: IntakeSettings
  ) {
    reader = FileReader(
      place, refusal: refusal, folder: .receipts, fileID: 0, settings: settings)
  }

  /// Prepares to read a file that the program's user has named.
  public convenience init(path: String, settings: IntakeSettings) {
    self.init(FilePlace(anywhere: path), settings: settings)
  }

  /// The receipts of the next block, mostly none, or nil at the end.
  ///
  /// A block has about a megabyte, so that the caller can stop in a file without receipts.
  public func next() -> [RawReceipt]? {
    guard let block = reader.next() else { return nil }
    block.parse(with: parser, into: &rows)
    rows.removeAll()
    return parser.takeRawReceipts()
  }
}
