package import FileSystem

/// Reads one file, front to back, on one thread, and returns blocks of whole records.
public final class FileReader {
  private let file: FileContext
  private let refusal: FileRefusal?
  private let unread: UnreadBytes
  private let parser: JSONParser
  private var step = Step.open
  /// Whether no rejection shows a row that was not separated into fields, because a column is a
  /// secret.
  private var hidesRows = false
  /// Whether the blocks so far end inside of a private key.
  private var isInKey = false
  private var ready: [Block] = []
  /// The number of bytes that were searched for the ends of lines and rows, or for header rows.
  package private(set) var work = 0
  /// The number of blocks so far.
  private var blockCount: Int64 = 0
  private var problem: RecordProblem?
  private var excerptOfFile: UnreadBytes.Taken?

  /// The reason why the file, or its rest, could not be used, if reading found it.
  ///
  /// A catalogue is only checked when its block is parsed; ``FileCounts/fileRejected`` covers that
  /// too.
  public private(set) var fileRejection: FileRejection?

  /// The form of the file in a word or two, for people; nil if its folder cannot use the form.
  package private(set) var format: String?

  /// The compression of the file; nil if it is not compressed.
  package var compression: Compression? { unread.source.compression }

  /// Prepares to read a file; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - place: The place of the file.
  ///   - refusal: The reason why the file must not be opened, if it is known already.
  ///   - byteLimit: The number of bytes that the file had before it grew; nil to read all bytes.
  ///   - startBytes: The numbers of first bytes for ``startSHA256``.
  ///   - passesOverOpenLine: Whether a last line without a line end is skipped, because the file
  ///     has grown.
  ///   - memory: The memory of the files before this one, none of which is still read; nil for
  ///     new memory.
  package init(
    _ place: FilePlace, refusal: FileRefusal? = nil, folder: Folder, fileID: Int32,
    settings: IntakeSettings, byteLimit: Int64? = nil, startBytes: [Int64] = [],
    passesOverOpenLine: Bool = false, memory: ReadingMemory? = nil
  ) {
    self.refusal = refusal
    let memory = memory ?? ReadingMemory(settings)
    parser = memory.parser
    file = FileContext(
      fileID: fileID, folder: folder, settings: settings, passesOverOpenLine: passesOverOpenLine)
    unread = UnreadBytes(
      FileSource(place, byteLimit: byteLimit, startBytes: startBytes),
      blockBytes: settings.blockBytes, pool: memory.blocks)
  }

  /// Prepares to read a file that the program's user has named.
  public convenience init(
    path: String, folder: Folder, fileID: Int32, settings: IntakeSettings, byteLimit: Int64? = nil,
    startBytes: [Int64] = [], passesOverOpenLine: Bool = false, memory: ReadingMemory? = nil
  ) {
    self.init(
      FilePlace(anywhere: path), folder: folder, fileID: fileID, settings: settings,
      byteLimit: byteLimit, startBytes: startBytes, passesOverOpenLine: passesOverOpenLine,
      memory: memory)
  }

  /// The SHA-256 of the file's bytes on disk; complete after the last block.
  package var sha256: [UInt8] { unread.source.sha256 }

  /// The SHA-256 of the first bytes, by their number; without numbers that the file does not have.
  package var startSHA256: [Int64: [UInt8]] { unread.source.startSHA256 }

  /// How many bytes the file has on disk; complete after the last block.
  public var byteCount: Int64 { unread.source.byteCount }

  /// The next block, or nil at the end.
  public func next() -> Block? {
    while ready.isEmpty {
      switch step {
      case .open: open()
      case .identify: identify()
      case .search(let table, let otherwise): search(table, otherwise)
      case .lines(let framing, let content): cutBlock(framing, content)
      case .rows(let header, let end): giveRows(below: header, to: end)
      case .values(let framing): cutValues(framing)
      case .skip(let record, let rejection, let next): skip(record, rejection, next: next)
      case .finish: finish()
      case .ended: return nil
      }
    }
    return ready.removeFirst()
  }

  private var limit: Int { file.settings.documentLimitBytes }

