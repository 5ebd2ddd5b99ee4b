extension CSVScanner {
  /// Cuts bytes into records and passes each record to a closure, with any problem of its quotes.
  ///
  /// While the closure runs, `fields` has the fields of its record.
  func forEachRecord(
    in bytes: Bytes, firstLine: Int64, _ body: (RawRecord, RecordProblem?) -> Void
  ) {
    var line = firstLine
    var start = 0
    while start < bytes.count {
      let end: Int
      var problem: RecordProblem?
      switch scan(bytes, from: start, isFinal: true) {
      case .record(let next): end = next
      case .broken(let next, let why): (end, problem) = (next, .malformedCSV(why))
      case .incomplete: end = bytes.count
      }
      let raw = bytes.part(start..<end)
      let isLast = end == bytes.count && raw.last != Byte.lineFeed
      let record = raw.withoutByteOrderMark.withoutLineEnd
      body(RawRecord(bytes: record, line: line, isLast: isLast), problem)
      line += Int64(raw.lineFeeds)
      start = end
    }
  }
}

/// Finds the end of a CSV record that is too long to be in memory as a whole.
struct LongRecordScanner {
  private enum State {
    case fieldStart, field, quoted, afterQuote
    /// After a wrong quote, the line end ends the record.
    case brokenLine
  }

  private let separator: UInt8
  private let keepsQuotesInside: Bool
  private var state = State.fieldStart

  init(_ scanner: CSVScanner) {
    separator = scanner.separator
    keepsQuotesInside = scanner.keepsQuotesInside
  }

  /// Reads the next bytes; returns the place of the line feed that ends the record, or nil if the
  /// record goes on.
  mutating func lineFeed(in bytes: Bytes) -> Int? {
    for (index, byte) in bytes.enumerated() {
      if byte == Byte.lineFeed, state != .quoted { return index }
      switch state {
      case .quoted: if byte == Byte.quote { state = .afterQuote }
      case .afterQuote where byte == Byte.quote: state = .quoted
      case .fieldStart where byte == Byte.quote: state = .quoted
      case .afterQuote, .field, .fieldStart: state = stateAfter(byte)
      case .brokenLine: break
      }
    }
    return nil
  }

  /// The state after a byte outside of quotes.
  private func stateAfter(_ byte: UInt8) -> State {
    if byte == separator { return .fieldStart }
    let isText = byte != Byte.quote && state != .afterQuote || byte == Byte.carriageReturn
    return isText || keepsQuotesInside ? .field : .brokenLine
  }
}

extension RecordProblem {
  /// A row with more or fewer fields than the header.
  static func fields(_ count: Int, header: Int) -> RecordProblem {
    let number = count < CSVScanner.mostFields ? "\(count)" : "at least \(count)"
    let noun = count == 1 ? "field" : "fields"
    return .malformedCSV("the row has \(number) \(noun), the header \(header)")
  }
}
