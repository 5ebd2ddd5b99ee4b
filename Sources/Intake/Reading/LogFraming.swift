/// Finds the JSON objects of several lines in a log of one record a line.
///
/// Such an object begins with a brace at the end of a line and a member below it. Its record has
/// all its lines, also what is before the brace and after the end in its first and last line. If
/// another such object begins in the last line, it belongs to the same record.
struct LogFraming {
  /// The record of an object.
  struct Document: Sendable {
    let range: Range<Int>
    /// Whether the file ends in it.
    var isCutOff = false
  }

  private enum Extent {
    case none, unknown
    case document(Document)
  }

  /// The deepest indent of a broken object whose end is looked for.
  ///
  /// A line can be in as many broken objects as its indent has characters, and is read for each.
  private static let indentLimit = 64

  private let limit: Int
  /// The end of the text that was read as a part of an object and is none; the lines before it are
  /// not read again.
  private var plainEnd = 0
  /// The number of bytes that were read for objects, counted once for each time.
  private(set) var work = 0

  /// Takes the maximum length of an object in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The place where the last whole record ends, and the objects before that place.
  ///
  /// If `isFinal`, no more bytes follow. Otherwise, an object that does not end is left.
  mutating func cut(_ bytes: Bytes, isFinal: Bool) -> (end: Int, documents: [Document]) {
    var documents: [Document] = []
    var start = 0
    defer { plainEnd = max(0, plainEnd - start) }
    for _ in 0..<LineFraming.recordLimit {
      guard let feed = bytes.position(of: Byte.lineFeed, from: start) else { break }
      switch document(in: bytes, from: start, to: feed, isFinal: isFinal) {
      case .unknown: return (start, documents)
      case .none: start = feed + 1
      case .document(let document):
        documents.append(document)
        start = document.range.upperBound
      }
    }
    return (start, documents)
  }

  /// All objects of a text; if `isFinal`, no more bytes follow.
  static func documents(in bytes: Bytes, isFinal: Bool, limit: Int) -> [Range<Int>] {
    var framing = LogFraming(limit: limit)
    var found: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let cut = framing.cut(bytes.part(start..<bytes.count), isFinal: isFinal)
      found += cut.documents.map { start + $0.range.lowerBound..<start + $0.range.upperBound }
      guard cut.end > 0 else { break }
      start += cut.end
    }
    return found
  }

  /// The object that begins in a line, with those that begin where another one ends.
  private mutating func document(
    in bytes: Bytes, from start: Int, to feed: Int, isFinal: Bool
  ) -> Extent {
    var last = feed - 1
    while last >= start, bytes[last].isWhiteSpace { last -= 1 }
    guard last >= max(start, plainEnd), bytes[last] == Byte.openBrace else { return .none }
    // The object itself may begin earlier in the line: `{"event": {`.
    let reachable = bytes.part(0..<min(bytes.count, start + limit))
    var place = start
    var counted = start
    // The record of the objects that have ended.
    var whole = Extent.none
    while let open = reachable.position(of: Byte.openBrace, from: place), open <= last {
      place = open + 1
      guard let next = reachable.skippingWhiteSpace(from: open + 1) else {
        return isFinal || reachable.count < bytes.count ? whole : .unknown
      }
      guard reachable[next] == Byte.quote else { continue }
      switch JSONExtent.of(reachable, from: open) {
      case .ended(let end) where end <= last: place = end
      case .broken(let end) where end <= last: place = last
      case .ended(let end):
        work += end - counted
        counted = end
        guard let lineEnd = bytes.position(of: Byte.lineFeed, from: end) else {
          return isFinal ? .document(Document(range: start..<bytes.count)) : .unknown
        }
        whole = .document(Document(range: start..<lineEnd + 1))
        let rest = bytes.part(end..<lineEnd).trimmed
        guard rest.last == Byte.openBrace else { return whole }
        place = end
        last = rest.startOffset(in: bytes) + rest.count - 1
      case .broken(let end):
        work += end - counted
        return broken(bytes, from: start, to: feed, at: end, after: whole, isFinal: isFinal)
      case .open:
        work += reachable.count - counted
        guard reachable.count == bytes.count else {
          return broken(
            bytes, from: start, to: feed, at: reachable.count, after: whole, isFinal: isFinal)
        }
        return isFinal
          ? .document(Document(range: start..<bytes.count, isCutOff: true)) : .unknown
      }
    }
    return whole
  }

  /// The lines of an object that is broken at a place; after other objects, the record of those.
  ///
  /// They are known only if they are indented more than the first line, up to the closing brace.
  private mutating func broken(
    _ bytes: Bytes, from start: Int, to feed: Int, at place: Int, after whole: Extent,
    isFinal: Bool
  ) -> Extent {
    let indent = bytes.indent(from: start)
    var at = feed + 1
    let before = plainEnd
    plainEnd = max(plainEnd, bytes.lineStart(of: place))
    if case .document = whole { return whole }
    while indent <= Self.indentLimit, at - start <= limit {
      let next = bytes.indent(from: at)
      let first = at + next
      let feed = bytes.position(of: Byte.lineFeed, from: first)
      guard let end = feed.map({ $0 + 1 }) ?? (isFinal && first < bytes.count ? bytes.count : nil)
      else {
        if isFinal || bytes.count - start > limit { return .none }
        plainEnd = before
        return .unknown
      }
      work += end - at
      if next <= indent, !bytes.part(first..<end).trimmed.isEmpty {
        let isEnd = next == indent && bytes[first] == Byte.closeBrace
        return isEnd ? .document(Document(range: start..<end)) : .none
      }
      at = end
    }
    return .none
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of spaces and tabs from a place on.
  fileprivate func indent(from start: Int) -> Int {
    var index = start
    while index < count, self[index] == Byte.space || self[index] == Byte.tab { index += 1 }
    return index - start
  }

  /// The beginning of the line of a place.
  func lineStart(of place: Int) -> Int {
    var start = place
    while start > 0, self[start - 1] != Byte.lineFeed { start -= 1 }
    return start
  }
}