  private func open() {
    do throws(RecordProblem) {
      if let refusal { throw RecordProblem(refusal) }
      try unread.source.open()
      step = .identify
    } catch {
      reject(error)
    }
  }

  private func identify() {
    let probe = FormatProbe(file: file, parser: parser)
    fillFirst()
    while true {
      let isEnough = unread.isAtEnd || unread.count > limit
      if let format = probe.identify(
        unread.bytes, isWhole: unread.isWholeRest, isEnough: isEnough)
      {
        parser.trim()
        return begin(format)
      }
      unread.fillMore(upTo: limit + 1)
    }
  }

  private func fillFirst() {
    unread.fill(max(file.settings.blockBytes, 64 << 10))
    if unread.bytes.starts(with: "\u{feff}") { unread.drop(3) }
  }

  /// Searches more lines for a record of the folder, or for a row of a table, and then starts again
  /// at the first byte.
  ///
  /// The search stops at the first such record, or at the end. An empty block is returned for each
  /// piece, so that the caller can stop.
  private func search(_ table: TableSearch?, _ otherwise: FileFormat) {
    unread.fill(file.settings.blockBytes)
    guard unread.count > 0 else { return beginAgain(otherwise) }
    var (table, otherwise) = (table, otherwise)
    let framingOfLines = LineFraming(linesIn: file.folder, limit: limit)
    var framing = table.map { LineFraming.csv($0.scanner) } ?? framingOfLines
    let end = searchedEnd(&framing)
    let found = find(&table, &otherwise, in: unread.bytes.part(0..<end))
    parser.trim()
    step = .search(table, otherwise)
    guard end > 0 else { return skip(LongRecord(framing, limit: limit), nil, next: step) }
    unread.drop(end)
    giveNothing()
    if let found { beginAgain(found) }
  }

  private func beginAgain(_ format: FileFormat) {
    do throws(RecordProblem) {
      try unread.rewind()
      fillFirst()
      begin(format)
    } catch {
      reject(error)
    }
  }

  /// The end of the next piece to search; 0 if the next record is longer than the limit.
  private func searchedEnd(_ framing: inout LineFraming) -> Int {
    var end = framing.cut(unread.bytes, isFinal: unread.isAtEnd).end
    while end == 0, !unread.isAtEnd, unread.count <= limit {
      unread.fillMore(upTo: limit + 1)
      end = framing.cut(unread.bytes, isFinal: unread.isAtEnd).end
    }
    guard end == 0, unread.isAtEnd else { return end }
    if case .csv = framing, unread.count > limit { return 0 }
    return unread.count
  }

  /// The form of the file, if the next piece of it shows the form.
  private func find(
    _ table: inout TableSearch?, _ otherwise: inout FileFormat, in bytes: Bytes
  ) -> FileFormat? {
    switch table?.read(bytes, isFinal: true) {
    case .found?: return table.map { .table(separator: $0.separator) }
    case .refuted?: table = nil
    default: break
    }
    if hasRecord(bytes, otherwise) { otherwise = .jsonLines }
    // A row of a table can be a line with evidence too, so a later row may still show the table.
    if case .jsonLines = otherwise, table == nil { return otherwise }
    return nil
  }

  /// Whether bytes contain a record of the folder; false if an earlier piece contains one.
  private func hasRecord(_ bytes: Bytes, _ otherwise: FileFormat) -> Bool {
    let probe = FormatProbe(file: file, parser: parser)
    switch otherwise {
    case .jsonLines: return false
    case .unusable: return probe.hasRecord(bytes) || probe.hasEvidence(bytes)
    default: return probe.hasRecord(bytes)
    }
  }

