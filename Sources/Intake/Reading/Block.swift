import CopyFormat

/// Whole records of one file, to be parsed by any thread.
public struct Block: Sendable {
  enum Content: Sendable {
    /// One receipt document a line, except those of several lines.
    case receiptLines([LogFraming.Document])
    /// One receipt document.
    case receipt
    /// Receipt documents one after another or in an array, each in its range of the block.
    ///
    /// If `isEnd` is true, the file ends in the last of them.
    case receiptValues([Range<Int>], isEnd: Bool)
    /// Rows of a table with a column that contains evidence.
    case table(ReceiptTable)
    /// One binary receipt, in which no byte counts as white space.
    case binaryReceipt
    /// One delivery, as a JSON object, a line.
    case deliveryLines
    /// One record of a client's log, as a JSON object, a line.
    case clientLines
    /// CSV rows below a header, which gives their form.
    case rows(CSVHeader)
    /// One catalogue.
    case catalogue
    /// One report of Apple.
    case appleReport
    /// Bytes that the reader itself rejected; `length` counts all, and the block has the first
    /// ones.
    case rejected(RejectionKind, RecordProblem, length: Int64)
  }

  let file: FileContext
  let content: Content
  /// The number of the block in its file, from 0.
  let number: Int64
  /// The line of the file that contains the first byte.
  let firstLine: Int64
  /// Whether it begins inside of a private key (``KeyLines``).
  let startsInKey: Bool
  let buffer: BlockBuffer
  let range: Range<Int>

  /// Turns the records into rows, and records that cannot be used into rejections.
  public func parse(with parser: RecordParser, into rows: inout StagedRows) {
    rows.countsInBlock = FileCounts()
    rows.rejectedInBlock = BlockRejections(block: number, startsInKey: startsInKey)
    let bytes = buffer.bytes.part(range)
    switch content {
    case .receiptLines(let documents):
      forEachLine(of: bytes, documents, .receipt, &rows) { record, rows in
        parser.parseReceipt(record, in: file, into: &rows)
      }
    case .receipt:
      let record = RawRecord(
        bytes: bytes.trimmed, line: line(ofTextIn: bytes), isLast: true, isDocument: true)
      parser.parseReceipt(record, in: file, into: &rows)
    case .receiptValues(let values, let isEnd):
      parseValues(values, isEnd: isEnd, of: bytes, with: parser, &rows)
    case .table(let table):
      parser.parseTable(bytes, firstLine: firstLine, table, in: file, into: &rows)
    case .binaryReceipt:
      let record = RawRecord(bytes: bytes, line: firstLine, isLast: true, isDocument: true)
      parser.parseBinary(bytes, HandedIn(record, in: file), &rows)
    case .deliveryLines:
      forEachLine(of: bytes, [], .delivery, &rows) { record, rows in
        parser.parseDelivery(record, in: file, into: &rows)
      }
    case .clientLines:
      forEachLine(of: bytes, [], .client, &rows) { record, rows in
        parser.parseClientRecord(record, in: file, into: &rows)
      }
    case .rows(let header):
      parser.parseRows(
        bytes, firstLine: firstLine, header: header, in: file, into: &rows)
    case .catalogue:
      // The last byte of a binary property list can have the value of white space.
      let isBinary = bytes.starts(with: BinaryPropertyList.magic)
      parser.parseCatalogue(
        isBinary ? bytes : bytes.trimmed, firstLine: line(ofTextIn: bytes), in: file, into: &rows)
    case .appleReport:
      parser.parseAppleReport(bytes, in: file, into: &rows)
    case .rejected(let kind, let problem, let length):
      rows.countsInBlock.count(rejected: kind)
      let rejected = RejectedRecord(
        kind: kind, problem: problem,
        line: kind == .file ? nil : firstLine, length: length)
      rejected.append(bytes, in: file, to: &rows)
    }
    rows.rejectedInBlock.note(in: file)
    for (key, tally) in rows.rejectedInBlock.tallies where tally.countedOnly > 0 {
      RejectedRecord.append(counted: tally.countedOnly, of: key, in: file, to: &rows)
    }
    rows.counts[file.fileID, default: FileCounts()] += rows.countsInBlock
  }

  /// The line of the file in which a text begins that may have white space before it.
  private func line(ofTextIn bytes: Bytes) -> Int64 {
    let space = bytes.prefix { $0.isWhiteSpace }
    return firstLine + Int64(Bytes(rebasing: space).lineFeeds)
  }

