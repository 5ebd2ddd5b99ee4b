/// The place of one field in a CSV record.
struct CSVField {
  var range: Range<Int>
  /// Whether the field holds doubled quotes.
  var hasDoubledQuotes: Bool
}

/// Finds records and their fields in CSV as RFC 4180 defines it.
///
/// Reader and parser use the same scanner, so that they always agree where a record ends.
final class CSVScanner {
  /// The result of one scan.
  enum Outcome {
    /// A record; the next one begins at `next`.
    case record(next: Int)
    /// Bytes that are not a record; they end at `next`, where the next line begins.
    case broken(next: Int, why: String)
    /// The bytes end before the record does, or a quoted field of it goes on beyond the limit.
    case incomplete
  }

  /// The number of lines that show whether a quote is wrong.
  static let judgedLines = 100

  let separator: UInt8
  private let limit: Int
  /// Whether a quote is an ordinary character, except around a whole field.
  let keepsQuotesInside: Bool
  /// The number of fields of a right record; nil if it is unknown.
  private let width: Int?
  /// The fields of the record that was found last, at most ``mostFields``.
  @exclusivity(unchecked) private(set) var fields: [CSVField] = []

  /// The maximum number of fields that are kept.
  ///
  /// So a row of many separators takes little more memory than its bytes. No header may have so many
  /// columns, so such a row is never right.
  static let mostFields = 100_000

  /// Makes a scanner for records of at most `limit` bytes.
  ///
  /// - Parameter keepsQuotesInside: Whether a quote is an ordinary character, except around a whole
  ///   field, as in exports that separate by tabs and do not quote.
  /// - Parameter width: The number of fields of the header. With it, a quote that is not closed
  ///   within the limit is not always wrong: the field may be too long.
  init(separator: UInt8, limit: Int, keepsQuotesInside: Bool = false, width: Int? = nil) {
    self.separator = separator
    self.limit = limit
    self.keepsQuotesInside = keepsQuotesInside
    self.width = width
  }

  /// Scans one record; `isFinal` means that no more bytes follow.
  ///
  /// The record may begin with the byte order mark of a joined file, which is in none of the fields.
  func scan(_ bytes: Bytes, from start: Int, isFinal: Bool) -> Outcome {
    fields.removeAll(keepingCapacity: true)
    var at = start + bytes.byteOrderMark(at: start)
    while true {
      let begin = at
      if at < bytes.count, bytes[at] == Byte.quote {
        switch scanQuoted(bytes, from: at, recordStart: start, isFinal: isFinal) {
        case .closed(let end):
          guard end < bytes.count else { return isFinal ? .record(next: end) : .incomplete }
          if bytes[end] == separator {
            at = end + 1
            continue
          }
          guard let next = lineEnd(bytes, end, isFinal: isFinal) else { return .incomplete }
          if next > end { return .record(next: next) }
          guard keepsQuotesInside else {
            return broken(
              bytes, lineOf: begin, isFinal: isFinal,
              "there is text after the closing quote of field \(fields.count)")
          }
          fields.removeLast()
        case .open: return .incomplete
        case .wrong(let why):
          guard keepsQuotesInside else {
            return broken(bytes, lineOf: begin, isFinal: isFinal, why)
          }
        }
      }
      while at < bytes.count, bytes[at] != separator, bytes[at] != Byte.lineFeed,
        bytes[at] != Byte.quote || keepsQuotesInside
      {
        at += 1
      }
      if at == bytes.count || bytes[at] == Byte.lineFeed {
        guard at < bytes.count || isFinal else { return .incomplete }
        let hasReturn = at > begin && bytes[at - 1] == Byte.carriageReturn
        let end = hasReturn ? at - 1 : at
        add(CSVField(range: begin..<end, hasDoubledQuotes: false))
        return .record(next: min(at + 1, bytes.count))
      }
      guard bytes[at] == separator else {
        return broken(
          bytes, lineOf: at, isFinal: isFinal,
          "field \(fields.count + 1) contains a quote but does not begin with one")
      }
      add(CSVField(range: begin..<at, hasDoubledQuotes: false))
      at += 1
    }
  }

