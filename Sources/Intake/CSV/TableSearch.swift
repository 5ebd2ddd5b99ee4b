/// Looks for a row that shows that a text is a table with evidence.
///
/// The first rows of an export may be old rows without evidence, or damaged. So the search has no
/// limit: it goes on from piece to piece of the text.
struct TableSearch {
  enum Outcome {
    case found
    /// None of the rows so far is enough.
    case open
    /// The last row is not whole, or longer than the limit.
    case incomplete
    /// The text is no table.
    case refuted
  }

  /// The maximum length of a column's name in bytes.
  private static let nameLimit = 128
  /// The number of rows with a wrong number of fields, more than of right ones, that show that a
  /// sentence is no header.
  private static let mostOthers = 100

  /// The byte between fields.
  let separator: UInt8
  /// The place of the first row.
  let start: Int
  /// The scanner of the rows.
  let scanner: CSVScanner
  /// Whether the header has a column name from the settings, which is enough.
  let isMapped: Bool
  private let width: Int
  /// Whether the header consists of names, and not of parts of a log's line.
  private let hasNames: Bool
  /// Whether a name has a space in or before it, so that the header may be a sentence with a comma.
  private let mayBeSentence: Bool
  private var firstFits: Bool?
  /// The numbers of rows with as many fields as the header, and of other rows.
  private var fitting = 0
  private var others = 0

  /// Reads the header row; nil if the text has none.
  init?(
    _ bytes: Bytes, headerAt place: Int, _ separator: UInt8, isWhole: Bool, in file: FileContext
  ) {
    let limit = file.settings.documentLimitBytes
    let header = ReceiptTable.scanner(separator, limit: limit, width: nil)
    guard case .record(let next) = header.scan(bytes, from: place, isFinal: isWhole) else {
      return nil
    }
    guard header.fields.count < CSVScanner.mostFields else { return nil }
    let names = header.fields.map { bytes.part($0.range).trimmed }
    guard names.allSatisfy({ $0.count <= Self.nameLimit }),
      names.count > 1 || DocumentField.names.meaning(of: names[0]) != nil
    else { return nil }
    self.separator = separator
    start = next
    scanner = ReceiptTable.scanner(separator, limit: limit, width: names.count)
    let mapped = Set(file.settings.receiptColumns.values)
    isMapped = names.contains { mapped.contains($0.string) }
    width = names.count
    hasNames = names.allSatisfy(\.isName)
    mayBeSentence = header.fields.contains { bytes.part($0.range).position(of: Byte.space) != nil }
  }

  /// Reads the next rows.
  mutating func read(_ bytes: Bytes, from place: Int = 0, isFinal: Bool) -> Outcome {
    var at = place
    while at < bytes.count {
      let row = at
      let isRecord: Bool
      switch scanner.scan(bytes, from: row, isFinal: isFinal) {
      case .record(let next): (at, isRecord) = (next, true)
      case .broken(let next, _): (at, isRecord) = (next, false)
      case .incomplete: return .incomplete
      }
      let text = bytes.part(row..<at).trimmed
      guard !text.isEmpty else { continue }
      let outcome = judge(text, of: bytes, isRecord: isRecord)
      if outcome != .open { return outcome }
    }
    return .open
  }

  private mutating func judge(_ row: Bytes, of bytes: Bytes, isRecord: Bool) -> Outcome {
    let fits = isRecord && scanner.fields.count == width
    if fits { fitting += 1 } else { others += 1 }
    let firstFits = self.firstFits ?? fits
    self.firstFits = firstFits
    if hasNames, mayBeSentence {
      // In a table, a field is evidence or none. In a log, other words are before the evidence.
      if others > fitting + Self.mostOthers { return .refuted }
      return fits && others <= fitting && isEvidence(bytes) ? .found : .open
    }
    if hasNames {
      // If the first row is damaged, the rows must not differ more often than they agree.
      let isEnough = firstFits ? isRecord : fits && others <= fitting
      return isEnough && hasEvidence(bytes) ? .found : .open
    }
    guard firstFits else { return .refuted }
    if fits { return hasEvidence(bytes) ? .found : .open }
    // A log can have lines with as many fields as its first line, and evidence in others.
    return EvidenceSearch(row).found.isEmpty ? .open : .refuted
  }

  private func hasEvidence(_ bytes: Bytes) -> Bool {
    scanner.fields.contains { $0.hasEvidence(in: bytes) }
  }

  /// Whether a field is evidence as a whole, or JSON that contains evidence.
  private func isEvidence(_ bytes: Bytes) -> Bool {
    scanner.fields.contains { field in
      let text = bytes.part(field.range).trimmed
      guard let first = text.first else { return false }
      let isOneText = text.position(of: Byte.space) == nil
      return (isOneText || "{[".utf8.contains(first)) && field.hasEvidence(in: bytes)
    }
  }
}

extension TableSearch {
  /// The result of a probe.
  enum Probe {
    case table(separator: UInt8)
    /// A table if a later row has evidence.
    case undecided(TableSearch)
    case other
  }

  /// Finds out whether a text is a header row and rows with evidence in a field.
  static func probe(_ bytes: Bytes, isWhole: Bool, in file: FileContext) -> Probe {
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    guard let header = lines.header, !header.contains(Byte.openBrace) else { return .other }
    var place = header.startOffset(in: bytes)
    while place > 0, bytes[place - 1] != Byte.lineFeed { place -= 1 }
    var undecided: TableSearch?
    for separator in lines.namedSeparator.map({ [$0] }) ?? Array("\t,;|".utf8) {
      guard
        let search = TableSearch(bytes, headerAt: place, separator, isWhole: isWhole, in: file)
      else { continue }
      var rows = search
      switch search.isMapped
        ? .found : rows.read(bytes, from: search.start, isFinal: isWhole)
      {
      case .found: return .table(separator: separator)
      case .open where isWhole: break
      case .open, .incomplete: undecided = undecided ?? search
      case .refuted: break
      }
    }
    return undecided.map { .undecided($0) } ?? .other
  }
}

extension CSVField {
  /// Whether the text of the field is or contains evidence.
  func hasEvidence(in bytes: Bytes) -> Bool {
    let text = bytes.part(range)
    guard text.count >= EvidenceSearch.shortestText else { return false }
    guard hasDoubledQuotes else { return text.hasEvidence }
    let arena = TextArena(capacity: text.count)
    return arena.keep(unquoting: text).hasEvidence
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a field of a table contains evidence.
  fileprivate var hasEvidence: Bool {
    if !EvidenceSearch(self).found.isEmpty { return true }
    guard position(of: UInt8(ascii: "\\")) != nil else { return false }
    return TextDecoding.unescapedRow(self).withUnsafeBufferPointer {
      !EvidenceSearch($0).found.isEmpty
    }
  }

  /// Whether this looks like the name of a column; the name may be missing.
  fileprivate var isName: Bool {
    guard let first else { return true }
    return !first.isDigit && !contains { ":=<>[]{},;|".utf8.contains($0) }
  }
}
