import Glibc

/// Bytes in memory that other code owns.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// The bytes that framing and parsing look for.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let zero = UInt8(ascii: "0")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes are a part of others, at their place in memory.
  func isPart(of whole: Bytes) -> Bool {
    guard let start = baseAddress, let begin = whole.baseAddress else { return false }
    return start >= begin && start + count <= begin + whole.count
  }

  /// The bytes of a text in the program's code.
  init(literal: StaticString) {
    self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  /// The bytes of a range, which must be within these.
  @inline(__always)
  func part(_ range: Range<Int>) -> Bytes {
    Bytes(rebasing: self[range])
  }

  /// The first place of a byte at or after an offset.
  @inline(__always)
  func position(of byte: UInt8, from offset: Int = 0) -> Int? {
    guard let baseAddress, offset < count else { return nil }
    guard let found = memchr(baseAddress + offset, Int32(byte), count - offset) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
  }

  /// The number of line feeds.
  var lineFeeds: Int {
    // They are far apart, so a search from each to the next is fastest.
    var total = 0
    var from = 0
    while let found = position(of: Byte.lineFeed, from: from) {
      total += 1
      from = found + 1
    }
    return total
  }

  /// The bytes without white space at either end.
  @inline(__always)
  var trimmed: Bytes {
    var start = 0
    var end = count
    while start < end, self[start].isWhiteSpace { start += 1 }
    while end > start, self[end - 1].isWhiteSpace { end -= 1 }
    return part(start..<end)
  }

  /// The length of the byte order mark that begins at a place; 0 if there is none.
  @inline(__always)
  func byteOrderMark(at place: Int) -> Int {
    guard place + 3 <= count, self[place] == 0xef else { return 0 }
    return self[place + 1] == 0xbb && self[place + 2] == 0xbf ? 3 : 0
  }

  /// The bytes without a byte order mark at their beginning, as a joined file leaves it in a line.
  var withoutByteOrderMark: Bytes { part(byteOrderMark(at: 0)..<count) }

  /// The bytes without a line end at their end.
  var withoutLineEnd: Bytes {
    guard last == Byte.lineFeed else { return self }
    let line = part(0..<count - 1)
    return line.last == Byte.carriageReturn ? line.part(0..<line.count - 1) : line
  }

  /// Whether these are exactly the bytes of a text.
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    guard let baseAddress else { return count == 0 }
    return memcmp(baseAddress, text.utf8Start, count) == 0
  }

  /// Whether these are a word of small letters, also if it is written in capital letters.
  func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    return elementsEqual(Bytes(literal: word)) { $0 | 0x20 == $1 }
  }

  /// Whether these begin with the bytes of a text.
  func starts(with text: StaticString) -> Bool {
    guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Whether these begin with some bytes.
  func starts(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// The text; bytes that are not UTF-8 are replaced.
  var string: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
  /// Whether this is a space, a tab, a line feed or a carriage return.
  @inline(__always)
  var isWhiteSpace: Bool {
    self == Byte.space || self == Byte.lineFeed || self == Byte.carriageReturn || self == Byte.tab
  }

  /// Whether this is one of the ten digits.
  @inline(__always)
  var isDigit: Bool { self &- Byte.zero < 10 }
}
