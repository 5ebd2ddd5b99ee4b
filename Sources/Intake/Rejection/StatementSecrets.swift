/// Finds the values that an SQL statement inserts into a column with the name of a secret.
struct StatementSecrets {
  private let text: ResolvedText
  /// The place of the last opening parenthesis that begins a list of columns, if any.
  private var open: Int?
  /// The place up to which values were read.
  private var end = 0
  /// The places of the values in the record.
  private(set) var places: [Range<Int>] = []

  init(_ text: ResolvedText) { self.text = text }

  /// Notes an opening parenthesis.
  mutating func open(at index: Int) { open = index }

  /// Reads the values after the word `values`, if a list of columns is before it.
  mutating func takeValues(after word: Range<Int>) {
    guard let open, word.upperBound >= end else { return }
    self.open = nil
    var close = word.lowerBound - 1
    while close > open, text.bytes[close].isWhiteSpace { close -= 1 }
    guard close > open, text.bytes[close] == UInt8(ascii: ")") else { return }
    let names = text.bytes[open + 1..<close].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let secrets = names.map { name in
      SecretName.isSecret(name.filter { !$0.isWhiteSpace && !"\"'`[]".utf8.contains($0) })
    }
    end = word.upperBound
    guard secrets.contains(true) else { return }
    repeat {
      while end < text.count, text.bytes[end].isWhiteSpace || text.bytes[end] == comma { end += 1 }
    } while takeRow(secrets)
  }

  private let comma = UInt8(ascii: ",")

  /// Reads one row of values in parentheses.
  private mutating func takeRow(_ secrets: [Bool]) -> Bool {
    guard end < text.count, text.bytes[end] == UInt8(ascii: "(") else { return false }
    var (field, depth, start) = (0, 0, end + 1)
    var quote: Int?
    while end < text.count {
      let byte = text.bytes[end]
      if let opening = quote {
        // A doubled quote ends the text and begins it again.
        if byte == text.bytes[opening], text.level(end) <= text.level(opening) { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == Byte.quote {
        quote = end
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == comma && depth == 1 || byte == UInt8(ascii: ")") {
        if depth == 1 {
          hide(start..<end, secrets, field)
          (field, start) = (field + 1, end + 1)
        }
        if byte != comma { depth -= 1 }
      }
      end += 1
      if depth == 0 { return true }
    }
    hide(start..<end, secrets, field)
    return false
  }

  private mutating func hide(_ value: Range<Int>, _ secrets: [Bool], _ field: Int) {
    guard field < secrets.count, secrets[field] else { return }
    var (first, last, backslashes) = (value.lowerBound, value.upperBound, 0)
    while first < last, text.bytes[first].isWhiteSpace { first += 1 }
    while last > first, text.bytes[last - 1].isWhiteSpace { last -= 1 }
    if first < last, text.bytes[first] == UInt8(ascii: "'") {
      first += 1
      if first < last, text.bytes[last - 1] == UInt8(ascii: "'") {
        last -= 1
        backslashes = text.level(last)
      }
    }
    places.append(text.place(of: first..<last, backslashes: backslashes))
  }
}
