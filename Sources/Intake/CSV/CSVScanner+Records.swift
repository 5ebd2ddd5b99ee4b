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
      body(RawRecord(bytes: raw.withoutLineEnd, line: line, isLast: isLast), problem)
      line += Int64(raw.occurrences(of: Byte.lineFeed))
      start = end
    }
  }
}

extension RecordProblem {
  /// A row with more or fewer fields than the header.
  static func fields(_ count: Int, header: Int) -> RecordProblem {
    .malformedCSV("the row has \(count) fields, the header \(header)")
  }
}
