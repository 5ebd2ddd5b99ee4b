extension UnreadBytes {
  /// Drops a CSV record that is longer than the limit, and returns its length.
  ///
  /// If a quote of it is wrong, only its lines up to the next rows are dropped.
  func dropRow(_ scanner: CSVScanner, limit: Int) -> Int64 {
    var record = LongRecordScanner(scanner)
    var length: Int64 = 0
    var isAtLine = false
    fill(limit)
    drop(bytes.byteOrderMark(at: 0))
    while count > 0 {
      // The first line is the record's own. After it, some lines at once are judged.
      let lineCount = isAtLine ? CSVScanner.judgedLines : 1
      // To read more copies all bytes, so that many lines are read at once.
      if bytes.firstLines(lineCount).count == count { fill(limit) }
      let lines = bytes.firstLines(lineCount)
      var ending = record
      let feed = ending.lineFeed(in: lines)
      let quoted = feed.map { lines.part(0..<lines.lineStart(of: $0)) } ?? lines
      if isAtLine, scanner.areRows(quoted) { break }
      record = ending
      length += Int64(feed ?? lines.count)
      let isLine = lines.last == Byte.lineFeed
      drop(feed.map { $0 + 1 } ?? lines.count)
      if feed != nil { break }
      isAtLine = isLine
      if count == 0 { fill(limit) }
    }
    return length
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
