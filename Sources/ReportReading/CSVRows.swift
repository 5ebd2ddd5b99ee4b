/// Takes the bytes of a CSV file in pieces and gives its rows.
///
/// The files are in the form of PostgreSQL's `COPY … (format csv)`, or should be.
package struct CSVRows {
  /// The fields of the current row, one after the other.
  private(set) var bytes: [UInt8] = []
  /// The end of each field of the current row in `bytes`.
  package private(set) var ends: [Int] = []
  private var isQuoted = false
  /// The last byte was a quote inside quotes.
  ///
  /// The next byte decides whether it ends them.
  private var sawQuote = false
  private var hasBegun = false
  private var isTooLong = false
  private let longestRow: Int

  /// The bytes that a field costs beside its text: the size of its slice in ``fields``.
  private static let fieldCost = 32

  /// Begins before the first row.
  ///
  /// - Parameter longestRow: The maximum of the memory that the fields of a row need, in bytes.
  ///   Nothing is read after a longer row.
  package init(longestRow: Int = .max) {
    self.longestRow = longestRow
  }

  /// Whether the bytes so far end with the end of a row.
  package var isComplete: Bool { !hasBegun && !isTooLong }

  /// Parses a piece of text, which can end anywhere; calls `row` for each complete row.
  package mutating func take(
    _ piece: ArraySlice<UInt8>, row: (CSVRows) throws -> Void
  ) rethrows {
    for byte in piece {
      guard bytes.count + Self.fieldCost * ends.count < longestRow else {
        isTooLong = true
        return
      }
      hasBegun = true
      if isQuoted {
        guard sawQuote else {
          if byte == UInt8(ascii: "\"") { sawQuote = true } else { bytes.append(byte) }
          continue
        }
        sawQuote = false
        if byte == UInt8(ascii: "\"") {
          bytes.append(byte)
          continue
        }
        isQuoted = false
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: ","): ends.append(bytes.count)
      case UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"):
        ends.append(bytes.count)
        try row(self)
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        hasBegun = false
      default: bytes.append(byte)
      }
    }
  }

  /// The fields of one row, with or without its line end.
  package static func fields(of row: ArraySlice<UInt8>) -> [[UInt8]] {
    var rows = CSVRows()
    var fields: [[UInt8]]?
    rows.take(row) { fields = $0.fields.map(Array.init) }
    if let fields { return fields }
    rows.ends.append(rows.bytes.count)
    return rows.fields.map(Array.init)
  }

  /// The fields of the current row.
  package var fields: [ArraySlice<UInt8>] { ends.indices.map(field) }

  /// One field's bytes.
  package func field(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }
}
