import CSimdJSON

/// simdjson with its memory, for one thread.
final class JSONParser {
  /// The memory in bytes that is kept after a document.
  private static let usualBytes = 2 << 20

  private let parser: OpaquePointer?

  init() {
    parser = tieoutJSONParserCreate()
  }

  deinit {
    tieoutJSONParserDestroy(parser)
  }

  /// Parses one document; the value is valid until the next call of `parse` or `trim`.
  ///
  /// At least `TieoutJSONPadding` more bytes after the document must be readable. If a key occurs
  /// twice in an object, the last one counts.
  func parse(_ bytes: Bytes) throws(RecordProblem) -> JSONValue {
    guard let parser else {
      throw RecordProblem(.tooLarge, "Too little memory to parse JSON; free some and run again.")
    }
    let document = tieoutJSONParse(parser, bytes.baseAddress, bytes.count)
    if document.outcome == 0, let tape = document.tape, let strings = document.strings {
      return JSONValue(rootOf: tape, strings: strings)
    }
    throw problem(document)
  }

  /// Releases the memory that an unusually large document needed.
  func trim() {
    tieoutJSONParserTrim(parser, Self.usualBytes)
  }

  private func problem(_ document: TieoutJSONDocument) -> RecordProblem {
    switch UInt32(bitPattern: document.outcome) {
    case TieoutJSONInvalidUTF8.rawValue:
      return RecordProblem(
        .invalidUTF8, "The JSON is not UTF-8; convert it to UTF-8 and send it again.")
    case TieoutJSONInvalidNumber.rawValue:
      return RecordProblem(
        .malformedJSON,
        "A number is malformed or does not fit 64 bits; write long identifiers as strings.")
    case TieoutJSONTooDeep.rawValue:
      return RecordProblem(
        .malformedJSON,
        "Objects and arrays are nested more than 1024 deep; send a document with less nesting.")
    case TieoutJSONNoMemory.rawValue:
      return RecordProblem(
        .tooLarge, "The document does not fit into memory; split it into smaller ones.")
    default:
      let words = document.message.map { String(cString: $0) } ?? "no reason given"
      return RecordProblem(
        .malformedJSON, "This is not JSON (\(words)); correct it at the source and send it again.")
    }
  }
}
