/// Reads one file, front to back, on one thread; hands out blocks of whole records.
public final class FileReader {
  private enum Step {
    case open, identify, finish, ended
    case lines(LineFraming, Block.Content)
  }

  private let file: FileContext
  private let unread: UnreadBytes
  private let parser: JSONParser
  private var step = Step.open
  private var ready: [Block] = []
  private var problem: RecordProblem?
  private var excerptOfFile: UnreadBytes.Taken?

  /// Why the file as a whole, or its rest, could not be used, as far as reading it tells.
  ///
  /// A catalogue is only understood when its block is parsed; ``FileCounts/fileRejected`` tells of all.
  public private(set) var fileRejection: FileRejection?

  /// Prepares to read a file; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - byteLimit: Of a file that has grown since, the bytes that it had; nil: all that there are.
  ///   - memory: That of the files before it, of which none is still read; else one of its own.
  public init(
    path: String, folder: Folder, fileID: Int32, settings: IntakeSettings, byteLimit: Int64? = nil,
    memory: ReadingMemory? = nil
  ) {
    let memory = memory ?? ReadingMemory(settings)
    parser = memory.parser
    file = FileContext(fileID: fileID, folder: folder, settings: settings)
    unread = UnreadBytes(
      FileSource(path: path, byteLimit: byteLimit), blockBytes: settings.blockBytes,
      pool: memory.blocks)
  }

  /// The SHA-256 of the file's bytes as they lie on disk; complete after the last block.
  public var sha256: [UInt8] { unread.source.sha256 }

  /// How many bytes the file has on disk; complete after the last block.
  public var byteCount: Int64 { unread.source.byteCount }

  /// The next block, or nothing at the end.
  public func next() -> Block? {
    while ready.isEmpty {
      switch step {
      case .open: open()
      case .identify: identify()
      case .lines(let framing, let content): cutBlock(framing, content)
      case .finish: finish()
      case .ended: return nil
      }
    }
    return ready.removeFirst()
  }

  private var limit: Int { file.settings.documentLimitBytes }

  private func open() {
    do throws(RecordProblem) {
      try unread.source.open()
      step = .identify
    } catch {
      reject(error)
    }
  }

  private func identify() {
    let probe = FormatProbe(file: file, parser: parser)
    unread.fill(max(file.settings.blockBytes, 64 << 10))
    if unread.bytes.starts(with: "\u{feff}") { unread.drop(3) }
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

  private func begin(_ format: FileFormat) {
    switch format {
    case .nothing: step = .finish
    case .unusable(let problem): reject(problem)
    case .jsonLines:
      step = .lines(.lines, lines)
    case .csv: readHeader()
    case .document: takeWhole(.receipt, .receipt)
    case .binaryReceipt: takeWhole(.binaryReceipt, .receipt)
    case .catalogue: takeWhole(.catalogue, .file)
    }
  }

  private var lines: Block.Content {
    switch file.folder {
    case .deliveries: .deliveryLines
    case .client: .clientLines
    // A catalogue is never read line by line, and acknowledgements are rows.
    case .receipts, .catalog, .acknowledgements: .receiptLines
    }
  }

  private func readHeader() {
    let first = unread.start(4096)
    do throws(RecordProblem) {
      let header = try CSVHeader(readingFrom: unread, in: file)
      let scanner = CSVScanner(separator: header.separator, limit: limit)
      step = .lines(.csv(scanner), .rows(header))
    } catch {
      reject(error, excerpt: first)
    }
  }

  /// Hands out as many whole records as are at hand, and keeps the rest for the next block.
  private func cutBlock(_ framing: LineFraming, _ content: Block.Content) {
    unread.fill(file.settings.blockBytes)
    while true {
      let end = framing.cut(unread.bytes, isFinal: unread.isWholeRest)
      if end > 0 { return give(unread.take(end), content) }
      if unread.isAtEnd {
        // Of a damaged file, what stands behind the last whole record is lost with the file's rest.
        if unread.isWholeRest, unread.count > 0 { give(unread.take(unread.count), content) }
        step = .finish
        return
      }
      if unread.count > limit { return skipLine() }
      unread.fillMore(upTo: limit + 1)
    }
  }

  /// Rejects a line that is longer than the limit, without ever having all of it at hand.
  private func skipLine() {
    let start = unread.start(max(4096, file.settings.rejectionLimitBytes))
    let length = unread.dropLine()
    give(start, .rejected(file.folder.kind, .tooLong(length, limit: limit), length: length))
  }

  /// Hands out the whole file as one record, unless it is too large or damaged.
  private func takeWhole(_ content: Block.Content, _ kind: RejectionKind) {
    step = .finish
    while !unread.isAtEnd, unread.count <= limit { unread.fillMore(upTo: limit + 1) }
    if unread.isWholeRest, unread.count <= limit {
      return give(unread.take(unread.count), content)
    }
    // Of a damaged file nothing is whole; its rejection is enough.
    guard unread.source.problem == nil else { return }
    let start = unread.start(max(4096, file.settings.rejectionLimitBytes))
    let length = unread.dropAll()
    let problem = RecordProblem.tooLong(length, limit: limit)
    if kind == .file { return reject(problem, excerpt: start) }
    give(start, .rejected(kind, problem, length: length))
  }

  private func give(_ bytes: UnreadBytes.Taken, _ content: Block.Content) {
    ready.append(
      Block(
        file: file, content: content, firstLine: bytes.firstLine, buffer: bytes.buffer,
        range: bytes.range))
  }

  private func reject(_ problem: RecordProblem, excerpt: UnreadBytes.Taken? = nil) {
    self.problem = problem
    excerptOfFile = excerpt
    step = .finish
  }

  // The rejection of a file comes last, when all of it is counted and hashed.
  private func finish() {
    let start = excerptOfFile ?? unread.start(4096)
    unread.finish()
    if let problem = problem ?? unread.source.problem {
      fileRejection = FileRejection(reason: problem.reason, detail: problem.detail)
      give(start, .rejected(.file, problem, length: byteCount))
    }
    step = .ended
  }
}

/// Why a file as a whole, or its rest, could not be used.
public struct FileRejection: Sendable, Equatable {
  /// The reason, from the closed list.
  public let reason: RejectionReason
  /// What was found and what to do, in one sentence.
  public let detail: String
}