  @inline(__always)
  private func add(_ field: CSVField) {
    if fields.count < Self.mostFields { fields.append(field) }
  }

  private enum Quoted {
    case closed(end: Int)
    case open
    case wrong(String)
  }

  private func scanQuoted(
    _ bytes: Bytes, from open: Int, recordStart: Int, isFinal: Bool
  ) -> Quoted {
    let end = min(bytes.count, recordStart + limit)
    let reachable = bytes.part(0..<end)
    var hasDoubledQuotes = false
    var at = open + 1
    while let quote = reachable.position(of: Byte.quote, from: at) {
      if quote + 1 < bytes.count, bytes[quote + 1] == Byte.quote {
        hasDoubledQuotes = true
        at = quote + 2
        continue
      }
      if quote + 1 == bytes.count, !isFinal { return .open }
      add(CSVField(range: open + 1..<quote, hasDoubledQuotes: hasDoubledQuotes))
      return .closed(end: quote + 1)
    }
    if bytes.count - recordStart <= limit {
      if !isFinal { return .open }
    } else if isTooLong(reachable.part(min(open, end)..<end)) {
      return .open
    }
    return .wrong("the quote that begins field \(fields.count + 1) is never closed")
  }

  /// Whether a quoted field that is not closed within the limit is too long; otherwise its quote is
  /// wrong.
  ///
  /// After a wrong quote, most lines are records. In a long text, most lines are none.
  private func isTooLong(_ text: Bytes) -> Bool {
    guard width != nil else { return false }
    guard let feed = text.position(of: Byte.lineFeed) else { return true }
    let lines = judge(text, from: feed + 1)
    return lines.others > lines.records
  }

  /// Whether the first lines of a text are rows rather than a part of a field.
  func areRows(_ text: Bytes) -> Bool {
    let lines = judge(text, from: 0)
    return lines.records > 0 && lines.records >= lines.others
  }

  /// The number of lines that are records, and of others, among the first ones.
  private func judge(_ text: Bytes, from start: Int) -> (records: Int, others: Int) {
    guard let width else { return (0, 0) }
    let scanner = CSVScanner(
      separator: separator, limit: limit, keepsQuotesInside: keepsQuotesInside)
    var records = 0
    var others = 0
    var at = start
    while records + others < Self.judgedLines,
      let feed = text.position(of: Byte.lineFeed, from: at)
    {
      let line = text.part(at..<feed)
      at = feed + 1
      guard !line.trimmed.isEmpty else { continue }
      let outcome = scanner.scan(line, from: 0, isFinal: true)
      let isRecord = if case .record = outcome { scanner.fields.count == width } else { false }
      if isRecord { records += 1 } else { others += 1 }
    }
    return (records, others)
  }

  // Only the line with the wrong quote is skipped, because the lines after it may be right.
  private func broken(_ bytes: Bytes, lineOf place: Int, isFinal: Bool, _ why: String) -> Outcome {
    if let feed = bytes.position(of: Byte.lineFeed, from: place) {
      return .broken(next: feed + 1, why: why)
    }
    return isFinal ? .broken(next: bytes.count, why: why) : .incomplete
  }

  /// The place where the next line begins, or `at` itself if no line ends there.
  private func lineEnd(_ bytes: Bytes, _ at: Int, isFinal: Bool) -> Int? {
    if bytes[at] == Byte.lineFeed { return at + 1 }
    guard bytes[at] == Byte.carriageReturn else { return at }
    guard at + 1 < bytes.count else { return isFinal ? at + 1 : nil }
    return bytes[at + 1] == Byte.lineFeed ? at + 2 : at
  }
}
