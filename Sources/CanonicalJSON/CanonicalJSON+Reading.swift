extension CanonicalJSON {
  /// Reads a JSON text without fractions; it does not have to be in canonical form.
  ///
  /// - Throws: ``CanonicalJSONError`` for anything else: a fraction, a name that occurs twice, a
  ///   text that is not UTF-8 or nested too deep.
  package init(reading text: [UInt8]) throws(CanonicalJSONError) {
    var reader = JSONReader(text)
    self = try reader.document()
  }
}

/// Reads one text from its beginning to its end.
private struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0

  /// The maximum number of objects and arrays inside each other.
  private static let deepest = 32

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(CanonicalJSONError) -> CanonicalJSON {
    let value = try value(depth: 0)
    skipWhiteSpace()
    guard place == bytes.count else { throw unexpected() }
    return value
  }

  private mutating func value(depth: Int) throws(CanonicalJSONError) -> CanonicalJSON {
    skipWhiteSpace()
    guard place < bytes.count else { throw CanonicalJSONError("the text ends too early") }
    switch bytes[place] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.deepest else {
        throw CanonicalJSONError("it is nested more than \(Self.deepest) deep at byte \(place)")
      }
      return bytes[place] == UInt8(ascii: "{")
        ? .object(try members(depth: depth + 1)) : .array(try elements(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .integer(try integer())
    }
  }

  private mutating func members(depth: Int) throws(CanonicalJSONError) -> [CanonicalJSON.Member] {
    var members: [CanonicalJSON.Member] = []
    var names: Set<[UInt8]> = []
    place += 1
    skipWhiteSpace()
    if take(UInt8(ascii: "}")) { return [] }
    while true {
      skipWhiteSpace()
      let start = place
      let name = try string()
      // By its bytes: two texts that Unicode calls equivalent are two names.
      guard names.insert(Array(name.utf8)).inserted else {
        throw CanonicalJSONError("a name occurs twice in an object, at byte \(start)")
      }
      skipWhiteSpace()
      try require(UInt8(ascii: ":"))
      members.append(CanonicalJSON.Member(name, try value(depth: depth)))
      skipWhiteSpace()
      if take(UInt8(ascii: "}")) { return members }
      try require(UInt8(ascii: ","))
    }
  }

  private mutating func elements(depth: Int) throws(CanonicalJSONError) -> [CanonicalJSON] {
    var elements: [CanonicalJSON] = []
    place += 1
    skipWhiteSpace()
    if take(UInt8(ascii: "]")) { return [] }
    while true {
      elements.append(try value(depth: depth))
      skipWhiteSpace()
      if take(UInt8(ascii: "]")) { return elements }
      try require(UInt8(ascii: ","))
    }
  }

  private mutating func word(
    _ word: String, _ value: CanonicalJSON
  ) throws(CanonicalJSONError) -> CanonicalJSON {
    guard bytes[place...].starts(with: word.utf8) else { throw unexpected() }
    place += word.utf8.count
    return value
  }

  private mutating func integer() throws(CanonicalJSONError) -> Int {
    let start = place
    let isNegative = take(UInt8(ascii: "-"))
    let first = place
    var number = 0
    while place < bytes.count, case 48...57 = bytes[place] {
      number = number * 10 + Int(bytes[place] - 48)
      guard number <= CanonicalJSON.largestInteger else {
        throw CanonicalJSONError("the number at byte \(start) is too large")
      }
      place += 1
    }
    // No leading zero and no negative zero.
    guard place > first, bytes[first] != 48 || place == first + 1 && !isNegative else {
      throw CanonicalJSONError("there is no whole number or other value at byte \(start)")
    }
    return isNegative ? -number : number
  }

  private mutating func string() throws(CanonicalJSONError) -> String {
    let start = place
    try require(UInt8(ascii: "\""))
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw CanonicalJSONError("the string at byte \(start) is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw CanonicalJSONError("the string at byte \(start) has a control character")
      default:
        text.append(byte)
        place += 1
      }
    }
    throw CanonicalJSONError("the string at byte \(start) does not end")
  }

  private mutating func escape() throws(CanonicalJSONError) -> [UInt8] {
    guard place + 1 < bytes.count else { throw CanonicalJSONError("the text ends too early") }
    let byte = bytes[place + 1]
    place += 2
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
    default: throw CanonicalJSONError("there is an unknown escape at byte \(place - 2)")
    }
  }

  /// The character of `\uXXXX` or of a pair of them; half a pair is no character.
  private mutating func scalar() throws(CanonicalJSONError) -> Character {
    let start = place - 2
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[place...].starts(with: "\\u".utf8) {
      place += 2
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self), let character = text.first else {
      throw CanonicalJSONError("there is half a character at byte \(start)")
    }
    return character
  }

  private mutating func codeUnit() throws(CanonicalJSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard place < bytes.count, let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue
      else { throw CanonicalJSONError("an escape is incomplete at byte \(place)") }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }

  private mutating func skipWhiteSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func require(_ byte: UInt8) throws(CanonicalJSONError) {
    guard take(byte) else { throw unexpected() }
  }

  private func unexpected() -> CanonicalJSONError {
    place < bytes.count
      ? CanonicalJSONError("there is something unexpected at byte \(place)")
      : CanonicalJSONError("the text ends too early")
  }
}
