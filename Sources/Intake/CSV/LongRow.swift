/// A CSV record that is longer than the limit.
///
/// If a quote of it is wrong, it has only its lines up to the next rows.
struct LongRow {
  /// The most bytes of a record that can be used.
  let limit: Int
  private let scanner: CSVScanner
  private var record: LongRecordScanner
  private var isAtStart = true
  private var isAtLine = false

  init(_ scanner: CSVScanner, limit: Int) {
    self.limit = limit
    self.scanner = scanner
    record = LongRecordScanner(scanner)
  }

  /// Drops the next lines of the record.
  ///
  /// - Returns: The number of bytes without the line end of the record, and whether that ended it.
  mutating func dropLines(from unread: UnreadBytes) -> (length: Int, hasEnded: Bool) {
    if isAtStart { unread.drop(unread.bytes.byteOrderMark(at: 0)) }
    isAtStart = false
    // The first line is the record's own. After it, some lines at once are judged.
    let lineCount = isAtLine ? CSVScanner.judgedLines : 1
    // To read more copies all bytes, so that many lines are read at once.
    if unread.bytes.firstLines(lineCount).count == unread.count { unread.fill(limit) }
    let lines = unread.bytes.firstLines(lineCount)
    var ending = record
    let feed = ending.lineFeed(in: lines)
    let quoted = feed.map { lines.part(0..<lines.lineStart(of: $0)) } ?? lines
    if isAtLine, scanner.areRows(quoted) { return (0, true) }
    record = ending
    isAtLine = lines.last == Byte.lineFeed
    let length = feed ?? lines.count
    unread.drop(feed.map { $0 + 1 } ?? lines.count)
    return (length, feed != nil)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first lines, or all bytes if there are fewer lines.
  fileprivate func firstLines(_ limit: Int) -> UnsafeBufferPointer<UInt8> {
    var end = 0
    for _ in 0..<limit {
      guard let feed = position(of: Byte.lineFeed, from: end) else { return self }
      end = feed + 1
    }
    return part(0..<end)
  }
}
