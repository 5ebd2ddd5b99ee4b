/// An old-style property list of texts, as iOS 6 wrote its receipts: `{ "key" = "value"; … }`.
///
/// Nested lists, arrays and comments are not supported, because no receipt contains them.
struct PropertyListText {
  /// The maximum number of entries; Apple's receipts have about twenty.
  static let entryLimit = 256

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a whole list.
  ///
  /// - Throws: `malformed`, also if a key occurs twice.
  static func entries(_ bytes: [UInt8]) throws(VerificationProblem) -> [String: String] {
    var reader = PropertyListText(bytes)
    return try reader.list()
  }

  private mutating func list() throws(VerificationProblem) -> [String: String] {
    var entries: [String: String] = [:]
    try require(UInt8(ascii: "{"))
    skipWhiteSpace()
    while !take(UInt8(ascii: "}")) {
      let key = try text()
      try require(UInt8(ascii: "="))
      let value = try text()
      try require(UInt8(ascii: ";"))
      guard entries.updateValue(value, forKey: key) == nil, entries.count <= Self.entryLimit else {
        throw problem("a key a second time, or more keys than a receipt has")
      }
      skipWhiteSpace()
    }
    skipWhiteSpace()
    while index < bytes.count, bytes[index] == 0 { index += 1 }
    guard index == bytes.count else { throw problem("something after the list") }
    return entries
  }

  private mutating func text() throws(VerificationProblem) -> String {
    skipWhiteSpace()
    var value: [UInt8] = []
    if take(UInt8(ascii: "\"")) {
      while !take(UInt8(ascii: "\"")) {
        guard index < bytes.count else { throw problem("a text that does not end") }
        if take(UInt8(ascii: "\\")) {
          value.append(try escaped())
        } else {
          value.append(bytes[index])
          index += 1
        }
      }
    } else {
      while index < bytes.count, Self.needsNoQuotes(bytes[index]) {
        value.append(bytes[index])
        index += 1
      }
      guard !value.isEmpty else { throw problem("something that is not a text") }
    }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw problem("a text that is not UTF-8")
    }
    return text
  }

  private mutating func escaped() throws(VerificationProblem) -> UInt8 {
    guard index < bytes.count else { throw problem("a text that does not end") }
    defer { index += 1 }
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"): return bytes[index]
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "r"): return UInt8(ascii: "\r")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    default: throw problem("an unknown escape")
    }
  }

  private mutating func require(_ byte: UInt8) throws(VerificationProblem) {
    skipWhiteSpace()
    guard take(byte) else {
      throw problem("no '\(Character(Unicode.Scalar(byte)))' where it is required")
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) { index += 1 }
  }

  private static func needsNoQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "$"):
      return true
    default: return false
    }
  }

  private func problem(_ what: String) -> VerificationProblem {
    VerificationProblem(
      .malformed, "The property list has \(what) at byte \(index); send it as it was made.")
  }
}
