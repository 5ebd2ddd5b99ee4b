/// A record with its escapes resolved, so that a search finds a secret in any of its encodings.
///
/// Resolved are the escapes of JSON, also of JSON in a text of JSON, of web servers (`\x22`), of
/// forms and addresses (`%22`) and of markup (`&quot;`, `&#x22;`). What a search finds is hidden in
/// the record itself: each byte knows the place where its written form begins.
struct ResolvedText {
  private(set) var bytes: [UInt8] = []
  /// For each byte the place in the record; at the end the length of the record.
  private var places: [Int] = []
  /// For each byte the number of backslashes before it, at most 255.
  private var levels: [UInt8] = []
  /// For each byte whether it was written as `%` and two digits.
  private var isPercent: [Bool] = []

  private static let backslash = UInt8(ascii: "\\")

  /// Represents a character that is not ASCII, for which no search looks.
  private static let other: UInt8 = 0x80

  private static let entities: [(text: [UInt8], byte: UInt8)] = [
    ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")), ("&amp;", UInt8(ascii: "&")),
    ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
  ].map { (Array($0.0.utf8), $0.1) }

  init(_ record: Bytes) {
    bytes.reserveCapacity(record.count)
    places.reserveCapacity(record.count + 1)
    levels.reserveCapacity(record.count)
    isPercent.reserveCapacity(record.count)
    var index = 0
    while index < record.count {
      switch record[index] {
      case Self.backslash: index = takeBackslashes(record, index)
      case UInt8(ascii: "%"):
        let code = Self.number(record, index + 1, digits: 2)
        take(code ?? record[index], at: index, isPercent: code != nil)
        index += code == nil ? 1 : 3
      case UInt8(ascii: "&"):
        let entity = Self.entity(record.part(index..<record.count))
        take(entity?.byte ?? record[index], at: index)
        index += entity?.count ?? 1
      case let byte:
        take(byte, at: index)
        index += 1
      }
    }
    places.append(record.count)
  }

  var count: Int { bytes.count }

  /// The places in the record of a part of the text.
  ///
  /// - Parameter backslashes: The number of backslashes of the quote after the part that belong to
  ///   the part.
  func place(of part: Range<Int>, backslashes: Int = 0) -> Range<Int> {
    places[part.lowerBound]..<places[part.upperBound] + backslashes
  }

  /// The number of backslashes before a byte.
  func level(_ index: Int) -> Int { Int(levels[index]) }

  /// The number of bytes with which a byte was written.
  func width(_ index: Int) -> Int { places[index + 1] - places[index] }

  /// Whether a byte was written as `%` and two digits.
  func isPercentEncoded(_ index: Int) -> Bool { isPercent[index] }

  /// Whether letters, in lower case, are at a place, in upper or lower case.
  func isThere(_ letters: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + letters.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<letters.utf8CodeUnitCount {
      let (byte, letter) = (bytes[index + offset], letters.utf8Start[offset])
      guard byte == letter || (0x41...0x5a).contains(byte) && byte | 0x20 == letter else {
        return false
      }
    }
    return true
  }

  private mutating func take(
    _ byte: UInt8, at place: Int, level: Int = 0, isPercent isEncoded: Bool = false
  ) {
    bytes.append(byte)
    places.append(place)
    levels.append(UInt8(min(level, 255)))
    isPercent.append(isEncoded)
  }

  /// Takes the character after backslashes, and returns the place after it.
  private mutating func takeBackslashes(_ record: Bytes, _ start: Int) -> Int {
    var index = start
    while index < record.count, record[index] == Self.backslash { index += 1 }
    let level = index - start
    guard index < record.count else {
      take(Self.backslash, at: start)
      return index
    }
    switch record[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"):
      take(record[index], at: start, level: level)
      return index + 1
    case UInt8(ascii: "n"), UInt8(ascii: "r"):
      take(Byte.lineFeed, at: start)
      return index + 1
    case UInt8(ascii: "t"):
      take(Byte.tab, at: start)
      return index + 1
    case UInt8(ascii: "x"):
      guard let code = Self.number(record, index + 1, digits: 2) else { break }
      take(code, at: start, level: level)
      return index + 3
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      guard let code = Self.number(record, index + 1, digits: 4) else { break }
      take(code, at: start, level: level)
      return index + 5
    default: break
    }
    take(Self.backslash, at: start)
    return index
  }

  /// The character that an entity at the beginning of a text stands for, and the entity's length.
  private static func entity(_ text: Bytes) -> (byte: UInt8, count: Int)? {
    guard text.starts(with: "&#") else {
      let entity = entities.first { text.starts(with: $0.text) }
      return entity.map { (byte: $0.byte, count: $0.text.count) }
    }
    let start = text.part(0..<min(text.count, 10))
    guard let end = start.position(of: UInt8(ascii: ";"), from: 2) else { return nil }
    let isHexadecimal = start[2] | 0x20 == UInt8(ascii: "x")
    let digits = start.part((isHexadecimal ? 3 : 2)..<end).string
    guard let byte = UInt8(digits, radix: isHexadecimal ? 16 : 10), (0x20..<0x7f).contains(byte)
    else { return nil }
    return (byte, end + 1)
  }

  /// The character with a hexadecimal number; nil if there is no such number.
  private static func number(_ record: Bytes, _ start: Int, digits: Int) -> UInt8? {
    guard start + digits <= record.count else { return nil }
    var number = 0
    for index in start..<start + digits {
      let byte = record[index]
      switch byte {
      case 0x30...0x39: number = number * 16 + Int(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: number = number * 16 + Int(byte | 0x20) - 0x57
      default: return nil
      }
    }
    return number < 0x80 ? UInt8(number) : other
  }
}
