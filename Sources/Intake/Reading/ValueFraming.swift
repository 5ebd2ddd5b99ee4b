/// Cuts a text of JSON values into the values.
///
/// The values are the elements of one array, or documents one after another. Only brackets, quotes
/// and line ends are read here; the parser decides whether a value is JSON.
struct ValueFraming {
  /// The end of a value.
  enum Extent {
    case ended(Int)
    /// A string in the value contains a line end.
    case broken
    /// The text ends before the value ends.
    case open
  }

  /// White space between the beginning of a line and the first value.
  private let indent: [UInt8]
  /// Whether the values are elements of an array whose closing bracket was not read.
  private(set) var isOpenArray: Bool
  /// Whether a value had no end; a line with the same beginning as the first value then begins the
  /// next one.
  private var isStrict = false
  /// The number of values with a string that contains a line end.
  private var brokenValues = 0
  /// The line that ``lineLikeFirst(_:after:)`` has found last in this text.
  private var foundLine: FoundLine?

  /// The number of broken values after which ``isStrict`` is set.
  ///
  /// Each broken value is read up to its broken string, and read again from a later line. Thousands
  /// of them would take hours.
  private static let mostBroken = 100

  /// The first line after a place that begins like the first value; the line is nil if there is
  /// none.
  private struct FoundLine {
    let after: Int
    let line: Int?
  }

  /// Takes the white space before the first value in its line.
  init(indent: [UInt8], isArray: Bool) {
    self.indent = indent
    isOpenArray = isArray
  }

  /// The whole values, and the place where the next one begins; if `isFinal`, also an incomplete
  /// value.
  mutating func cut(
    _ bytes: Bytes, isFinal: Bool, limit: Int
  ) -> (values: [Range<Int>], end: Int) {
    var values: [Range<Int>] = []
    var end = 0
    foundLine = nil
    while values.count < LineFraming.recordLimit, let start = Self.skippingSeparators(bytes, end) {
      noteBracket(in: bytes.part(end..<start))
      end = start
      switch extent(of: bytes, from: start) {
      case .ended(let next) where next < bytes.count || isFinal || bytes[next - 1].isClosing:
        values.append(start..<next)
        end = next
        // A value that is cut off takes the bracket of its array with it.
        if bytes[start] == Byte.openBrace, bytes[next - 1] == Byte.closeBracket {
          isOpenArray = false
        }
      case .broken:
        brokenValues += 1
        if brokenValues >= Self.mostBroken { isStrict = true }
        guard let next = lineLikeFirst(bytes, after: start) ?? (isFinal ? bytes.count : nil) else {
          return (values, end)
        }
        values.append(start..<next)
        end = next
        if isFinal, end == bytes.count { isOpenArray = false }
      case .ended, .open:
        guard isFinal || bytes.count - start > limit else { return (values, end) }
        isStrict = true
        guard let next = lineLikeFirst(bytes, after: start) ?? (isFinal ? bytes.count : nil) else {
          return (values, end)
        }
        values.append(start..<next)
        end = next
        // The value is rejected because the file ends in it, so its array is not rejected too.
        if end == bytes.count { isOpenArray = false }
      }
    }
    if values.count < LineFraming.recordLimit {
      noteBracket(in: bytes.part(end..<bytes.count))
      end = bytes.count
    }
    return (values, end)
  }

  private mutating func noteBracket(in separators: Bytes) {
    if isOpenArray, separators.position(of: Byte.closeBracket) != nil { isOpenArray = false }
  }

  /// The first place without a separator; nil if there is none.
  static func skippingSeparators(_ bytes: Bytes, _ from: Int) -> Int? {
    var index = from
    while index < bytes.count,
      bytes[index].isWhiteSpace || bytes[index] == UInt8(ascii: ",")
        || bytes[index] == Byte.closeBracket
    { index += 1 }
    return index < bytes.count ? index : nil
  }

  private mutating func extent(of bytes: Bytes, from start: Int) -> Extent {
    if isStrict, let next = lineLikeFirst(bytes, after: start) {
      let extent = Self.extent(of: bytes.part(0..<next), from: start)
      if case .open = extent { return .broken }
      return extent
    }
    return Self.extent(of: bytes, from: start)
  }

