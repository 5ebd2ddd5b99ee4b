import CSimdJSON

/// Finds the form of a file from its first bytes, never from its name.
///
/// The folder decides the kind of its records. A record of another kind is rejected alone. Only a
/// file without any fitting record is reported as misplaced.
struct FormatProbe {
  /// The number of bytes that are searched for bytes that do not occur in text.
  private static let textProbeBytes = 1024

  let file: FileContext
  let parser: JSONParser

  /// Finds the form of the file; nil if more of its bytes are needed.
  ///
  /// `isWhole` means that these are all bytes of the file, `isEnough` that there will be no more.
  func identify(_ bytes: Bytes, isWhole: Bool, isEnough: Bool) -> FileFormat? {
    if bytes.starts(with: "bplist") { return propertyList }
    if file.folder == .receipts, EvidenceShape.isBinary(bytes) { return .binaryReceipt }
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    if let problem = KnownShape.ofBinary(bytes) { return .unusable(problem) }
    if isUTF16(bytes) { return lines.contains(where: fits) ? .jsonLines : .unusable(.notText) }
    guard let first = bytes.first(where: { !$0.isWhiteSpace }) else {
      if isWhole, file.folder == .apple { return .unusable(.emptyReport) }
      return isWhole ? .nothing : isEnough ? .jsonLines : nil
    }
    if first == UInt8(ascii: "<") {
      guard file.folder == .receipts else { return markup(bytes.trimmed) }
      // Lines of syslog begin with a number in angle brackets.
      if hasEvidence(lines) || hasEvidenceInSeveralLines(bytes, isFinal: isWhole) {
        return .jsonLines
      }
      return unless(isWhole, markup(bytes.trimmed))
    }
    let isJSON = first == Byte.openBrace || first == Byte.openBracket
    if !isJSON, !EvidenceShape.isText(bytes.trimmed),
      let report = lines.header.flatMap({
        AppleReportHeader(header: $0, separator: lines.namedSeparator)
      })
    {
      let isOurs = file.folder == .apple && report.isRead
      return isOurs ? .appleReport(report) : .unusable(report.problem)
    }
    let found: FileFormat?
    switch file.folder {
    case .receipts:
      if EvidenceShape.isText(bytes.trimmed) {
        return evidenceText(bytes.trimmed, lines, isEnough: isEnough)
      }
      if !isJSON {
        found = evidence(bytes, lines, isWhole, isEnough)
      } else if hasPrefix(lines), hasEvidence(lines) {
        found = .jsonLines
      } else {
        found = json(bytes, lines, isWhole, isEnough)
      }
    case .deliveries, .client:
      found = isJSON ? json(bytes, lines, isWhole, isEnough) : text(lines, isWhole)
    case .acknowledgements: found = acknowledgements(lines, isJSON: isJSON)
    case .catalog: found = catalogue(bytes, isJSON: isJSON, isEnough: isEnough)
    case .apple: found = isEnough || lines.header != nil ? noReport(lines, isJSON: isJSON) : nil
    }
    guard let format = found, isBinary(bytes, format) else { return found }
    // A log that was emptied while it was written begins with bytes of 0.
    if case .undecided = format { return .undecided(otherwise: .unusable(.notText)) }
    return .unusable(.notText)
  }

  /// Whether a file that cannot be used, or its CSV header, contains bytes that do not occur in
  /// text.
  ///
  /// If a single record of a text contains such a byte, only that record is rejected.
  private func isBinary(_ bytes: Bytes, _ format: FileFormat) -> Bool {
    let hasZero = bytes.prefix(Self.textProbeBytes).contains(0)
    switch format {
    case .unusable, .undecided(.unusable, _): return hasZero
    case .csv, .undecided(.csv, _):
      guard hasZero, let header = NonBlankLines(bytes, isWhole: true).header else { return false }
      return header.contains(0) || !tieoutIsUTF8(header.baseAddress, header.count)
    default: return false
    }
  }

  /// The form of receipts and signed texts in base64, one a line or wrapped.
  private func evidenceText(
    _ text: Bytes, _ lines: NonBlankLines, isEnough: Bool
  ) -> FileFormat? {
    guard let isOnePerLine = EvidenceShape.isOnePerLine(text, isEnough: isEnough) else {
      return nil
    }
    // If a line is a record by itself, the text is not wrapped, and its first line is a broken
    // record.
    return isOnePerLine || lines.contains(where: fits) ? .jsonLines : .document
  }