  private func begin(_ format: FileFormat) {
    self.format = format.name(ofFileWith: unread.bytes)
    switch format {
    case .undecided(let otherwise, let table):
      if let table { unread.drop(table.start) }
      step = .search(table, otherwise)
    case .nothing: step = .finish
    case .unusable(let problem): reject(problem)
    case .jsonLines:
      let framing = LineFraming(linesIn: file.folder, limit: limit)
      step = .lines(framing, Block.Content(linesIn: file.folder))
    case .csv: readHeader()
    case .table(let separator): readTable(separator)
    case .values: beginValues()
    case .document: takeWhole(.receipt, .receipt)
    case .binaryReceipt: takeWhole(.binaryReceipt, .receipt)
    case .catalogue: takeWhole(.catalogue, .file)
    case .appleReport: takeWhole(.appleReport, .file)
    }
  }

  private func readHeader() {
    let first = unread.start(4096)
    do throws(RecordProblem) {
      let header = try CSVHeader(readingFrom: unread, in: file)
      hidesRows = !header.secrets.isEmpty
      step = .lines(.csv(header.scanner(limit: limit)), .rows(header))
    } catch {
      // In a damaged file, the header may be wrong only because it is cut off.
      reject(unread.source.problem ?? error, excerpt: first)
    }
  }

  private func readTable(_ separator: UInt8) {
    let first = unread.start(4096)
    do throws(RecordProblem) {
      let header = try CSVHeader.readNames(from: unread, in: file, separator: separator)
      let table = try ReceiptTable(names: header.names, separator: header.separator, in: file)
      hidesRows = !table.secrets.isEmpty
      step = .lines(.csv(table.scanner(limit: limit)), .table(table))
    } catch {
      reject(error, excerpt: first)
    }
  }

  /// Drops the bracket of an array, and keeps the white space before the first value in its line.
  private func beginValues() {
    unread.drop(unread.bytes.prefix { $0.isWhiteSpace }.count)
    let isArray = unread.bytes.first == Byte.openBracket
    if isArray { unread.drop(1) }
    let space = unread.bytes.prefix { $0.isWhiteSpace }
    let line = space.split(separator: Byte.lineFeed, omittingEmptySubsequences: false).last
    step = .values(ValueFraming(indent: line.map { Array($0) } ?? [], isArray: isArray))
  }

  /// Returns the available whole values, up to the limit of a block, and keeps the rest.
  private func cutValues(_ framing: ValueFraming) {
    var framing = framing
    unread.fill(file.settings.blockBytes)
    while true {
      let cut = framing.cut(unread.bytes, isFinal: unread.isWholeRest, limit: limit)
      step = .values(framing)
      if !cut.values.isEmpty {
        let isEnd = unread.isWholeRest && cut.values.last?.upperBound == unread.count
        return give(unread.take(cut.end), .receiptValues(cut.values, isEnd: isEnd))
      }
      if unread.isAtEnd {
        step = .finish
        guard framing.isOpenArray, unread.isWholeRest else { return }
        return give(
          unread.take(unread.count), .rejected(file.folder.kind, .openArray, length: 0))
      }
      // White space between values can be longer than any value.
      unread.drop(cut.end)
      if unread.count > limit {
        return skip(.value, rejection(file.folder.kind), next: step)
      }
      if cut.end > 0 { return giveNothing() }
      unread.fillMore(upTo: unread.count + limit + 1)
    }
  }

  /// Returns the available whole records, up to the limit of a block, and keeps the rest.
  private func cutBlock(_ framing: LineFraming, _ content: Block.Content) {
    var framing = framing
    unread.fill(file.settings.blockBytes)
    while true {
      let (end, documents) = framing.cut(unread.bytes, isFinal: unread.isWholeRest)
      work += unread.count
      step = .lines(framing, content)
      if end > 0 {
        if let header = content.header { return giveRows(below: header, to: end) }
        return give(unread.take(end), documents.isEmpty ? content : .receiptLines(documents))
      }
      let isDamaged = unread.isAtEnd && !unread.isWholeRest
      if unread.count > limit, !isDamaged {
        return skip(LongRecord(framing, limit: limit), rejection(file.folder.kind), next: step)
      }
      if unread.isAtEnd {
        // In a damaged file, the bytes after the last whole record are lost with the rest of the
        // file.
        if !isDamaged, unread.count > 0 { give(unread.take(unread.count), content) }
        step = .finish
        return
      }
      unread.fillMore(upTo: limit + 1)
    }
  }

