/// Parses PostgreSQL's `COPY … (format csv)` output, field by field, as it arrives.
struct CSVRows {
  /// The fields of the current row, one after the other.
  private(set) var bytes: [UInt8] = []
  /// The end of each field of the current row in `bytes`.
  private(set) var ends: [Int] = []
  private var isQuoted = false
  /// The last byte was a quote inside quotes.
  ///
  /// The next byte decides whether it ends them.
  private var sawQuote = false

  /// Parses a piece of text, which can end anywhere; calls `row` for each complete row.
  mutating func take(_ piece: [UInt8], row: (CSVRows) throws -> Void) rethrows {
    for byte in piece {
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
      default: bytes.append(byte)
      }
    }
  }

  /// One field's bytes.
  func field(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }
}