  /// The form of a text that begins like JSON.
  private func json(
    _ bytes: Bytes, _ lines: NonBlankLines, _ isWhole: Bool, _ isEnough: Bool
  ) -> FileFormat? {
    if let line = lines.line(0), let kind = kind(ofObject: line) {
      if file.folder == .receipts, kind == .unknown {
        return unknownObjects(bytes, lines, isWhole, isEnough)
      }
      // An object that ends with its line is not part of a longer document.
      if kind.folder == file.folder || kind == .unknown || lines.contains(where: isOursOrUnknown) {
        return .jsonLines
      }
      if file.folder == .receipts, hasEvidence(lines) { return .jsonLines }
      return isEnough ? unless(isWhole, misplaced(kind)) : nil
    }
    if file.folder == .receipts {
      switch ValueFraming.isArray(bytes, lines, isWhole: isWhole, isEnough: isEnough) {
      case nil: return nil
      case true? where isArrayOfDocuments(bytes): return .values
      default: break
      }
    }
    // A second line that is a record by itself cannot be part of a document, unless it is an entry
    // of one of Apple's own lists.
    if let line = lines.line(1), fits(line), !isOfList(line) { return .jsonLines }
    if file.folder == .receipts {
      if startsLog(bytes, isFinal: isWhole) { return .jsonLines }
      let isConcatenation = ValueFraming.isConcatenation(
        bytes, isWhole: isWhole, isEnough: isEnough,
        isJSON: { (try? parser.parse($0)) != nil })
      if isConcatenation == true { return .values }
    }
    guard isEnough else { return nil }
    if isWhole, let kind = kind(ofDocument: bytes.trimmed) {
      guard kind.folder == file.folder || kind == .unknown else {
        let isOfOtherShape = file.folder == .receipts && !EvidenceSearch(bytes).found.isEmpty
        return isOfOtherShape ? .document : misplaced(kind)
      }
      return file.folder == .receipts ? .document : .unusable(unknown)
    }
    if lines.contains(where: fits) { return .jsonLines }
    // A single line without an end is too long, whatever its form is.
    if !isWhole, lines.line(0) == nil { return .jsonLines }
    if file.folder == .receipts {
      let isLog = isManyValues(lines) && hasEvidence(lines) || isLogWithDamagedStart(lines)
      if isLog { return .jsonLines }
      if !isWhole, hasPrefix(lines) { return .undecided(otherwise: .unusable(unknown)) }
      return unless(isWhole, .document)
    }
    return bytes.first { !$0.isWhiteSpace } == Byte.openBrace
      ? .jsonLines : unless(isWhole, .unusable(unknown))
  }

  /// The form of lines of which the first is an object that is no record of any folder.
  ///
  /// They can be a log that contains evidence.
  private func unknownObjects(
    _ bytes: Bytes, _ lines: NonBlankLines, _ isWhole: Bool, _ isEnough: Bool
  ) -> FileFormat? {
    guard lines.line(1) != nil else { return isEnough ? .jsonLines : nil }
    if lines.contains(where: fits) || hasEvidence(lines) { return .jsonLines }
    if hasEvidenceInSeveralLines(bytes, isFinal: isWhole) { return .jsonLines }
    return unless(isWhole, .unusable(noEvidence(lines)))
  }

  private func noEvidence(_ lines: NonBlankLines) -> RecordProblem {
    // The name of a member can be that of a person.
    let isShown = file.settings.pseudonyms.changesNothing
    let first = isShown ? lines.line(0).flatMap { try? parser.parse($0) } : nil
    let names = first.map { $0.memberNames(limit: 5) } ?? []
    let shown = names.map { RejectedRecord.visible($0, limit: 40) }.joined(separator: ", ")
    return RecordProblem(
      .unknownFormat,
      "No line of this file contains evidence of a purchase. The lines are JSON objects"
        + (isShown ? " with members like \(shown.isEmpty ? "none" : shown). " : ". ")
        + "Put the documents of Apple here as the server received them, or keep the file outside the inbox."
    )
  }

  /// The form of a text in a folder of logs that does not begin like JSON.
  ///
  /// It is CSV, or lines of which the first ones are not records.
  private func text(_ lines: NonBlankLines, _ isWhole: Bool) -> FileFormat {
    let kind = kind(ofHeaderIn: lines)
    if kind?.folder == file.folder { return .csv }
    if lines.contains(where: fits) { return .jsonLines }
    if let kind { return misplaced(kind) }
    return unless(isWhole, .csv)
  }

