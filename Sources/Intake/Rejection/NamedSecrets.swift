/// Finds secrets by the name before them, where name and value are not in plain JSON, and the
/// credentials of requests (`Basic`, `Bearer`).
///
/// Such places are the fields of a form, the log of a web server, headers, settings, objects with
/// single quotes, as Python prints them, property lists and other markup, and pairs of a name and a
/// value, as in `{"name": "password", "value": "…"}`. If a password or shared secret is named, each
/// text with the form of Apple's shared secrets is one: 32 hexadecimal digits. It can be in another
/// field than the name.
struct NamedSecrets {
  private let text: ResolvedText
  /// The places of the secrets in the record.
  private(set) var places: [Range<Int>] = []
  private var statement: StatementSecrets
  private var hasSharedSecret = false
  /// The place after the last name of a header with credentials.
  private var authorization: Int?
  /// The last word `value`, which can belong to a name after it.
  private var valueWord: Range<Int>?

  /// The number of hexadecimal digits of a shared secret that App Store Connect makes.
  private static let digits = 32
  /// The maximum number of separators between the name of a header and its credentials.
  private static let nearby = 40

  /// The number of characters of Base64 that show whether it is a name and a password.
  private static let enoughCredentials = 60

  init(_ text: ResolvedText) {
    self.text = text
    statement = StatementSecrets(text)
    var index = 0
    while index < text.count {
      if text.bytes[index] == UInt8(ascii: "(") { statement.open(at: index) }
      guard Self.isOfWord(text.bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < text.count, Self.isOfWord(text.bytes[index]) { index += 1 }
      index = take(start..<index)
    }
    places += statement.places
    if hasSharedSecret { addLikeSharedSecrets() }
  }

  /// Whether a byte is part of a name.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7a).contains(byte | 0x20)
  }

  /// Takes a word, and returns the place where the search goes on.
  private mutating func take(_ word: Range<Int>) -> Int {
    switch word.count {
    case 5 where text.isThere("basic", at: word.lowerBound):
      return takeCredentials(after: word, isBasic: true)
    case 6 where text.isThere("bearer", at: word.lowerBound):
      return takeCredentials(after: word, isBasic: false)
    case 5 where text.isThere("value", at: word.lowerBound):
      valueWord = word
      return word.upperBound
    case 6 where text.isThere("values", at: word.lowerBound):
      statement.takeValues(after: word)
      return word.upperBound
    default: break
    }
    if text.isThere("authorization", at: word.upperBound - 13) {
      authorization = word.upperBound
    }
    let name = text.bytes[word]
    guard SecretName.isSecret(name) else { return word.upperBound }
    hasSharedSecret = hasSharedSecret || SecretName.isSharedSecret(name)
    if let value = SecretValue(in: text, after: word, end: text.count) ?? pairedValue(of: word) {
      places.append(value.place(in: text))
      return max(word.upperBound, value.part.upperBound)
    }
    return word.upperBound
  }

  /// The value beside a name that is itself a value: `"name": "password", "value": "…"`, in either
  /// order.
  private mutating func pairedValue(of word: Range<Int>) -> SecretValue? {
    var index = word.lowerBound - 1
    index = skipBack(index) { $0.isQuote || $0.isBlank }
    guard index >= 0, ":=".utf8.contains(text.bytes[index]) else { return nil }
    index = skipBack(index) { $0.isQuote || $0.isBlank || ":=".utf8.contains($0) }
    let isName = text.isThere("name", at: index - 3)
    guard isName || text.isThere("key", at: index - 2) else { return nil }
    let key = index - (isName ? 3 : 2)
    if let other = valueWord, other.upperBound < key {
      valueWord = nil
      if let value = SecretValue(in: text, after: other, end: key),
        text.bytes[value.part.upperBound..<key].allSatisfy(\.isBetweenMembers)
      {
        return value
      }
    }
    var next = word.upperBound
    while next < text.count, text.bytes[next].isBetweenMembers { next += 1 }
    if text.isThere("value", at: next) {
      return SecretValue(in: text, after: next..<next + 5, end: text.count)
    }
    // In markup the value is the content of an element.
    guard next < text.count, text.bytes[next] == UInt8(ascii: ">") else { return nil }
    return SecretValue(inElementOf: text, from: next + 1)
  }

  private func skipBack(_ start: Int, while isSkipped: (UInt8) -> Bool) -> Int {
    var index = start
    while index >= 0, isSkipped(text.bytes[index]) { index -= 1 }
    return index
  }

  /// Hides the credentials after the name of their scheme.
  private mutating func takeCredentials(after word: Range<Int>, isBasic: Bool) -> Int {
    var start = word.upperBound
    if start < text.count, text.bytes[start] == plus { start += 1 }
    while start < text.count, text.bytes[start] == Byte.space { start += 1 }
    guard start > word.upperBound else { return word.upperBound }
    let isPercent = text.isPercentEncoded(start - 1)
    func value(end: Int) -> SecretValue {
      SecretValue(unquotedIn: text, from: start, isPercent: isPercent, end: end)
    }
    if isBasic, !isAuthorization(before: word) {
      let beginning = value(end: min(text.count, start + Self.enoughCredentials))
      guard isUserAndPassword(beginning.part) else { return word.upperBound }
    }
    let value = value(end: text.count)
    places.append(value.place(in: text))
    return max(start, value.part.upperBound)
  }

  private let plus = UInt8(ascii: "+")

  /// Whether the word is the scheme of a header with credentials.
  private func isAuthorization(before word: Range<Int>) -> Bool {
    guard let authorization, word.lowerBound - authorization < Self.nearby else { return false }
    let between = text.bytes[authorization..<word.lowerBound].filter(Self.isLetterOrDigit)
    return between.isEmpty || between.elementsEqual("value".utf8)
  }

  /// Whether it is the Base64 text of a name, a colon and a password.
  private func isUserAndPassword(_ place: Range<Int>) -> Bool {
    var (bits, number) = (0, 0)
    var hasColon = false
    for byte in text.bytes[place] where byte != UInt8(ascii: "=") {
      let digit: Int
      switch byte {
      case 0x41...0x5a: digit = Int(byte) - 0x41
      case 0x61...0x7a: digit = Int(byte) - 0x61 + 26
      case 0x30...0x39: digit = Int(byte) - 0x30 + 52
      case plus, UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
      default: return false
      }
      number = (number << 6 | digit) & 0xffff
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      let character = number >> bits & 0xff
      if character < 0x20 { return false }
      hasColon = hasColon || character == 0x3a
    }
    return hasColon
  }

  /// Adds the words that have the form of a shared secret.
  private mutating func addLikeSharedSecrets() {
    var start = 0
    for index in 0...text.count {
      if index < text.count, Self.isLetterOrDigit(text.bytes[index]) { continue }
      let word = text.bytes[start..<index]
      if word.count == Self.digits,
        word.allSatisfy({ $0.isDigit || (0x61...0x66).contains($0 | 0x20) })
      {
        places.append(text.place(of: start..<index))
      }
      start = index + 1
    }
  }
}

extension UInt8 {
  /// Whether this can be between two members of an object or two attributes.
  fileprivate var isBetweenMembers: Bool {
    isQuote || isBlank || isWhiteSpace || self == UInt8(ascii: ",")
  }
}
