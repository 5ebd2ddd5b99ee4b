/// The value after the name of a secret.
struct SecretValue {
  /// The value without its quotes, as a part of the text.
  let part: Range<Int>
  /// The number of backslashes of the closing quote that belong to the value.
  private var backslashes = 0

  /// The place of the value in the record.
  func place(in text: ResolvedText) -> Range<Int> {
    text.place(of: part, backslashes: backslashes)
  }

  /// The value after a name; nil if no mark between them says that a value follows.
  ///
  /// Nothing from `end` on is read.
  init?(in text: ResolvedText, after name: Range<Int>, end: Int) {
    var reader = PartReader(text: text, end: end)
    var index = name.upperBound
    if reader.has("<", at: name.lowerBound - 1), reader.has(">", at: index) {
      part = reader.element(from: index + 1)
      return
    }
    // The quotes after the name are those around the value, too: `"` or, in a field, `""`.
    index = reader.skip(index, while: \.isQuote)
    let quotes = index - name.upperBound
    if reader.has("</key>", at: index) {
      let tag = reader.skip(index + 6, while: \.isWhiteSpace)
      guard reader.has("<string>", at: tag) else { return nil }
      part = reader.element(from: tag + 8)
      return
    }
    let mark = reader.skip(index) { $0.isBlank || $0.isWhiteSpace }
    reader.isPercent = mark < end && text.isPercentEncoded(mark)
    index = reader.skip(mark) { ":=".utf8.contains($0) }
    guard index > mark else { return nil }
    let afterMark = reader.skip(index, atMost: 1) { $0 == UInt8(ascii: ">") }
    index = reader.skip(afterMark, while: \.isBlank)
    let quote = reader.skip(index) { $0.isBlank || $0.isWhiteSpace }
    let isHeader = quotes == 0 && index > afterMark && reader.has(":", at: mark)
    if isHeader, let block = reader.block(of: name, from: index) {
      part = block
    } else if reader.skip(quote, atMost: 1, while: \.isQuote) > quote {
      part = reader.quoted(from: quote, quotes: max(1, quotes))
      backslashes = reader.backslashes(at: part.upperBound, above: quote)
    } else if isHeader, let around = reader.quote(before: name.lowerBound) {
      part = index..<reader.closing(around, from: index, quotes: 1)
      backslashes = reader.backslashes(at: part.upperBound, above: around)
    } else if isHeader, reader.beginsLine(name.lowerBound) {
      part = reader.line(from: index)
    } else {
      part = reader.unquoted(from: index)
    }
  }

  /// The content of an element of markup.
  init(inElementOf text: ResolvedText, from start: Int) {
    part = PartReader(text: text, end: text.count).element(from: start)
  }

  /// A value without quotes.
  init(unquotedIn text: ResolvedText, from start: Int, isPercent: Bool, end: Int) {
    part = PartReader(text: text, end: end, isPercent: isPercent).unquoted(from: start)
  }
}

/// Reads values from a text up to a place.
private struct PartReader {
  let text: ResolvedText
  let end: Int
  /// Whether escapes with `%` are as good as the characters themselves, and no parts of values.
  var isPercent = true

  func skip(_ start: Int, atMost limit: Int = .max, while isSkipped: (UInt8) -> Bool) -> Int {
    var index = start
    while index < end, index - start < limit, isPlain(index), isSkipped(text.bytes[index]) {
      index += 1
    }
    return index
  }

  private func isPlain(_ index: Int) -> Bool { isPercent || !text.isPercentEncoded(index) }

  /// The number of backslashes of a closing quote that belong to the value before it.
  func backslashes(at closing: Int, above opening: Int) -> Int {
    guard closing < end, text.bytes[closing] == text.bytes[opening] else { return 0 }
    return max(0, text.level(closing) - text.level(opening))
  }

  func has(_ letters: StaticString, at index: Int) -> Bool {
    index + letters.utf8CodeUnitCount <= end && text.isThere(letters, at: index)
  }

  /// The content of an element whose tag ends right before a place.
  func element(from start: Int) -> Range<Int> {
    // A bracket in the content is written as an escape, and that of a tag is not, or in another way.
    let width = text.width(start - 1)
    var index = start
    while index < end, text.bytes[index] != UInt8(ascii: "<") || text.width(index) != width {
      index += 1
    }
    return start..<index
  }

