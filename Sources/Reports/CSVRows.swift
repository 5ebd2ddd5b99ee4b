/// Takes the bytes of a CSV file in pieces and gives its rows.
struct CSVRows {
  /// The unquoted bytes of the row so far, and where its fields end.
  private var row: [UInt8] = []
  private var ends: [Int] = []
  private var isQuoted = false
  private var sawQuote = false
  private var hasBegun = false
  /// Whether a row is longer than any that the program writes.
  private(set) var isTooLong = false

  private static let longestRow = 64 << 20

  /// Whether the bytes so far end with the end of a row.
  var isComplete: Bool { !hasBegun && !isTooLong }

  /// Takes a piece, and gives the fields of each row that ends in it.
  mutating func take(_ piece: some Sequence<UInt8>, _ body: ([ArraySlice<UInt8>]) -> Void) {
    for byte in piece {
      guard row.count < Self.longestRow else { return isTooLong = true }
      guard byte != UInt8(ascii: "\n") || isQuoted else {
        body(fields)
        (row, ends, sawQuote, hasBegun) = ([], [], false, false)
        continue
      }
      take(byte)
    }
  }

  /// The fields of one row, with or without its line end.
  static func fields(of bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var rows = CSVRows()
    var fields: [[UInt8]]?
    rows.take(bytes) { fields = $0.map(Array.init) }
    return fields ?? rows.fields.map(Array.init)
  }

  private mutating func take(_ byte: UInt8) {
    hasBegun = true
    if isQuoted {
      // A quote ends the field, unless another one follows.
      sawQuote = byte == UInt8(ascii: "\"")
      if sawQuote { isQuoted = false } else { row.append(byte) }
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      if sawQuote { row.append(byte) }
      isQuoted = true
    case UInt8(ascii: ","): ends.append(row.count)
    case UInt8(ascii: "\r"): break
    default: row.append(byte)
    }
    sawQuote = false
  }

  private var fields: [ArraySlice<UInt8>] {
    var start = 0
    return (ends + [row.count]).map { end in
      defer { start = end }
      return row[start..<end]
    }
  }
}