  private func parseValues(
    _ values: [Range<Int>], isEnd: Bool, of bytes: Bytes, with parser: RecordParser,
    _ rows: inout StagedRows
  ) {
    var line = firstLine
    var counted = 0
    for value in values {
      line += Int64(bytes.part(counted..<value.lowerBound).lineFeeds)
      counted = value.lowerBound
      let record = RawRecord(
        bytes: bytes.part(value).trimmed, line: line, isLast: false,
        isDocument: isEnd && value == values.last)
      let limit = file.settings.documentLimitBytes
      if value.count > limit {
        parser.reject(
          .tooLong(value.count, limit: limit), HandedIn(record, in: file), &rows)
      } else {
        parser.parseReceipt(record, in: file, into: &rows)
      }
    }
  }

  private func forEachLine(
    of bytes: Bytes, _ documents: [LogFraming.Document], _ kind: RejectionKind,
    _ rows: inout StagedRows,
    _ body: (RawRecord, inout StagedRows) -> Void
  ) {
    var documents = documents[...]
    var line = firstLine
    var start = 0
    while start < bytes.count {
      if let document = documents.first, document.range.lowerBound == start {
        documents = documents.dropFirst()
        let record = bytes.part(document.range).withoutByteOrderMark
        if !document.isCutOff || !file.passesOverOpenLine {
          body(
            RawRecord(bytes: record.trimmed, line: line, isLast: document.isCutOff), &rows)
        }
        line += Int64(record.lineFeeds)
        start = document.range.upperBound
        continue
      }
      let feed = bytes.position(of: Byte.lineFeed, from: start)
      let end = feed ?? bytes.count
      if end - start > file.settings.documentLimitBytes {
        rows.countsInBlock.count(rejected: kind)
        let rejected = RejectedRecord(
          kind: kind, problem: .tooLong(end - start, limit: file.settings.documentLimitBytes),
          line: line)
        rejected.append(bytes.part(start..<end), in: file, to: &rows)
      } else {
        let record = bytes.part(start..<end).withoutByteOrderMark.trimmed
        let isPassedOver = feed == nil && file.passesOverOpenLine
        if !record.isEmpty, !isPassedOver {
          body(RawRecord(bytes: record, line: line, isLast: feed == nil), &rows)
        }
      }
      line += 1
      start = end + 1
    }
  }
}

extension Block.Content {
  /// Records of a folder, one a line.
  init(linesIn folder: Folder) {
    switch folder {
    case .deliveries: self = .deliveryLines
    case .client: self = .clientLines
    // Catalogues and reports are never read line by line, and acknowledgements are rows.
    case .receipts, .catalog, .acknowledgements, .apple: self = .receiptLines([])
    }
  }
}

/// One record, as its file contains it.
struct RawRecord {
  /// The record without white space around it.
  let bytes: Bytes
  /// The line in which it begins.
  let line: Int64
  /// Whether the file ends with it, without a line end.
  let isLast: Bool
  /// Whether it is a document, not a line, that ends where the file ends.
  var isDocument = false
}

extension RecordProblem {
  /// A record that is larger than the configuration allows.
  static func tooLong(_ bytes: some BinaryInteger, limit: Int) -> RecordProblem {
    RecordProblem(
      .tooLarge,
      "The record has \(bytes) bytes, and the limit is \(limit); split it, or raise the limit.")
  }
}

extension FileCounts {
  /// Counts a record of a log that was read and can be used.
  mutating func count(_ record: RawRecord, _ kind: RejectionKind) {
    change(kind) { $0.read += 1 }
    if record.isLast { openLine = record.line }
  }

  /// Counts a record that was read and rejected.
  mutating func count(rejected kind: RejectionKind) {
    change(kind) {
      $0.read += 1
      $0.rejected += 1
    }
    if kind == .file { fileRejected = true }
  }

  @inline(__always)
  private mutating func change(_ kind: RejectionKind, _ body: (inout Tally) -> Void) {
    switch kind {
    case .file: break
    case .receipt: body(&documents)
    case .transaction: body(&transactions)
    case .delivery: body(&deliveries)
    case .catalogue: body(&catalogueEntries)
    case .client: body(&clientRecords)
    case .acknowledgement: body(&acknowledgements)
    }
  }
}
