/// The texts of one record with named columns, for every file format; nil if a column has none.
final class RecordTexts {
  private let texts: UnsafeMutablePointer<Bytes?>
  private static let count = [
    DeliveryColumn.allCases.count, QueueColumn.allCases.count, InvalidProductColumn.allCases.count,
    AcknowledgementColumn.allCases.count,
  ].reduce(0, max)

  init() {
    texts = .allocate(capacity: Self.count)
    texts.initialize(repeating: nil, count: Self.count)
  }

  deinit {
    texts.deallocate()
  }

  /// Forgets all texts.
  func clear() {
    texts.update(repeating: nil, count: Self.count)
  }

  /// The text of a column by its place.
  @inline(__always)
  subscript(place: Int) -> Bytes? {
    get { texts[place] }
    set { texts[place] = newValue }
  }
}
