import SignatureVerification

/// Recognizes the forms of evidence that are not JSON by their first bytes.
enum EvidenceShape {
  /// The longest line into which a tool wraps base64; a text with a longer first line has one
  /// receipt a line.
  private static let longestWrap = 998

  /// Whether bytes begin like CMS in BER or DER: a sequence that is longer than 127 bytes.
  ///
  /// In UTF-8 text, no such byte comes after a `0`.
  static func isBinary(_ bytes: Bytes) -> Bool {
    bytes.count >= 2 && isSequence(bytes[0], bytes[1])
  }

  /// Whether bytes are signed data in CMS (RFC 5652), as receipts are and certificates are not.
  static func isSignedMessage(_ bytes: Bytes) -> Bool {
    // This is id-signedData, 1.2.840.113549.1.7.2, directly after the length of the sequence.
    let identifier: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
    guard isBinary(bytes) else { return false }
    let start = 2 + Int(bytes[1] & 0x7f)
    return start < bytes.count && bytes.part(start..<bytes.count).starts(with: identifier)
  }

  /// Whether a CMS message has at least the length that it gives, or, if it gives none, ends.
  static func isWholeMessage(_ bytes: Bytes) -> Bool {
    let digits = Int(bytes[1] & 0x7f)
    guard digits > 0 else { return AppReceipt.isWhole(Array(bytes)) }
    guard bytes.count > 2 + digits else { return true }
    let length = bytes.part(2..<2 + digits).reduce(0) { $0 << 8 | Int($1) }
    return bytes.count >= 2 + digits + length
  }

  private static func isSequence(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0x30 && (0x80...0x84).contains(second)
  }

  /// Whether a text begins like the base64 of a receipt, or like a signed text.
  ///
  /// JSON begins with other bytes, so the first byte decides for most records.
  @inline(__always)
  static func isText(_ text: Bytes) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "M") || first == UInt8(ascii: "e") else {
      return false
    }
    return isTextOfReceipt(text)
  }

  private static func isTextOfReceipt(_ text: Bytes) -> Bool {
    guard text.count >= 4, let start = Base64.decoded(Array(text.part(0..<4))), start.count == 3
    else { return false }
    if isSequence(start[0], start[1]) { return true }
    // A property list, or the header of a signed text, which is JSON.
    return start[0] == Byte.openBrace && (start[1].isWhiteSpace || start[1] == Byte.quote)
  }

  /// Whether a text begins like an old-style property list: `{ "key" = "value"; … }`.
  static func isPropertyList(_ text: Bytes) -> Bool {
    guard text.first == Byte.openBrace else { return false }
    var index = 1
    func skipWhiteSpace() {
      while index < text.count, text[index].isWhiteSpace { index += 1 }
    }
    skipWhiteSpace()
    let isQuoted = index < text.count && text[index] == Byte.quote
    if isQuoted { index += 1 }
    let key = index
    while index < text.count, isOfKey(text[index]) { index += 1 }
    guard index > key else { return false }
    if isQuoted {
      guard index < text.count, text[index] == Byte.quote else { return false }
      index += 1
    }
    skipWhiteSpace()
    return index < text.count && text[index] == UInt8(ascii: "=")
  }

  private static func isOfKey(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: "-") || (0x61...0x7a).contains(byte | 0x20)
  }

  /// Whether a text begins like a signed text and contains a dot.
  static func isSigned(_ text: Bytes) -> Bool {
    text.starts(with: "ey") && text.position(of: UInt8(ascii: ".")) != nil
  }

  /// Whether a signed text ends too early, so that more of it may come.
  static func isCutOff(_ text: Bytes) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let first = text.position(of: dot), let second = text.position(of: dot, from: first + 1)
    else { return true }
    // The signature has 64 bytes, which are 86 characters.
    return text.count - second - 1 < 86
  }

  /// Whether base64 of a receipt ends before the receipt ends.
  static func isReceiptCutOff(_ text: Bytes) -> Bool {
    withWholeGroups(of: text) { bytes in
      isBinary(bytes)
        ? !isWholeMessage(bytes)
        : bytes.first == Byte.openBrace && bytes.trimmed.last != Byte.closeBrace
    }
  }

  /// Whether a line of a text below the first one begins a receipt in base64.
  static func isSeveralReceipts(_ text: Bytes) -> Bool {
    NonBlankLines(text, isWhole: true).dropFirst().contains { line in
      isTextOfReceipt(line)
        && withWholeGroups(of: line) { isSignedMessage($0) || isPropertyList($0) }
    }
  }

  /// Whether a condition holds for base64 without the last one to three letters of a group of four;
  /// false if the text is not base64.
  private static func withWholeGroups(of text: Bytes, _ condition: (Bytes) -> Bool) -> Bool {
    let letters = text.filter { !$0.isWhiteSpace }
    let bytes = Base64.decoded(Array(letters.prefix(letters.count / 4 * 4)))
    return bytes?.withUnsafeBufferPointer(condition) ?? false
  }

  /// Whether a line is a whole receipt or signed text, and not a line of a wrapped one.
  static func isOneRecord(_ line: Bytes) -> Bool {
    isText(line) && (line.count > longestWrap || isSigned(line))
  }

  /// Whether a text of evidence has one record a line; nil if more bytes are needed to decide.
  static func isOnePerLine(_ text: Bytes, isEnough: Bool) -> Bool? {
    let line = text.position(of: Byte.lineFeed) ?? text.count
    if line > longestWrap { return true }
    guard line < text.count || isEnough else { return nil }
    return isSigned(text.part(0..<line))
  }
}
