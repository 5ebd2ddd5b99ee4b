/// One line of a report: its fields, without the spaces around them.
struct AppleReportLine {
  let number: Int64
  let fields: [Bytes]
  /// Whether a line end follows.
  let hasEnd: Bool
}

/// Cuts a report into lines.
///
/// Apple separates fields by tabs and never quotes; a warehouse exports the same columns as CSV,
/// whose first line can name the separator.
struct AppleReportLines {
  private let bytes: Bytes
  private let limit: Int
  /// Finds the records of CSV; nil if tabs separate the fields.
  private let scanner: CSVScanner?
  private let unquoted = TextArena()
  private var at = 0
  private var number: Int64 = 1

  init(_ bytes: Bytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    let start = bytes.firstIndex { !$0.isWhiteSpace } ?? 0
    let end = bytes.position(of: Byte.lineFeed, from: start).map { $0 + 1 } ?? bytes.count
    let named = CSVHeader.namedSeparator(bytes.part(start..<end))
    let header = NonBlankLines(bytes, isWhole: true).header
    let isTabbed = header?.position(of: Byte.tab) != nil
    let separator = named ?? (isTabbed ? Byte.tab : UInt8(ascii: ","))
    scanner = separator == Byte.tab ? nil : CSVScanner(separator: separator, limit: limit)
    guard named != nil else { return }
    at = end
    number += Int64(bytes.part(0..<end).lineFeeds)
  }

  /// The next line that is not blank; nil at the end.
  mutating func next() throws(RecordProblem) -> AppleReportLine? {
    while at < bytes.count {
      let start = at
      let line = number
      let fields: [Bytes]
      if let scanner { fields = try quoted(scanner) } else { fields = tabbed() }
      let raw = bytes.part(start..<at)
      number += Int64(raw.lineFeeds)
      guard raw.count <= limit else {
        throw .tooLong(raw.count, limit: limit)
      }
      if raw.trimmed.isEmpty { continue }
      return AppleReportLine(number: line, fields: fields, hasEnd: raw.last == Byte.lineFeed)
    }
    return nil
  }

  private mutating func tabbed() -> [Bytes] {
    let end = bytes.position(of: Byte.lineFeed, from: at).map { $0 + 1 } ?? bytes.count
    let line = bytes.part(at..<end).withoutLineEnd
    at = end
    var fields: [Bytes] = []
    var from = 0
    while let tab = line.position(of: Byte.tab, from: from) {
      fields.append(line.part(from..<tab).trimmed)
      from = tab + 1
    }
    fields.append(line.part(from..<line.count).trimmed)
    return fields
  }

  private mutating func quoted(_ scanner: CSVScanner) throws(RecordProblem) -> [Bytes] {
    guard case .record(let next) = scanner.scan(bytes, from: at, isFinal: true) else {
      throw RecordProblem(
        .malformedCSV,
        "Line \(number) has a quote that is not CSV. Export or download the report again.")
    }
    unquoted.begin(reserving: next - at)
    at = next
    return scanner.fields.map { field in
      let value = bytes.part(field.range).trimmed
      return field.hasDoubledQuotes ? unquoted.keep(unquoting: value) : value
    }
  }
}
