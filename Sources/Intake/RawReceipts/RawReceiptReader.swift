public import FileSystem

/// Finds the raw receipts of one file of `receipts/`, front to back, on one thread.
///
/// These are the receipts that a night would take as signed evidence, and it is the night's own reader and
/// parser that find them: of what the night rejects, whoever asks Apple knows nothing. The rows that come
/// about on the way are thrown away block by block.
public final class RawReceiptReader {
  private let reader: FileReader
  private let parser = RecordParser(seekingRawReceipts: true)
  private var rows = StagedRows()
  private var found: ArraySlice<RawReceipt> = []

  /// Prepares to read a file; nothing is opened yet.
  ///
  /// - Parameter settings: As the night has them: limits, apps and roots decide what is accepted.
  public init(
    _ place: FilePlace, refusal: FileSystemError? = nil, settings: IntakeSettings
  ) {
    reader = FileReader(
      place, refusal: refusal, folder: .receipts, fileID: 0, settings: settings)
  }

  /// Prepares to read a file that the program's user has named.
  public convenience init(path: String, settings: IntakeSettings) {
    self.init(FilePlace(anywhere: path), settings: settings)
  }

  /// The next receipt, or nothing at the end.
  public func next() -> RawReceipt? {
    while found.isEmpty {
      guard let block = reader.next() else { return nil }
      block.parse(with: parser, into: &rows)
      rows.removeAll()
      found = parser.takeRawReceipts()[...]
    }
    return found.popFirst()
  }
}
