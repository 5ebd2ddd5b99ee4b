/// The lines of a file that are not blank, each without the white space around it.
struct NonBlankLines: Sequence, IteratorProtocol {
  private let bytes: Bytes
  private let isWhole: Bool
  private var at = 0

  /// Takes bytes; if they are not the whole file, a last line without its end is left out.
  init(_ bytes: Bytes, isWhole: Bool) {
    self.bytes = bytes
    self.isWhole = isWhole
  }

  mutating func next() -> Bytes? {
    while at < bytes.count {
      let feed = bytes.position(of: Byte.lineFeed, from: at)
      guard let end = feed ?? (isWhole ? bytes.count : nil) else { return nil }
      let line = bytes.part(at..<end).trimmed
      at = end + 1
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// The first line that does not only name the separator of those below it.
  var header: Bytes? {
    guard let first = line(0) else { return nil }
    // Lines are trimmed and a tab is white space, so `sep=` may have no separator after it.
    let named = first.withoutQuotes
    return named.starts(with: "sep=") && named.count <= 5 ? line(1) : first
  }

  /// The separator that a line above the header names.
  var namedSeparator: UInt8? { line(0).flatMap { CSVHeader.namedSeparator($0) } }

  /// A line by its number from 0.
  func line(_ number: Int) -> Bytes? {
    var lines = self
    for _ in 0..<number where lines.next() == nil { return nil }
    return lines.next()
  }
}