  /// The form of evidence that begins like neither JSON nor base64: a table, a log, an encoded
  /// text.
  private func evidence(
    _ bytes: Bytes, _ lines: NonBlankLines, _ isWhole: Bool, _ isEnough: Bool
  ) -> FileFormat? {
    if RecordedYAML.isOne(bytes.trimmed) { return isEnough ? .document : nil }
    if bytes.trimmed.starts(with: "-----BEGIN") {
      // A line of PEM can be a receipt by itself, and the lines around it are no records.
      guard isEnough else { return nil }
      if isWhole, !EvidenceSearch(bytes).found.isEmpty { return .document }
    }
    if lines.contains(where: { $0.first == Byte.openBrace && fits($0) }) { return .jsonLines }
    // A row that begins with a receipt looks like a line with a receipt.
    switch TableSearch.probe(bytes, isWhole: isWhole, in: file) {
    case .table(let separator): return .table(separator: separator)
    case .undecided(let table):
      guard isEnough else { return nil }
      return .undecided(otherwise: noTable(bytes, lines), table: table)
    case .other: break
    }
    if lines.contains(where: fits) || hasEvidence(lines) { return .jsonLines }
    if kind(ofHeaderIn: lines) != nil { return noTable(bytes, lines) }
    guard isEnough else { return nil }
    if isWhole, !EvidenceSearch(bytes).found.isEmpty { return .document }
    return unless(isWhole, noTable(bytes, lines))
  }

  /// The form of a text without evidence, which may be a table of another folder.
  private func noTable(_ bytes: Bytes, _ lines: NonBlankLines) -> FileFormat {
    if let kind = kind(ofHeaderIn: lines) { return misplaced(kind) }
    return .unusable(KnownShape.ofText(bytes) ?? unknown)
  }

  /// Whether any of the lines contains evidence in another shape.
  private func hasEvidence(_ lines: NonBlankLines) -> Bool {
    lines.contains {
      $0.count <= file.settings.documentLimitBytes && !EvidenceSearch($0).found.isEmpty
    }
  }

  /// Whether the folder is `receipts` and any of the records contains evidence in another shape.
  func hasEvidence(_ bytes: Bytes) -> Bool {
    guard file.folder == .receipts else { return false }
    return hasEvidence(NonBlankLines(bytes, isWhole: true))
      || hasEvidenceInSeveralLines(bytes, isFinal: true)
  }

  /// Whether any object of several lines contains evidence.
  private func hasEvidenceInSeveralLines(_ bytes: Bytes, isFinal: Bool) -> Bool {
    LogFraming.documents(in: bytes, isFinal: isFinal, limit: file.settings.documentLimitBytes)
      .contains { !EvidenceSearch(bytes.part($0)).found.isEmpty }
  }

  /// Whether the first line is a JSON value by itself, and others follow.
  private func isManyValues(_ lines: NonBlankLines) -> Bool {
    guard let line = lines.line(0), lines.line(1) != nil,
      case .ended(let end) = ValueFraming.extent(of: line, from: 0)
    else { return false }
    return end == line.count
  }

  /// Whether most lines begin with a brace, and one after the first is an object with evidence.
  ///
  /// The first line is no object by itself. In one long document, few lines begin with a brace.
  private func isLogWithDamagedStart(_ lines: NonBlankLines) -> Bool {
    var balance = 0
    for line in lines { balance += line.first == Byte.openBrace ? 1 : -1 }
    return balance > 0
      && lines.contains { kind(ofObject: $0) != nil && !EvidenceSearch($0).found.isEmpty }
  }

  /// Whether the text begins with an object of several lines, and other records follow it.
  ///
  /// What follows a broken object must be or contain evidence, because it may be a part of it.
  private func startsLog(_ bytes: Bytes, isFinal: Bool) -> Bool {
    let limit = file.settings.documentLimitBytes
    guard let first = bytes.skippingWhiteSpace(from: 0), bytes[first] == Byte.openBrace else {
      return false
    }
    var framing = LogFraming(limit: limit)
    let text = bytes.part(bytes.lineStart(of: first)..<bytes.count)
    guard let document = framing.cut(text, isFinal: isFinal).documents.first?.range,
      document.lowerBound == 0
    else { return false }
    let rest = text.part(document.upperBound..<text.count)
    guard let next = rest.skippingWhiteSpace(from: 0) else { return false }
    return (try? parser.parse(text.part(document).trimmed)) != nil
      || rest[next] == Byte.openBrace || hasEvidence(rest)
  }

