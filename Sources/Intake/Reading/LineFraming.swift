/// How a file is cut into blocks of whole records.
enum LineFraming {
  /// One record a line.
  case lines
  /// CSV, where a record may span lines.
  case csv(CSVScanner)
  /// One record a line, or an object of several lines.
  case log(LogFraming)

  /// The maximum number of records of a block, so that a block of tiny records does not make too
  /// many rows at once.
  static let recordLimit = 20_000

  /// The framing of a folder's records, one a line; `limit` is the maximum length of an object.
  init(linesIn folder: Folder, limit: Int) {
    self = folder == .receipts ? .log(LogFraming(limit: limit)) : .lines
  }

  /// The place where the last whole record ends, 0 if there is none, and the records of several
  /// lines before that place in a log.
  mutating func cut(
    _ bytes: Bytes, isFinal: Bool
  ) -> (end: Int, documents: [LogFraming.Document]) {
    guard case .log(var log) = self else { return (end(in: bytes, isFinal: isFinal), []) }
    defer { self = .log(log) }
    return log.cut(bytes, isFinal: isFinal)
  }

  private func end(in bytes: Bytes, isFinal: Bool) -> Int {
    switch self {
    case .csv(let scanner) where bytes.position(of: Byte.quote) != nil:
      var end = 0
      var records = 0
      while end < bytes.count, records < Self.recordLimit {
        switch scanner.scan(bytes, from: end, isFinal: isFinal) {
        case .record(let next), .broken(let next, _): end = next
        case .incomplete: return end
        }
        records += 1
      }
      return end
    default:
      return Self.cutLines(bytes)
    }
  }

  private static func cutLines(_ bytes: Bytes) -> Int {
    var end = 0
    for _ in 0..<recordLimit {
      guard let feed = bytes.position(of: Byte.lineFeed, from: end) else { return end }
      end = feed + 1
    }
    return end
  }
}