  /// Returns the rows up to a place, or up to a header row, by which those below it are read.
  private func giveRows(below header: any RowHeader, to end: Int) {
    let repeated = header.repeated(in: unread.bytes.part(0..<end), of: file)
    work += repeated?.range.upperBound ?? end
    guard let repeated else {
      step = .lines(.csv(header.scanner(limit: limit)), header.content)
      return give(unread.take(end), header.content)
    }
    let (start, rest) = (repeated.range.lowerBound, end - repeated.range.upperBound)
    if start > 0 { give(unread.take(start), header.content) }
    do throws(RecordProblem) {
      let next = try repeated.header.get()
      unread.drop(repeated.range.count)
      if !next.secrets.isEmpty { hidesRows = true }
      // The rows are cut again only if another number of columns can change where they end.
      let isCut = next.width == header.width || unread.count <= limit
      let again = Step.lines(.csv(next.scanner(limit: limit)), next.content)
      step = isCut && rest > 0 ? .rows(next, end: rest) : again
    } catch {
      let row = unread.start(hidesRows ? 0 : 4096)
      reject(error.ofRepeatedHeader(inLine: row.firstLine), excerpt: row)
    }
  }

  /// The rejection of the record that begins here.
  private func rejection(_ kind: RejectionKind) -> LongRecord.Rejection {
    let shown = hidesRows ? 0 : max(4096, file.settings.rejectionLimitBytes)
    return LongRecord.Rejection(kind: kind, start: unread.start(shown))
  }

  /// Drops the next piece of a record that is longer than the limit, and then rejects the record.
  ///
  /// An empty block is returned for each piece, so that the caller can stop.
  private func skip(_ record: LongRecord, _ rejection: LongRecord.Rejection?, next: Step) {
    var record = record
    guard record.dropPiece(from: unread) else {
      step = .skip(record, rejection, next: next)
      return giveNothing()
    }
    step = next
    guard let rejection else { return }
    let problem = RecordProblem.tooLong(record.length, limit: limit)
    if rejection.kind == .file { return reject(problem, excerpt: rejection.start) }
    give(rejection.start, .rejected(rejection.kind, problem, length: record.length))
  }

  /// Returns the whole file as one record, unless it is too large or damaged.
  private func takeWhole(_ content: Block.Content, _ kind: RejectionKind) {
    step = .finish
    while !unread.isAtEnd, unread.count <= limit { unread.fillMore(upTo: limit + 1) }
    if unread.isWholeRest, unread.count <= limit {
      return give(unread.take(unread.count), content)
    }
    // A damaged file contains no whole document; the rejection of the file is enough.
    guard unread.source.problem == nil else { return }
    skip(.file, rejection(kind), next: .finish)
  }

  private func give(_ bytes: UnreadBytes.Taken, _ content: Block.Content) {
    ready.append(
      Block(
        file: file, content: content, number: blockCount, firstLine: bytes.firstLine,
        startsInKey: isInKey, buffer: bytes.buffer, range: bytes.range))
    blockCount += 1
    isInKey = KeyLines.isOpen(after: bytes.buffer.bytes.part(bytes.range), before: isInKey)
  }

  private func giveNothing() {
    give(unread.start(0), Block.Content(linesIn: file.folder))
  }

  private func reject(_ problem: RecordProblem, excerpt: UnreadBytes.Taken? = nil) {
    self.problem = problem
    excerptOfFile = excerpt
    step = .finish
  }

  // The rejection of a file comes last, after all of the file is counted and hashed. An empty block
  // is returned for each piece before that, so that the caller can stop.
  private func finish() {
    let start = excerptOfFile ?? unread.start(hidesRows ? 0 : 4096)
    excerptOfFile = start
    guard unread.finish() else { return giveNothing() }
    if let problem = problem ?? unread.source.problem {
      fileRejection = FileRejection(reason: problem.reason, detail: problem.detail)
      give(start, .rejected(.file, problem, length: byteCount))
    }
    step = .ended
  }
}
