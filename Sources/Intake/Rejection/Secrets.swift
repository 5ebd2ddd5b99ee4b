/// Keeps secrets of rejected records out of the database.
///
/// Such a record can contain the shared secret of a notification or of a request to Apple, the
/// credentials of a request, a password in an address, or a key.
enum Secrets {
  /// The maximum length of a name; longer names are not names of secrets, even with escapes.
  private static let nameLimit = 100

  /// The bytes, with an asterisk for each byte of a secret.
  ///
  /// The time is linear in the number of bytes.
  static func hidden(in record: Bytes) -> [UInt8] {
    var bytes = Array(record)
    hideMembers(of: record, in: &bytes)
    let text = ResolvedText(record)
    let addresses = AddressSecrets.places(in: text).map { text.place(of: $0) }
    for place in NamedSecrets(text).places + addresses {
      for index in place { bytes[index] = asterisk }
    }
    for part in KeyBlockSecrets.places(in: text) {
      // The lines of a key stay lines.
      for index in text.place(of: part) where !record[index].isWhiteSpace {
        bytes[index] = asterisk
      }
    }
    return bytes
  }

  static let asterisk = UInt8(ascii: "*")

  /// Hides the values of members of JSON with the name of a secret.
  ///
  /// Their escapes are resolved. In JSON inside of a JSON text, quotes have backslashes before
  /// them. Old-style property lists write `=` instead of `:`.
  private static func hideMembers(of record: Bytes, in bytes: inout [UInt8]) {
    var from = 0
    while let quote = record.position(of: Byte.quote, from: from) {
      from = quote + 1
      guard let name = name(in: record, from: from), SecretName.isSecret(name.text) else {
        continue
      }
      guard var index = record.skippingWhiteSpace(from: name.end),
        record[index] == UInt8(ascii: ":") || record[index] == UInt8(ascii: "=")
      else { continue }
      index = record.skippingWhiteSpace(from: index + 1) ?? record.count
      let end = endOfValue(record, index)
      for place in end.hidden { bytes[place] = asterisk }
      from = max(from, end.next)
    }
  }

  /// The text with an asterisk for each byte of a secret.
  static func hidden(in text: String) -> String {
    Array(text.utf8).withUnsafeBufferPointer { String(decoding: hidden(in: $0), as: UTF8.self) }
  }

  /// The header alone of a table that has a column with the name of a secret; anything else as it
  /// is.
  ///
  /// A file that was rejected as a whole has no known columns, and each of its fields can be the
  /// secret.
  static func withoutRows(_ start: Bytes) -> Bytes {
    let text = start.trimmed
    var end = text.position(of: Byte.lineFeed) ?? text.count
    var header = text.part(0..<end)
    var separators = Array(",;|\t".utf8)
    // The first line can name the separator: `sep=;`.
    if let named = CSVHeader.namedSeparator(header) {
      separators.append(named)
      let first = min(end + 1, text.count)
      end = text.position(of: Byte.lineFeed, from: first) ?? text.count
      header = text.part(first..<end)
    }
    let names = header.split { separators.contains($0) }
    let hasSecret = names.contains { name in
      SecretName.isSecret(name.filter { $0 != Byte.quote && !$0.isWhiteSpace })
    }
    return hasSecret ? text.part(0..<end) : start
  }

  private static let backslash = UInt8(ascii: "\\")

  /// A member's name with its escapes resolved, and the place after its closing quote.
  private static func name(in record: Bytes, from start: Int) -> (text: [UInt8], end: Int)? {
    var text: [UInt8] = []
    var index = start
    while index < record.count, index - start < nameLimit {
      if record[index] == Byte.quote { return (text, index + 1) }
      guard record[index] == backslash else {
        text.append(record[index])
        index += 1
        continue
      }
      while index < record.count, record[index] == backslash { index += 1 }
      guard index < record.count, record[index] != Byte.quote else { continue }
      guard record[index] | 0x20 == UInt8(ascii: "u"), index + 4 < record.count,
        let code = UInt8(record.part(index + 1..<index + 5).string, radix: 16)
      else { return nil }
      text.append(code)
      index += 5
    }
    return nil
  }

  /// The part of a value that is hidden, and the place where the search goes on.
  private static func endOfValue(_ record: Bytes, _ start: Int) -> (hidden: Range<Int>, next: Int) {
    var index = start
    while index < record.count, record[index] == backslash { index += 1 }
    guard index < record.count, record[index] == Byte.quote else {
      return endOfBareValue(record, start)
    }
    // The closing quote has as many backslashes before it as the opening quote: each level of JSON
    // within JSON doubles them and adds one.
    let level = index - start
    let first = index + 1
    index = first
    while let quote = record.position(of: Byte.quote, from: index) {
      var run = 0
      while quote - run > first, record[quote - run - 1] == backslash { run += 1 }
      if run < level || (run - level) / (level + 1) % 2 == 0 {
        return (first..<quote - min(run, level), quote + 1)
      }
      index = quote + 1
    }
    return (first..<record.count, record.count)
  }

  /// The end of a number, a word, a list or an object; no password should be one of these.
  private static func endOfBareValue(_ record: Bytes, _ start: Int) -> (
    hidden: Range<Int>, next: Int
  ) {
    var brackets = JSONBrackets()
    var index = start
    while index < record.count {
      let byte = record[index]
      brackets.take(byte)
      let isSeparator =
        !brackets.isInString && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";"))
      if brackets.depth < 0 || brackets.depth == 0 && isSeparator { break }
      index += 1
    }
    return (start..<index, index)
  }
}
