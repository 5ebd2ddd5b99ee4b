/// What a file turned out to hold.
enum FileFormat {
  /// Nothing but white space.
  case nothing
  /// One JSON document a line.
  case jsonLines
  /// One JSON document.
  case document
  /// CSV; the header is still to be read.
  case csv
  /// One receipt in binary.
  case binaryReceipt
  /// One catalogue.
  case catalogue
  /// Nothing that its folder could use.
  case unusable(RecordProblem)
}

/// Finds out from a file's first bytes what it holds: the content says it, never the name.
struct FormatProbe {
  /// How many bytes are looked at for characters that no text has.
  private static let textProbeBytes = 1024

  let file: FileContext
  let parser: JSONParser

  /// Says what the file holds, or nothing if more of its bytes are needed.
  ///
  /// `isWhole` says that these are all bytes of the file, `isEnough` that there will be no more.
  func identify(_ bytes: Bytes, isWhole: Bool, isEnough: Bool) -> FileFormat? {
    if bytes.starts(with: "bplist") { return propertyList }
    if file.folder == .receipts, EvidenceShape.isBinary(bytes) { return .binaryReceipt }
    if hasUTF16Mark(bytes) || bytes.prefix(Self.textProbeBytes).contains(0) {
      return .unusable(
        RecordProblem(
          .notText, "The file is UTF-16 or binary; write UTF-8 text, compressed with gzip or not."))
    }
    guard let first = bytes.first(where: { !$0.isWhiteSpace }) else {
      return isWhole ? .nothing : isEnough ? .jsonLines : nil
    }
    if first == UInt8(ascii: "<") { return markup(bytes.trimmed) }
    switch file.folder {
    case .receipts: return receipts(bytes, first, isWhole: isWhole, isEnough: isEnough)
    case .deliveries:
      return records(.delivery, bytes, first, isWhole: isWhole, isEnough: isEnough)
    case .client: return records(.client, bytes, first, isWhole: isWhole, isEnough: isEnough)
    case .acknowledgements: return acknowledgements(bytes, first, isWhole: isWhole)
    case .catalog: return catalogue(bytes, first, isEnough: isEnough)
    }
  }

  private func receipts(
    _ bytes: Bytes, _ first: UInt8, isWhole: Bool, isEnough: Bool
  ) -> FileFormat? {
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    if EvidenceShape.isText(bytes.trimmed) {
      return EvidenceShape.isOnePerLine(bytes.trimmed, isEnough: isEnough)
        .map { $0 ? .jsonLines : .document }
    }
    let isJSON = first == Byte.openBrace || first == Byte.openBracket
    if !isJSON, let kind = kind(ofHeaderIn: lines) { return misplaced(kind) }
    if let line = lines.line(0), let kind = kind(ofObject: line) {
      return kind == .receipt || kind == .unknown ? .jsonLines : misplaced(kind)
    }
    // A second line that is a receipt by itself cannot lie inside of a document, unless it is of those
    // that Apple's own lists hold.
    if let line = lines.line(1), kind(ofObject: line) == .receipt, !isOfList(line) {
      return .jsonLines
    }
    guard isEnough else { return nil }
    if isWhole, isJSON, let kind = kind(ofDocument: bytes.trimmed) {
      return kind == .receipt || kind == .unknown ? .document : misplaced(kind)
    }
    if lines.contains(where: { kind(ofObject: $0) == .receipt }) { return .jsonLines }
    // One line without an end is too long, whatever it is.
    if !isWhole, isJSON, lines.line(0) == nil { return .jsonLines }
    return isJSON
      ? .document : .unusable(unknown("receipts, signed texts, one JSON document or one a line"))
  }

  /// Whether an object is like the entries of a list that the App Store Server API answers with.
  private func isOfList(_ line: Bytes) -> Bool {
    guard let value = try? parser.parse(line) else { return false }
    return value.member("signedPayload") != nil || value.member("signedTransactionInfo") != nil
  }

  private func records(
    _ wanted: RecordKind, _ bytes: Bytes, _ first: UInt8, isWhole: Bool, isEnough: Bool
  ) -> FileFormat? {
    let expected = unknown("CSV with a header row, or one JSON object a line")
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    guard first == Byte.openBrace || first == Byte.openBracket else {
      let kind = kind(ofHeaderIn: lines) ?? wanted
      return kind == wanted ? .csv : misplaced(kind)
    }
    if let line = lines.line(0), let kind = kind(ofObject: line) {
      return kind == wanted || kind == .unknown ? .jsonLines : misplaced(kind)
    }
    if let line = lines.line(1), kind(ofObject: line) == wanted { return .jsonLines }
    guard isEnough else { return nil }
    if isWhole, let kind = kind(ofDocument: bytes.trimmed) {
      return kind == wanted || kind == .unknown ? .unusable(expected) : misplaced(kind)
    }
    return first == Byte.openBrace ? .jsonLines : .unusable(expected)
  }

  private func catalogue(_ bytes: Bytes, _ first: UInt8, isEnough: Bool) -> FileFormat? {
    // What ends its first line within the limit and is a record by itself is in the wrong folder.
    let lines = NonBlankLines(bytes, isWhole: isEnough)
    guard let line = lines.line(0) else { return isEnough ? .catalogue : nil }
    if first == Byte.openBrace || first == Byte.openBracket {
      if let kind = kind(ofObject: line), [.receipt, .delivery, .client].contains(kind) {
        return misplaced(kind)
      }
      return .catalogue
    }
    guard let kind = kind(ofHeaderIn: lines) else {
      return .unusable(unknown("property lists, other XML, or JSON"))
    }
    return misplaced(kind)
  }

  private func acknowledgements(_ bytes: Bytes, _ first: UInt8, isWhole: Bool) -> FileFormat? {
    let expected = unknown("CSV with a header row")
    let lines = NonBlankLines(bytes, isWhole: isWhole)
    guard first == Byte.openBrace || first == Byte.openBracket else {
      let kind = kind(ofHeaderIn: lines) ?? .acknowledgement
      return kind == .acknowledgement ? .csv : misplaced(kind)
    }
    guard let line = lines.line(0), let kind = kind(ofObject: line), kind != .unknown else {
      return .unusable(expected)
    }
    return misplaced(kind)
  }

  private func markup(_ text: Bytes) -> FileFormat {
    // What form of XML it is its root says, which the parser finds behind comments and declarations.
    guard file.folder != .catalog else { return .catalogue }
    let starts: [StaticString] = ["<?xml", "<!DOCTYPE plist", "<plist", "<package"]
    return starts.contains { text.starts(with: $0) }
      ? misplaced(.catalogue) : .unusable(unknown("JSON, or in other folders than receipts/ CSV"))
  }

  private var propertyList: FileFormat {
    file.folder == .catalog ? .catalogue : misplaced(.catalogue)
  }

  private func unknown(_ forms: String) -> RecordProblem {
    RecordProblem(
      .unknownFormat, "The folder \(file.folder.rawValue)/ holds \(forms); this is neither.")
  }

  private func hasUTF16Mark(_ bytes: Bytes) -> Bool {
    bytes.count >= 2
      && (bytes[0] == 0xff && bytes[1] == 0xfe || bytes[0] == 0xfe && bytes[1] == 0xff)
  }
}
