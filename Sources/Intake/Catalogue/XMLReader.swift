import CExpat
import Glibc

/// An element of an XML document.
struct XMLElementName: Equatable {
  /// The namespace's address; empty without one.
  let namespace: String
  /// The name without its prefix.
  let name: String
}

/// Reads an XML document with expat, and refuses documents that can do harm.
///
/// A document is refused if its document type has declarations of its own (entities can grow
/// without limit), if it uses an entity that it does not define, or if its elements are nested too
/// deeply.
///
/// A document type that only names a public one, as property lists do, is harmless: it is never
/// fetched.
final class XMLReader {
  /// The maximum depth of nested elements; the documents that are read here need ten.
  static let depthLimit = 64
  /// The maximum number of bytes of an element's name with its namespace.
  private static let nameLimit = 1000
  /// Separates a namespace from a name; XML allows this character in neither.
  private static let separator: UInt8 = 0x1f

  private let handler: MarkupCatalogue
  private let parser: XML_Parser
  /// The line of the file in which the document begins.
  private let firstLine: Int64
  private var problem: RecordProblem?
  private var depth = 0

  /// Reads a whole document, which begins in a line of its file.
  static func read(
    _ bytes: Bytes, firstLine: Int64, into handler: MarkupCatalogue
  ) throws(RecordProblem) {
    // A document in UTF-16 was converted to UTF-8 before, and still says that it is UTF-16.
    let start = bytes.part(0..<min(bytes.count, 100)).string.uppercased()
    let isConverted = start.contains("ENCODING=\"UTF-16") || start.contains("ENCODING='UTF-16")
    guard
      let parser = XML_ParserCreateNS(isConverted ? "UTF-8" : nil, CChar(bitPattern: separator)),
      let count = Int32(exactly: bytes.count)
    else {
      throw RecordProblem(.tooLarge, "Too little memory to parse XML; free some and run again.")
    }
    defer { XML_ParserFree(parser) }
    let reader = XMLReader(handler, parser, firstLine: firstLine)
    try withExtendedLifetime(reader) { () throws(RecordProblem) in try reader.parse(bytes, count) }
  }

  private init(_ handler: MarkupCatalogue, _ parser: XML_Parser, firstLine: Int64) {
    self.handler = handler
    self.parser = parser
    self.firstLine = firstLine
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, _ in if let name { XMLReader.of(data)?.begin(name) } },
      { data, _ in XMLReader.of(data)?.end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let reader = XMLReader.of(data), reader.problem == nil, let text else { return }
      reader.handler.text(XMLReader.bytes(text, Int(count)))
    }
    XML_SetCommentHandler(parser) { data, text in
      guard let reader = XMLReader.of(data), reader.problem == nil, let text else { return }
      reader.handler.comment(XMLReader.bytes(text, strlen(text)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, name, _, _, hasDeclarations in
      guard let reader = XMLReader.of(data), let name else { return }
      reader.handler.documentType(String(cString: name))
      guard hasDeclarations != 0 else { return }
      reader.refuse(
        "has declarations of its own; entities are refused because they can grow without "
          + "limit. Write the texts themselves.")
    }
    XML_SetSkippedEntityHandler(parser) { data, _, _ in
      XMLReader.of(data)?.refuse(
        "uses an entity that it does not define; write the text itself.")
    }
  }

  private func parse(_ bytes: Bytes, _ count: Int32) throws(RecordProblem) {
    let status = bytes.withMemoryRebound(to: CChar.self) {
      XML_Parse(parser, $0.baseAddress, count, 1)
    }
    if let problem { throw problem }
    guard status != XML_STATUS_OK else { return }
    let code = XML_GetErrorCode(parser)
    if Self.endsTooEarly.contains(where: { $0 == code }) {
      throw RecordProblem(
        .truncated, "The file ends in the middle of the XML; send it again in full.")
    }
    let words = XML_ErrorString(code).map { String(cString: $0) } ?? "no reason given"
    let line = firstLine + Int64(XML_GetCurrentLineNumber(parser)) - 1
    throw RecordProblem(
      handler.reason, "Line \(line) is not XML (\(words)); correct it and send it again.")
  }

  private static let endsTooEarly = [
    XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
    XML_ERROR_UNCLOSED_CDATA_SECTION,
  ]

  private func begin(_ name: UnsafePointer<CChar>) {
    guard problem == nil else { return }
    depth += 1
    guard depth <= Self.depthLimit else {
      return refuse("is nested more than \(Self.depthLimit) deep; send one with less nesting.")
    }
    // The name is read for each element, and an element of three bytes can have a long namespace.
    let count = strnlen(name, Self.nameLimit + 1)
    guard count <= Self.nameLimit else {
      return refuse(
        "has an element whose name or namespace is longer than \(Self.nameLimit) bytes.")
    }
    let bytes = Self.bytes(name, count)
    let split = bytes.lastIndex(of: Self.separator)
    let element = XMLElementName(
      namespace: split.map { bytes.part(0..<$0).string } ?? "",
      name: bytes.part((split.map { $0 + 1 } ?? 0)..<bytes.count).string)
    let offset = Int(XML_GetCurrentByteIndex(parser))
    attempt { () throws(RecordProblem) in try handler.begin(element, at: offset) }
  }

  private func end() {
    guard problem == nil else { return }
    depth -= 1
    // For an empty element (`<a/>`), both events are at its beginning, and the second has no bytes.
    let offset = XML_GetCurrentByteIndex(parser) + XML_Index(XML_GetCurrentByteCount(parser))
    attempt { () throws(RecordProblem) in try handler.end(at: Int(offset)) }
  }

  private func attempt(_ body: () throws(RecordProblem) -> Void) {
    do throws(RecordProblem) {
      try body()
    } catch {
      stop(error)
    }
  }

  private func refuse(_ words: String) {
    stop(RecordProblem(handler.reason, "The XML " + words))
  }

  private func stop(_ problem: RecordProblem) {
    guard self.problem == nil else { return }
    self.problem = problem
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func bytes(_ text: UnsafePointer<CChar>, _ count: Int) -> Bytes {
    Bytes(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
  }
}
