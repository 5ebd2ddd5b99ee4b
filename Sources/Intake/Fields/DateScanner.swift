import SignatureVerification

/// Reads the text of a date from left to right.
struct DateScanner {
  private let text: Bytes
  private var index = 0

  init(_ text: Bytes) {
    self.text = text
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { index == text.count }

  /// Reads `2012-04-30` and gives the days since 1970-01-01.
  mutating func day() -> Int64? {
    guard let year = number(4), skip(UInt8(ascii: "-")), let month = number(2),
      skip(UInt8(ascii: "-")), let day = number(2)
    else { return nil }
    return GregorianCalendar.day(year: year, month: month, day: day)
  }

  /// Reads `15:05:55`, with or without a fraction, and gives the seconds since midnight.
  mutating func time() -> Int64? {
    guard let hour = number(2), skip(UInt8(ascii: ":")), let minute = number(2),
      skip(UInt8(ascii: ":")), let second = number(2)
    else { return nil }
    // A leap second, 23:59:60, counts as the next second, as in POSIX.
    guard hour <= 23, minute <= 59, second <= 60 else { return nil }
    if skip(UInt8(ascii: ".")) {
      guard index < text.count, text[index].isDigit else { return nil }
      while index < text.count, text[index].isDigit { index += 1 }
    }
    return hour * 3600 + minute * 60 + second
  }

  /// Reads `Z`, an offset or ` Etc/GMT` up to the end, and gives the seconds east of UTC.
  mutating func zone() -> Int64? {
    let rest = text.part(index..<text.count)
    if rest.equals("Z") || rest.equals("z") || rest.equals(" Etc/GMT") || rest.equals(" Etc/UTC")
      || rest.equals(" GMT") || rest.equals(" UTC")
    {
      return 0
    }
    guard index < text.count else { return nil }
    let isWest = text[index] == UInt8(ascii: "-")
    guard skip(UInt8(ascii: "+"), UInt8(ascii: "-")), let hours = number(2) else { return nil }
    // Xcode writes +0100.
    _ = skip(UInt8(ascii: ":"))
    guard let minutes = number(2), isAtEnd, hours <= 23, minutes <= 59 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return isWest ? -offset : offset
  }

  /// Skips the next byte if it is one of the candidates.
  mutating func skip(_ candidates: UInt8...) -> Bool {
    guard index < text.count, candidates.contains(text[index]) else { return false }
    index += 1
    return true
  }

  /// Skips the next byte if it is the candidate.
  @inline(__always)
  mutating func skip(_ candidate: UInt8) -> Bool {
    guard index < text.count, text[index] == candidate else { return false }
    index += 1
    return true
  }

  @inline(__always)
  private mutating func number(_ digits: Int) -> Int64? {
    guard text.count - index >= digits else { return nil }
    var value: Int64 = 0
    for _ in 0..<digits {
      guard text[index].isDigit else { return nil }
      value = value * 10 + Int64(text[index] - Byte.zero)
      index += 1
    }
    return value
  }
}
