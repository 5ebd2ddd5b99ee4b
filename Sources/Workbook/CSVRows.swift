/// The rows of PostgreSQL's `COPY … (format csv)`, field by field, as they arrive.
struct CSVRows {
  /// The fields of the row under way, one behind the other.
  private(set) var bytes: [UInt8] = []
  /// Where each field of the row ends.
  private(set) var ends: [Int] = []
  private var isQuoted = false
  /// A quote was read inside quotes: the next byte tells whether it ends them.
  private var sawQuote = false

  /// Takes a piece of the text, ends anywhere; `row` is told of each row that is whole.
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