  /// The end of the value that begins at a place.
  static func extent(of bytes: Bytes, from start: Int) -> Extent {
    switch bytes[start] {
    case Byte.quote:
      if let end = JSONText.endOfString(bytes, from: start) { return .ended(end) }
      return unended(in: bytes, from: start)
    case Byte.openBrace, Byte.openBracket:
      let extent = BracketExtent.find(in: bytes, from: start)
      switch extent.end {
      case .closed: return .ended(extent.place)
      case .unendedString: return unended(in: bytes, from: extent.place)
      case .open: return .open
      }
    default:
      var end = start + 1
      while end < bytes.count, !bytes[end].isWhiteSpace, bytes[end] != UInt8(ascii: ","),
        bytes[end] != Byte.closeBracket
      { end += 1 }
      return .ended(end)
    }
  }

  /// The extent of a value with a string that does not end in its line.
  private static func unended(in bytes: Bytes, from string: Int) -> Extent {
    bytes.position(of: Byte.lineFeed, from: string) == nil ? .open : .broken
  }

  /// The next line that begins like the first value.
  ///
  /// The text is searched once: a found line is also the answer for all places before it.
  private mutating func lineLikeFirst(_ bytes: Bytes, after start: Int) -> Int? {
    if let foundLine, foundLine.after <= start, foundLine.line.map({ $0 > start }) ?? true {
      return foundLine.line
    }
    let line = searchLineLikeFirst(bytes, after: start)
    foundLine = FoundLine(after: start, line: line)
    return line
  }

  private func searchLineLikeFirst(_ bytes: Bytes, after start: Int) -> Int? {
    var from = start
    while let feed = bytes.position(of: Byte.lineFeed, from: from) {
      let line = bytes.part(feed + 1..<bytes.count)
      if line.starts(with: indent), line.count > indent.count,
        "{[\"".utf8.contains(line[indent.count])
      {
        return feed + 1
      }
      from = feed + 1
    }
    return nil
  }
}

extension ValueFraming {
  /// Whether a text that begins with a bracket is an array of documents; nil if more text is
  /// needed.
  ///
  /// An array that ends with its line and has other lines after it is one of many records, one a
  /// line.
  static func isArray(
    _ bytes: Bytes, _ lines: NonBlankLines, isWhole: Bool, isEnough: Bool
  ) -> Bool? {
    guard let open = bytes.skippingWhiteSpace(from: 0), bytes[open] == Byte.openBracket else {
      return false
    }
    let needsMore: Bool? = isWhole ? false : isEnough ? true : nil
    guard let first = bytes.skippingWhiteSpace(from: open + 1) else { return needsMore }
    guard "{[\"".utf8.contains(bytes[first]) else { return false }
    switch extent(of: bytes, from: first) {
    case .broken: return false
    case .open: return needsMore
    case .ended(let end):
      guard let next = bytes.skippingWhiteSpace(from: end) else {
        // The file ends after its first document, before the array ends.
        return isWhole && bytes[first] == Byte.openBrace ? true : needsMore
      }
      let isGoingOn = bytes[next] == UInt8(ascii: ",") || bytes[next] == Byte.closeBracket
      guard isGoingOn else { return false }
    }
    guard let line = lines.line(0), case .ended(let end) = extent(of: line, from: 0),
      end == line.count
    else { return true }
    return lines.line(1) == nil && isWhole
  }

  /// Whether a text that begins with a brace is a sequence of documents.
  ///
  /// The first document must have several lines. It or one of the next must be JSON, so that one
  /// damaged document does not hide the others.
  ///
  /// - Parameter isJSON: Returns whether a document is JSON.
  /// - Returns: Nil if more of the text is needed.
  static func isConcatenation(
    _ bytes: Bytes, isWhole: Bool, isEnough: Bool, isJSON: (Bytes) -> Bool
  ) -> Bool? {
    guard let start = bytes.skippingWhiteSpace(from: 0),
      case .ended(let end) = extent(of: bytes, from: start)
    else { return isWhole || isEnough ? false : nil }
    let first = bytes.part(start..<end)
    guard first.position(of: Byte.lineFeed) != nil else { return false }
    guard let next = skippingSeparators(bytes, end) else {
      return isWhole || isEnough ? false : nil
    }
    guard bytes[next] == Byte.openBrace else { return false }
    if isJSON(first) { return true }
    guard case .ended(let endOfSecond) = extent(of: bytes, from: next) else {
      return isWhole || isEnough ? false : nil
    }
    return isJSON(bytes.part(next..<endOfSecond))
  }
}

extension UInt8 {
  /// Whether a value that ends with this byte is whole, whatever follows.
  fileprivate var isClosing: Bool {
    self == Byte.closeBrace || self == Byte.closeBracket || self == Byte.quote
  }
}
