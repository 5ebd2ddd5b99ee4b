import CSimdJSON

/// The encodings in which evidence is found, each recognized by its characters alone.
enum TextDecoding {
  // MARK: Characters

  /// Whether a byte can be part of a signed text, base64, hexadecimal digits or percent escapes.
  @inline(__always)
  static func isOfToken(_ byte: UInt8) -> Bool { tokenBytes[Int(byte)] }

  private static let tokenBytes: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_.%".utf8 {
      table[Int(byte)] = true
    }
    return table
  }()

  /// Whether JSON may begin at a place of a text.
  ///
  /// A quote begins a quoted text at the beginning of the text, after `=`, and before a brace or
  /// bracket.
  static func beginsJSON(_ text: Bytes, at index: Int, isFirst: Bool) -> Bool {
    let byte = text[index]
    guard byte == Byte.openBrace || byte == Byte.openBracket || byte == Byte.quote else {
      return false
    }
    if byte == Byte.quote {
      // A value in a log: msg="…".
      guard !isFirst, text[index - 1] != UInt8(ascii: "=") else { return true }
      return index + 1 < text.count
        && (text[index + 1] == Byte.openBrace || text[index + 1] == Byte.openBracket)
    }
    guard let next = text.skippingWhiteSpace(from: index + 1) else { return false }
    if byte == Byte.openBrace { return text[next] == Byte.quote || text[next] == Byte.closeBrace }
    return "{[\"]-tfn".utf8.contains(text[next]) || text[next].isDigit
  }

  /// Whether a text that is nested too deep begins like a text that could contain evidence.
  static func mayContainEvidence(_ text: Bytes) -> Bool {
    guard let first = text.trimmed.first else { return false }
    return "{[\"eM".utf8.contains(first)
  }

  /// Whether bytes are text: UTF-8 without control characters other than white space.
  static func isReadable(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= EvidenceSearch.shortestText else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0.isWhiteSpace }
      && bytes.withUnsafeBufferPointer { tieoutIsUTF8($0.baseAddress, $0.count) }
  }

  // MARK: Signed texts

  static func withoutWhiteSpace(_ text: Bytes) -> [UInt8] { text.filter { !$0.isWhiteSpace } }

  /// Whether a text is three parts of base64url between dots.
  static func isCompactJWS(_ text: some Collection<UInt8>) -> Bool {
    var lengths = [0]
    for byte in text {
      if byte == UInt8(ascii: ".") {
        lengths.append(0)
      } else if tokenBytes[Int(byte)], !"+/%".utf8.contains(byte) {
        lengths[lengths.count - 1] += 1
      } else {
        return false
      }
      if lengths.count > 3 { return false }
    }
    return lengths.count == 3 && lengths.allSatisfy { $0 > 0 }
  }

  // MARK: Encodings

  /// The bytes of hexadecimal digits, after `\x`, `0x` or nothing; nil if a text is something else.
  static func hexadecimal(_ text: Bytes) -> [UInt8]? {
    var digits = text
    while digits.first == UInt8(ascii: "\\") { digits = digits.part(1..<digits.count) }
    if digits.starts(with: "x") { digits = digits.part(1..<digits.count) }
    if digits.starts(with: "0x") { digits = digits.part(2..<digits.count) }
    guard digits.count >= 2 * EvidenceSearch.shortestText, digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = byte(digits, index) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func byte(_ digits: Bytes, _ index: Int) -> UInt8? {
    guard index + 1 < digits.count, let high = digit(digits[index]),
      let low = digit(digits[index + 1])
    else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    if byte.isDigit { return byte - Byte.zero }
    let lower = byte | 0x20
    return (0x61...0x66).contains(lower) ? lower - 0x61 + 10 : nil
  }

  /// The text with its percent escapes resolved, where a plus is a space; nil if there is no
  /// escape.
  static func percentDecoded(_ text: Bytes) -> [UInt8]? {
    var isEscaped = false
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), let escaped = byte(text, index + 1) {
        bytes.append(escaped)
        isEscaped = true
        index += 3
      } else {
        bytes.append(text[index] == UInt8(ascii: "+") ? Byte.space : text[index])
        index += 1
      }
    }
    return isEscaped ? bytes : nil
  }

  /// The maximum length of the line BEGIN of PEM; a longer line begins no PEM.
  static let labelLimitOfPEM = 100

  /// The base64 between the lines BEGIN and END of PEM (RFC 7468); nil if these are missing.
  static func bodyOfPEM(_ text: Bytes, from start: Int) -> Range<Int>? {
    let label = text.part(start..<min(start + labelLimitOfPEM, text.count))
    guard let feed = label.position(of: Byte.lineFeed).map({ start + $0 }) else { return nil }
    var end = feed + 1
    while end < text.count,
      isOfToken(text[end]) && text[end] != UInt8(ascii: "-") || text[end].isWhiteSpace
        || text[end] == UInt8(ascii: "=")
    { end += 1 }
    return text.part(end..<text.count).starts(with: "-----END") ? feed + 1..<end : nil
  }

  /// The text of a JSON string without its quotes, with its escapes resolved.
  ///
  /// An unknown escape becomes the character after its backslash. `\xHH` is resolved too, because
  /// web servers write it into their logs.
  static func unescaped(_ text: Bytes) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        bytes.append(text[index])
        index += 1
        continue
      }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "n"): bytes.append(Byte.lineFeed)
      case UInt8(ascii: "r"): bytes.append(Byte.carriageReturn)
      case UInt8(ascii: "t"): bytes.append(Byte.tab)
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "x"):
        guard let escaped = byte(text, index) else {
          bytes += [UInt8(ascii: "\\"), UInt8(ascii: "x")]
          continue
        }
        bytes.append(escaped)
        index += 2
      case UInt8(ascii: "u"): index = appendUnicode(text, index, to: &bytes)
      default: bytes.append(text[index - 1])
      }
    }
    return bytes
  }

  /// Appends the character of four digits, or of a pair of surrogates; returns the place after it.
  private static func appendUnicode(_ text: Bytes, _ index: Int, to bytes: inout [UInt8]) -> Int {
    guard let first = unit(text, index) else { return index }
    if let scalar = Unicode.Scalar(first) {
      bytes += String(scalar).utf8
      return index + 4
    }
    if index + 5 < text.count, text[index + 4] == UInt8(ascii: "\\"),
      text[index + 5] == UInt8(ascii: "u"), let second = unit(text, index + 6),
      first < 0xdc00, (0xdc00...0xdfff).contains(second)
    {
      let high = UInt32(first) - 0xd800
      let low = UInt32(second) - 0xdc00
      if let scalar = Unicode.Scalar(high << 10 + low + 0x10000) {
        bytes += String(scalar).utf8
        return index + 10
      }
    }
    bytes += "\u{fffd}".utf8
    return index + 4
  }

  private static func unit(_ text: Bytes, _ index: Int) -> UInt16? {
    guard let high = byte(text, index), let low = byte(text, index + 2) else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }

  /// A field of an export in which a backslash begins an escape, as PostgreSQL's `copy` (PostgreSQL
  /// manual, "COPY", text format) and MySQL's `--batch` write it.
  ///
  /// Other escapes, such as those of JSON, stay as they are.
  static func unescapedRow(_ text: Bytes) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      let isEscape = text[index] == UInt8(ascii: "\\") && index + 1 < text.count
      if isEscape, let escaped = escapedByte(text[index + 1]) {
        bytes.append(escaped)
        index += 2
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  /// Whether each backslash of a field is doubled, and JSON can be below.
  ///
  /// `copy` and `--batch` write the escapes of JSON so: `\u00eb` becomes `\\u00eb`.
  static func doublesEscapes(_ text: Bytes) -> Bool {
    let backslash = UInt8(ascii: "\\")
    var index = 0
    while let place = text.position(of: backslash, from: index) {
      guard place + 2 < text.count, text[place + 1] == backslash else { return false }
      // The letter of the escape in JSON; if that is a backslash, it is doubled too.
      let letter = text[place + 2]
      index = place + 3
      switch letter {
      case backslash:
        guard index < text.count, text[index] == backslash else { return false }
        index += 1
      case UInt8(ascii: "u"): guard unit(text, index) != nil else { return false }
      default: guard #""/bfnrt"#.utf8.contains(letter) else { return false }
      }
    }
    return index > 0
  }

  private static func escapedByte(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\\"): letter
    case UInt8(ascii: "n"): Byte.lineFeed
    case UInt8(ascii: "r"): Byte.carriageReturn
    case UInt8(ascii: "t"): Byte.tab
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "v"): 11
    default: nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The place where these bytes begin in the bytes that they are a part of.
  func startOffset(in whole: Bytes) -> Int {
    guard let start = baseAddress, let base = whole.baseAddress else { return 0 }
    return start - base
  }

  /// The first place where a text begins.
  func firstPlace(of text: StaticString) -> Int? {
    let first = text.utf8Start[0]
    var from = 0
    while let place = position(of: first, from: from) {
      if part(place..<count).starts(with: text) { return place }
      from = place + 1
    }
    return nil
  }

  /// Whether a text is anywhere in this.
  func contains(_ text: StaticString) -> Bool { firstPlace(of: text) != nil }
}