  func unquoted(from start: Int) -> Range<Int> {
    var index = start
    while index < end {
      if isPlain(index), "\"&,};\r\n\t ".utf8.contains(text.bytes[index]) { break }
      index += 1
    }
    return start..<index
  }

  /// A value in quotes.
  ///
  /// A doubled quote is part of the value, unless all quotes are doubled.
  func quoted(from start: Int, quotes: Int) -> Range<Int> {
    let run = run(from: start, level: text.level(start))
    // An empty value, or a value that begins with a doubled quote.
    guard quotes > 1 ? run < 2 * quotes : run % 2 == 1 else {
      return start + quotes..<start + quotes
    }
    let first = start + min(run, quotes)
    return first..<closing(start, from: first, quotes: quotes)
  }

  /// The number of equal quotes with the same number of backslashes.
  private func run(from start: Int, level: Int) -> Int {
    var index = start
    while index < end, text.bytes[index] == text.bytes[start],
      index == start || text.level(index) == level
    {
      index += 1
    }
    return index - start
  }

  /// The place of the quotes that close a value.
  ///
  /// A closing quote has as many backslashes before it as the opening one: each level of JSON within
  /// JSON doubles them and adds one.
  func closing(_ opening: Int, from start: Int, quotes: Int) -> Int {
    let (quote, level) = (text.bytes[opening], text.level(opening))
    var index = start
    while index < end {
      let backslashes = text.level(index)
      guard text.bytes[index] == quote,
        backslashes < level || (backslashes - level) / (level + 1) % 2 == 0
      else {
        index += 1
        continue
      }
      let run = run(from: index, level: level)
      if quotes > 1, run >= quotes { return index }
      if quotes == 1, run % 2 == 1 { return index + run - 1 }
      index += run
    }
    return end
  }

  /// The quote right before a name, if there is one.
  func quote(before name: Int) -> Int? {
    name > 0 && text.bytes[name - 1].isQuote ? name - 1 : nil
  }

  /// The rest of a line, without a comment and without blanks at its end.
  func line(from start: Int) -> Range<Int> {
    var last = start
    while last < end, text.bytes[last] != Byte.lineFeed, !has(" #", at: last) { last += 1 }
    while last > start, text.bytes[last - 1].isWhiteSpace { last -= 1 }
    return start..<last
  }

  /// The lines of a block of YAML, which begins with `|` or `>` and is indented.
  func block(of name: Range<Int>, from start: Int) -> Range<Int>? {
    guard start < end, "|>".utf8.contains(text.bytes[start]), beginsLine(name.lowerBound) else {
      return nil
    }
    let head = skip(start) { "|>+-0123456789".utf8.contains($0) }
    let feed = skip(head) { $0 == Byte.space || $0 == Byte.carriageReturn }
    guard has("\n", at: feed) else { return nil }
    var lineStart = name.lowerBound
    while lineStart > 0, text.bytes[lineStart - 1] != Byte.lineFeed { lineStart -= 1 }
    let indentation = name.lowerBound - lineStart
    var last = feed + 1
    while last < end {
      let content = skip(last) { $0 == Byte.space }
      guard content - last > indentation || content < end && text.bytes[content].isWhiteSpace
      else { break }
      last = min(end, skip(content) { $0 != Byte.lineFeed } + 1)
    }
    return feed + 1..<last
  }

  /// Whether only blanks and the dash of a list are before a name in its line.
  func beginsLine(_ name: Int) -> Bool {
    var index = name
    while index > 0, text.bytes[index - 1].isBlank || text.bytes[index - 1] == UInt8(ascii: "-") {
      index -= 1
    }
    return index == 0 || text.bytes[index - 1] == Byte.lineFeed
  }
}

extension UInt8 {
  /// Whether this is a quote.
  var isQuote: Bool { self == Byte.quote || self == UInt8(ascii: "'") }

  /// Whether this is a space, a tab, or the space of a form.
  var isBlank: Bool { self == Byte.space || self == Byte.tab || self == UInt8(ascii: "+") }
}