  /// Whether only the beginning of the first line is JSON, as in a log: `[2026-11-20] {…}`.
  private func hasPrefix(_ lines: NonBlankLines) -> Bool {
    guard let line = lines.line(0),
      case .ended(let end) = ValueFraming.extent(of: line, from: 0),
      let next = line.skippingWhiteSpace(from: end)
    else { return false }
    return line[next] != UInt8(ascii: ",")
  }

  /// Whether an array contains documents, and not the identifiers of a catalogue.
  private func isArrayOfDocuments(_ bytes: Bytes) -> Bool {
    guard let open = bytes.skippingWhiteSpace(from: 0),
      let first = bytes.skippingWhiteSpace(from: open + 1), bytes[first] == Byte.quote
    else { return true }
    return !EvidenceSearch(bytes.part(0..<min(bytes.count, 1 << 20))).found.isEmpty
  }

  /// The format if these are all bytes of the file; otherwise undecided until the rest is read.
  private func unless(_ isWhole: Bool, _ format: FileFormat) -> FileFormat {
    isWhole ? format : .undecided(otherwise: format)
  }

  private func catalogue(_ bytes: Bytes, isJSON: Bool, isEnough: Bool) -> FileFormat? {
    // If the first line ends within the limit and is a record by itself, the file is in the wrong
    // folder.
    let lines = NonBlankLines(bytes, isWhole: isEnough)
    guard let line = lines.line(0) else { return isEnough ? .catalogue : nil }
    if isJSON {
      if let kind = kind(ofObject: line), [.receipt, .delivery, .client].contains(kind) {
        return misplaced(kind)
      }
      return .catalogue
    }
    guard let kind = kind(ofHeaderIn: lines) else {
      return .unusable(KnownShape.ofText(bytes) ?? unknown)
    }
    return misplaced(kind)
  }

  private func acknowledgements(_ lines: NonBlankLines, isJSON: Bool) -> FileFormat {
    guard isJSON else {
      let kind = kind(ofHeaderIn: lines) ?? .acknowledgement
      return kind == .acknowledgement ? .csv : misplaced(kind)
    }
    guard let line = lines.line(0), let kind = kind(ofObject: line), kind != .unknown else {
      return .unusable(unknown)
    }
    return misplaced(kind)
  }

  /// The form of a file that is no report, in the folder of reports.
  private func noReport(_ lines: NonBlankLines, isJSON: Bool) -> FileFormat {
    let found =
      isJSON ? lines.line(0).flatMap { kind(ofObject: $0) } : kind(ofHeaderIn: lines)
    guard let found, found != .unknown else { return .unusable(unknown) }
    return misplaced(found)
  }

  private func markup(_ text: Bytes) -> FileFormat {
    // The root shows the form of the XML. The parser finds the root after comments and
    // declarations.
    guard file.folder != .catalog else { return .catalogue }
    let starts: [StaticString] = ["<?xml", "<!DOCTYPE plist", "<plist", "<package"]
    return starts.contains { text.starts(with: $0) }
      ? misplaced(.catalogue) : .unusable(KnownShape.ofText(text) ?? unknown)
  }

  private var propertyList: FileFormat {
    file.folder == .catalog ? .catalogue : misplaced(.catalogue)
  }

  private var unknown: RecordProblem {
    let forms =
      switch file.folder {
      case .receipts: "receipts, signed texts, one JSON document or one a line"
      case .deliveries, .client: "CSV with a header row, or one JSON object a line"
      case .acknowledgements: "CSV with a header row"
      case .catalog: "property lists, other XML, or JSON"
      case .apple: "reports of Apple, with tabs or as CSV"
      }
    return RecordProblem(
      .unknownFormat,
      "The folder \(file.folder.rawValue)/ is for \(forms); this file has another format.")
  }

  private func isUTF16(_ bytes: Bytes) -> Bool {
    guard bytes.count >= 2 else { return false }
    if bytes[0] == 0xff && bytes[1] == 0xfe || bytes[0] == 0xfe && bytes[1] == 0xff { return true }
    // Without a mark, one byte of each ASCII character is zero, always at the same position.
    let zeros = bytes.prefix(8).map { $0 == 0 }
    return zeros.count >= 4 && zeros[0] != zeros[1]
      && zeros.indices.allSatisfy { zeros[$0] == zeros[$0 % 2] }
  }
}

extension RecordProblem {
  /// A file that is no text.
  static let notText = RecordProblem(
    .notText,
    "The file is binary, or UTF-16 without a byte order mark; write UTF-8 text, compressed or not.")
}
